import Testing

@testable import MQTTTransport

@Suite("Reconnect delay") struct ReconnectDelayTests {
  @Test("Failed attempts wait 0.5 s, doubling to 60 s")
  func doubling() {
    var delay = ReconnectDelay()
    let waits = (0..<10).map { _ in delay.next(uptime: nil, takenOver: false, jitter: 0) }
    #expect(waits == [500, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000])
  }

  @Test("The jitter is a fifth either way")
  func jitter() {
    var (low, high) = (ReconnectDelay(), ReconnectDelay())
    #expect(low.next(uptime: nil, takenOver: false, jitter: -1) == 400)
    #expect(high.next(uptime: nil, takenOver: false, jitter: 1) == 600)
  }

  @Test("A stable session makes the next attempt quick again")
  func reset() {
    var delay = ReconnectDelay()
    for _ in 0..<5 { _ = delay.next(uptime: nil, takenOver: false, jitter: 0) }
    #expect(delay.next(uptime: 29_999, takenOver: false, jitter: 0) == 16_000)
    #expect(delay.next(uptime: 30_000, takenOver: false, jitter: 0) == 500)
  }

  @Test("A take-over waits at least half a minute, even after a stable session")
  func takenOver() {
    var delay = ReconnectDelay()
    #expect(delay.next(uptime: 1_000_000, takenOver: true, jitter: -1) >= 30_000)
  }

  @Test("The third short session in a row waits at least half a minute, failed attempts in between or not")
  func quickDrops() {
    var delay = ReconnectDelay()
    for _ in 0..<2 {
      #expect(delay.next(uptime: 1000, takenOver: false, jitter: 0) < 30_000)
      #expect(!delay.isRepeatedlyDropped)
    }
    _ = delay.next(uptime: nil, takenOver: false, jitter: 0)
    #expect(delay.next(uptime: 1000, takenOver: false, jitter: -1) >= 30_000)
    #expect(delay.isRepeatedlyDropped)
    _ = delay.next(uptime: 30_000, takenOver: false, jitter: 0)
    #expect(!delay.isRepeatedlyDropped)
  }
}
