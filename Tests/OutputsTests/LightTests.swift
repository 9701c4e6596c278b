import Glibc
import LinuxSupport
import Testing

@testable import Outputs

@Suite("Light")
struct LightTests {
  private func controller(
    _ lines: FakeLines, alerting: OutputPattern = .blinking(every: 500), countdown: OutputPattern? = nil, buzzer: Bool = false,
    timing: OutputTiming = OutputTiming(), log: ReportLog = ReportLog()
  ) throws -> OutputController {
    let configuration = OutputsConfiguration(
      buzzer: buzzer ? .init(chip: "pi", line: 18) : nil,
      light: .init(line: .init(chip: "pi", offset: 23), alerting: alerting, countdown: countdown))
    return try OutputController(
      configuration: configuration, timing: timing, openDevice: FakeCards().open, openLine: lines.open, report: { log.add($0) })
  }

  private let request = RingRequest(ring: 5, sound: "default", volume: 50)

  @Test("It is held off from the start, blinks while something rings, and is given back off at the end")
  func blinking() async throws {
    let lines = FakeLines()
    let log = ReportLog()
    let controller = try controller(lines, log: log)
    controller.start()
    #expect(try await eventually { lines.light.isRequested })
    #expect(!lines.light.wasActive)
    let start = SystemClock.elapsedMilliseconds()
    controller.ring(request)
    #expect(try await eventually { lines.light.state.withLock { $0.changes.count >= 4 } })
    let changes = lines.light.state.withLock { $0.changes }
    #expect(changes.prefix(4).map(\.active) == [true, false, true, false])
    // Never before its time; how late is the machine's affair.
    for (index, change) in changes.prefix(4).enumerated() { #expect(change.time - start >= Int64(index) * 500) }
    controller.silence()
    #expect(try await eventually { !lines.light.isActive })
    #expect(lines.light.isRequested)
    controller.stop()
    #expect(!lines.light.isRequested && !lines.light.isActive)
    // Alone it does not count as sounding.
    #expect(log.all.isEmpty)
  }

  @Test("A steady light is switched once, on and off")
  func steady() async throws {
    let lines = FakeLines()
    let controller = try controller(lines, alerting: .steady)
    controller.start()
    controller.ring(request)
    #expect(try await eventually { lines.light.isActive })
    try await Task.sleep(for: .milliseconds(300))
    controller.silence()
    #expect(try await eventually { !lines.light.isActive })
    #expect(lines.light.state.withLock { $0.changes.map(\.active) } == [true, false])
    controller.stop()
  }

  @Test("A countdown lights it until something rings, and again after that")
  func countdown() async throws {
    let lines = FakeLines()
    let controller = try controller(lines, alerting: .blinking(every: 40), countdown: .steady)
    controller.start()
    controller.setCountdown(true)
    #expect(try await eventually { lines.light.isActive })
    #expect(lines.light.state.withLock { $0.changes.count } == 1)
    controller.ring(request)
    #expect(try await eventually { lines.light.state.withLock { $0.changes.count >= 6 } })
    controller.silence()
    try await Task.sleep(for: .milliseconds(300))
    #expect(lines.light.isActive)
    let count = lines.light.state.withLock { $0.changes.count }
    try await Task.sleep(for: .milliseconds(300))
    #expect(lines.light.state.withLock { $0.changes.count } == count)
    controller.setCountdown(true)
    controller.setCountdown(false)
    #expect(try await eventually { !lines.light.isActive })
    // A countdown that begins while it rings does not stop the blinking.
    controller.ring(request)
    controller.setCountdown(true)
    #expect(try await eventually { lines.light.state.withLock { $0.changes.count >= count + 6 } })
    controller.stop()
    #expect(!lines.light.isActive)
  }

  @Test("During a countdown it blinks slowly, and a second word of it does not disturb the beat")
  func slowBlinking() async throws {
    let lines = FakeLines()
    let controller = try controller(lines, countdown: .blinking(every: 300))
    controller.start()
    let start = SystemClock.elapsedMilliseconds()
    for _ in 0..<30 {
      controller.setCountdown(true)
      try await Task.sleep(for: .milliseconds(100))
    }
    // Had each word begun a new countdown, it would have stayed on.
    let changes = lines.light.state.withLock { $0.changes }
    #expect(changes.count >= 3)
    for (index, change) in changes.prefix(3).enumerated() { #expect(change.time - start >= Int64(index) * 300) }
    controller.stop()
  }

  @Test("Without a word about countdowns in the configuration it stays off during them")
  func noCountdown() async throws {
    let lines = FakeLines()
    let controller = try controller(lines)
    controller.start()
    controller.setCountdown(true)
    try await Task.sleep(for: .milliseconds(200))
    #expect(!lines.light.wasActive)
    controller.stop()
  }

  @Test("A light that is missing or lost is reported and requested again, and the buzzer sounds all the same")
  func missing() async throws {
    let lines = FakeLines()
    lines.light.state.withLock { $0.isMissing = true }
    let log = ReportLog()
    let controller = try controller(lines, buzzer: true, timing: OutputTiming(retry: 100, urgentRetry: 100), log: log)
    controller.start()
    #expect(await log.failure(.light, .chipUnavailable) != nil)
    controller.ring(request)
    let sounding = await log.sounding(5)
    #expect(sounding?.results.map(\.output) == [.buzzer])
    #expect(sounding?.results.map(\.ok) == [true])
    #expect(sounding?.fallbacks == [])
    #expect(try await eventually { lines.buzzer.wasActive })
    #expect(!lines.light.wasActive)
    lines.light.state.withLock { $0.isMissing = false }
    #expect(await log.first { $0 == .recovered(output: .light) } != nil)
    #expect(try await eventually { lines.light.wasActive })
    lines.light.state.withLock { $0.failsToSet = true }
    #expect(await log.failure(.light, .lineLost) != nil)
    lines.light.state.withLock { $0.failsToSet = false }
    #expect(try await eventually { log.all.count { $0 == .recovered(output: .light) } == 2 })
    controller.stop()
    // Missing, sounding, recovered, lost, recovered.
    #expect(log.all.count == 5)
  }

  @Test("A light whose driver hangs keeps nothing from sounding")
  func hanging() async throws {
    let lines = FakeLines()
    lines.light.state.withLock { $0.delay = 2 }
    let log = ReportLog()
    let controller = try controller(lines, buzzer: true, log: log)
    controller.start()
    let start = SystemClock.elapsedMilliseconds()
    controller.ring(request)
    #expect(await log.sounding(5)?.results.map(\.ok) == [true])
    #expect(try await eventually { lines.buzzer.wasActive })
    // By the buzzer's own clock: this task may be kept waiting.
    let first = lines.buzzer.state.withLock { $0.changes.first?.time }
    #expect((first ?? .max) - start < 1_900)
    controller.silence()
    #expect(try await eventually { !lines.buzzer.isActive })
    controller.stop()
  }
}
