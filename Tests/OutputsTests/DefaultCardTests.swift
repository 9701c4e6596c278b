import Glibc
import Synchronization
import Testing

@testable import Outputs

@Suite("Speaker, falling back to the default card", .serialized)
struct DefaultCardTests {
  /// Where a test's card is plugged in, later.
  private final class Socket: Sendable {
    let isPlugged = Atomic(false)
  }

  private func controller(_ device: String, timing: OutputTiming = OutputTiming(), socket: Socket? = nil, log: ReportLog) throws
    -> OutputController
  {
    _ = TestCards.directory
    return try OutputController(
      configuration: OutputsConfiguration(speaker: .init(device: device)), timing: timing,
      openDevice: { name, rate throws(OutputError) in
        if let socket, name != "default", !socket.isPlugged.load(ordering: .relaxed) {
          throw OutputError(code: .deviceUnavailable, operation: "snd_pcm_open", errno: ENODEV, message: "Plug it in.")
        }
        return try ALSADevice(name: name, rate: rate)
      },
      openLine: FakeLine().open, report: { log.add($0) })
  }

  @Test("A device that does not exist gives way to the default card")
  func noDevice() async throws {
    let log = ReportLog()
    let controller = try controller("no_such_pcm", log: log)
    controller.ring(RingRequest(ring: 4, sound: "radar", volume: 100))
    let sounding = await log.sounding(4)
    #expect(sounding?.results == [OutputResult(output: .speaker, detail: "default", sound: "default")])
    #expect(sounding?.fallbacks == ["default-card"])
    let error = await log.failure(.speaker, .deviceUnavailable)
    #expect(error?.errno == ENOENT && error?.operation == "snd_pcm_open")
    try await waitForSound(1.2, in: TestCards.defaultCard)
    controller.stop()
    #expect(abs(Recording(TestCards.defaultCard).mainFrequency - 880) < 6)
    #expect(log.all.count == 2)
  }

  @Test("The alarm's own device is taken up again when it comes back")
  func deviceReturns() async throws {
    let (device, file) = TestCards.capture("unplugged")
    let socket = Socket()
    let log = ReportLog()
    let controller = try controller(device, timing: OutputTiming(retry: 300), socket: socket, log: log)
    controller.ring(RingRequest(ring: 5, sound: "radar", volume: 100))
    #expect(await log.sounding(5)?.fallbacks == ["default-card"])
    // Several tries, none of which disturbs the card that sounds.
    try await waitForSound(1.5, in: TestCards.defaultCard)
    socket.isPlugged.store(true, ordering: .relaxed)
    #expect(await log.first { $0 == .recovered(output: .speaker) } != nil)
    try await waitForSound(1, in: file)
    controller.stop()
    #expect(abs(Recording(file).mainFrequency - BuiltInTone.radar.frequency) < 6)
    // One failure and one return, however often it was tried.
    #expect(log.all.count == 3)
  }

  @Test("A device that opens but fails at once gives way, and trying it again does not disturb the one that sounds")
  func deviceFailsAtOnce() async throws {
    let place = TestCards.directory + "/no-such-directory"
    let log = ReportLog()
    let controller = try controller("capture:FILE=\(place)/sound.raw", timing: OutputTiming(retry: 300), log: log)
    controller.ring(RingRequest(ring: 5, sound: "radar", volume: 100))
    #expect(await log.sounding(5)?.fallbacks == ["default-card"])
    #expect(await log.failure(.speaker, .deviceLost) != nil)
    try await waitForSound(1.5, in: TestCards.defaultCard)
    mkdir(place, 0o755)
    #expect(await log.first { $0 == .recovered(output: .speaker) } != nil)
    try await waitForSound(0.5, in: place + "/sound.raw")
    controller.stop()
    #expect(log.all.count == 3)
  }

  @Test("When everything fails each step is reported, the ring is reported once, and it sounds as soon as it can")
  func everythingFails() async throws {
    let card = TestCards.directory + "/default-card"
    let aside = TestCards.directory + "/default-card-aside"
    _ = TestCards.directory
    #expect(rename(card, aside) == 0)
    let log = ReportLog()
    let controller = try controller("no_such_pcm", timing: OutputTiming(urgentRetry: 100), log: log)
    controller.ring(RingRequest(ring: 6, sound: "radar", volume: 100))
    let sounding = await log.sounding(6)
    #expect(sounding?.results.map(\.ok) == [false])
    #expect(sounding?.results.first?.error?.code == .deviceUnavailable)
    #expect(sounding?.fallbacks == ["default-card"])
    let failures = log.all.count {
      if case .failed(.speaker, _) = $0 { true } else { false }
    }
    #expect(failures == 2)
    #expect(rename(aside, card) == 0)
    try await waitForSound(0.5, in: TestCards.defaultCard)
    controller.stop()
    #expect(log.all.count == 3)
  }

  @Test("A missing card is reported at the start, before any ring, and again when it is there")
  func probe() async throws {
    let socket = Socket()
    let log = ReportLog()
    let controller = try controller(TestCards.capture("late-card").device, timing: OutputTiming(retry: 100), socket: socket, log: log)
    controller.start()
    #expect(await log.failure(.speaker, .deviceUnavailable) != nil)
    socket.isPlugged.store(true, ordering: .relaxed)
    #expect(await log.first { $0 == .recovered(output: .speaker) } != nil)
    controller.stop()
    #expect(log.all.count == 2)
  }

  @Test("A card that hangs in a write does not hold up stop for more than about a second")
  func stuckCard() async throws {
    let log = ReportLog()
    let controller = try controller("stuck", log: log)
    controller.ring(RingRequest(ring: 8, sound: "default", volume: 100))
    _ = await log.sounding(8)
    // A third of a second of sound fills the pipe that nobody reads. Full for long, it holds the next write.
    #expect(try await eventually { TestCards.stuckCardIsFull })
    try await Task.sleep(for: .seconds(1))
    #expect(TestCards.stuckCardIsFull)
    let start = ContinuousClock.now
    controller.stop()
    let elapsed = ContinuousClock.now - start
    #expect(elapsed > .milliseconds(500), "the card did not hang at all")
    #expect(elapsed < .seconds(3))
    TestCards.releaseStuckCard()
  }
}
