import Glibc
import LinuxSupport
import Testing

@testable import Outputs

@Suite("Buzzer")
struct BuzzerTests {
  private func controller(
    _ line: FakeLine, speaker: FakeCards? = nil, after: Double? = nil, timing: OutputTiming = OutputTiming(), log: ReportLog
  ) throws -> OutputController {
    let configuration = OutputsConfiguration(
      speaker: speaker.map { _ in .init(device: "usb") }, buzzer: .init(chip: "pi", line: 18, after: after))
    return try OutputController(
      configuration: configuration, timing: timing, openDevice: (speaker ?? FakeCards()).open, openLine: line.open, report: { log.add($0) })
  }

  private let request = RingRequest(ring: 9, sound: "default", volume: 50)
  private let buzzer = OutputResult(output: .buzzer, detail: "line 18 of pi", sound: "buzzer")

  @Test("The line is held inactive from the start, beeps while ringing and is given back at the end")
  func alone() async throws {
    let line = FakeLine()
    let log = ReportLog()
    let controller = try controller(line, log: log)
    controller.start()
    #expect(try await eventually { line.isRequested })
    let start = SystemClock.elapsedMilliseconds()
    controller.ring(request)
    let sounding = await log.sounding(9)
    #expect(sounding?.results == [buzzer])
    #expect(sounding?.fallbacks == [])
    #expect(try await eventually { line.state.withLock { $0.changes.count >= 5 } })
    controller.silence()
    #expect(try await eventually(within: 1) { !line.isActive })
    #expect(line.isRequested)
    controller.stop()
    #expect(!line.isRequested)
    let changes = line.state.withLock { $0.changes }
    for (index, edge) in [0, 200, 400, 600, 1_200].enumerated() {
      #expect(changes[index].active == index.isMultiple(of: 2))
      // Never early; how late is the machine's affair.
      #expect(changes[index].time - start >= edge)
    }
    #expect(log.all.count == 1)
  }

  @Test("Beside a speaker that works it joins when nobody has answered, not before, and not after silence")
  func after() async throws {
    let line = FakeLine()
    let log = ReportLog()
    let controller = try controller(line, speaker: FakeCards("usb"), after: 1, log: log)
    controller.start()
    let start = ContinuousClock.now
    controller.ring(request)
    #expect(await log.sounding(9)?.results.map(\.output) == [.speaker])
    #expect(try await eventually { line.wasActive })
    #expect(ContinuousClock.now - start > .milliseconds(990))
    controller.silence()
    #expect(try await eventually(within: 1) { !line.isActive })
    let changes = line.state.withLock { $0.changes.count }
    controller.ring(request)
    controller.silence()
    try await Task.sleep(for: .seconds(1.2))
    #expect(line.state.withLock { $0.changes.count } == changes)
    controller.stop()
  }

  @Test("It sounds at once when no card works, and leaves when one does")
  func lastResort() async throws {
    let line = FakeLine()
    let log = ReportLog()
    let cards = FakeCards("usb")
    cards["usb"].state.withLock { $0.lastingFailure = -Int(ENODEV) }
    let controller = try controller(line, speaker: cards, timing: OutputTiming(urgentRetry: 400), log: log)
    controller.start()
    controller.ring(request)
    let sounding = await log.sounding(9)
    #expect(sounding?.results.map(\.ok) == [false, true])
    #expect(sounding?.results.last == buzzer)
    #expect(sounding?.fallbacks == ["default-card", "buzzer"])
    #expect(try await eventually { line.wasActive })
    cards["usb"].state.withLock { $0.lastingFailure = nil }
    #expect(await log.first { $0 == .recovered(output: .speaker) } != nil)
    #expect(try await eventually { !line.isActive })
    try await Task.sleep(for: .milliseconds(700))
    #expect(!line.isActive)
    controller.stop()
    // Both steps of the speaker, the ring, the return.
    #expect(log.all.count == 4)
  }

  @Test("It covers a card that hangs in a call, and says so")
  func stuckCard() async throws {
    let line = FakeLine()
    let log = ReportLog()
    let configuration = OutputsConfiguration(speaker: .init(device: "usb"), buzzer: .init(chip: "pi", line: 18))
    let controller = try OutputController(
      configuration: configuration, timing: OutputTiming(),
      openDevice: { _, _ throws(OutputError) in
        sleep(3)
        return FakeCard()
      }, openLine: line.open, report: { log.add($0) })
    controller.ring(request)
    let sounding = await log.sounding(9)
    #expect(sounding?.results.map(\.ok) == [false, true])
    #expect(sounding?.fallbacks == ["buzzer"])
    #expect(await log.failure(.speaker, .deviceStalled) != nil)
    #expect(await log.first { $0 == .recovered(output: .speaker) } != nil)
    #expect(try await eventually { !line.isActive })
    controller.stop()
  }

  @Test("A missing chip is reported once, and used as soon as it is there, even in the midst of a ring")
  func missing() async throws {
    let line = FakeLine()
    line.state.withLock { $0.isMissing = true }
    let log = ReportLog()
    let controller = try controller(line, timing: OutputTiming(retry: 100, urgentRetry: 100), log: log)
    controller.start()
    #expect(await log.failure(.buzzer, .chipUnavailable) != nil)
    #expect(try await eventually { line.state.withLock { $0.requests > 3 } })
    controller.ring(request)
    #expect(await log.sounding(9)?.results.map(\.error?.code) == [.chipUnavailable])
    line.state.withLock { $0.isMissing = false }
    #expect(await log.first { $0 == .recovered(output: .buzzer) } != nil)
    #expect(try await eventually { line.wasActive })
    controller.stop()
    #expect(log.all.count == 3)
  }

  @Test("A line that is lost while ringing is reported and requested again")
  func lost() async throws {
    let line = FakeLine()
    let log = ReportLog()
    let controller = try controller(line, timing: OutputTiming(urgentRetry: 100), log: log)
    controller.start()
    controller.ring(request)
    _ = await log.sounding(9)
    line.state.withLock { $0.failsToSet = true }
    #expect(await log.failure(.buzzer, .lineLost) != nil)
    line.state.withLock { $0.failsToSet = false }
    #expect(await log.first { $0 == .recovered(output: .buzzer) } != nil)
    controller.stop()
    #expect(!line.isRequested)
  }

  @Test(
    "A chip that does not exist is a reported failure, by label, name and path",
    arguments: ["no-such-label", "gpiochip4242", "/dev/no-such-chip", "/etc/hostname"])
  func noChip(_ chip: String) async throws {
    let log = ReportLog()
    let controller = try OutputController(configuration: OutputsConfiguration(buzzer: .init(chip: chip, line: 18))) { log.add($0) }
    controller.start()
    let error = await log.failure(.buzzer, .chipUnavailable)
    #expect((error?.errno ?? 0) > 0)
    controller.ring(request)
    #expect(await log.sounding(9)?.results.map(\.ok) == [false])
    controller.stop()
  }

  @Test("After stop nothing sounds any more, and stopping again does no harm")
  func stopped() async throws {
    let line = FakeLine()
    let log = ReportLog()
    let controller = try controller(line, log: log)
    controller.stop()
    controller.stop()
    controller.start()
    controller.ring(request)
    controller.silence()
    try await Task.sleep(for: .milliseconds(100))
    #expect(line.state.withLock { $0.requests } == 0)
    #expect(log.all.isEmpty)
  }
}
