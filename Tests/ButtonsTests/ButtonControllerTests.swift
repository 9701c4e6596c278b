import Glibc
import LinuxSupport
import TestSupport
import Testing

@testable import Buttons

@Suite("Buttons")
struct ButtonControllerTests {
  private let log = Recorder<ButtonEvent>()
  /// So that a test that is kept waiting does not hold a button that it means to press.
  private static let patient = ButtonTiming(hold: 600_000, shortest: 0, stuck: 600_000, retry: 600_000)

  private func controller(_ chip: FakeChip, timing: ButtonTiming = patient) throws -> ButtonController {
    let log = log
    return try ButtonController(buttons: chip.configurations, timing: timing, open: chip.open, report: { log.append($0) })
  }

  private func wait(for event: ButtonEvent) async throws {
    let isTold = try await blocking { [log] in log.first { $0 == event } != nil }
    #expect(isTold, "\(event)")
  }

  private func waitForLooks(_ line: FakeLine, atLeast count: Int = 1) async throws {
    #expect(try await eventually { line.state.withLock { $0.isHeld && $0.looks >= count } })
  }

  @Test("A press is told at once when it goes down, and as a press when it is over")
  func press() async throws {
    let chip = try FakeChip(2)
    let controller = try controller(chip)
    try await waitForLooks(chip.lines[1])
    chip.lines[1].edge(true)
    try await wait(for: .down(button: 1))
    chip.lines[1].edge(false)
    try await wait(for: .up(button: 1))
    controller.stop()
    #expect(log.all == [.down(button: 1), .press(button: 1), .up(button: 1)])
    #expect(chip.lines.allSatisfy { $0.state.withLock { !$0.isHeld } })
  }

  @Test("A button that stays down is held, then stuck, and recovers when it is released")
  func hold() async throws {
    let chip = try FakeChip(1)
    let controller = try controller(chip, timing: ButtonTiming(hold: 100, stuck: 300))
    try await waitForLooks(chip.lines[0])
    chip.lines[0].edge(true)
    let stuck = try await blocking { [log] in log.first { if case .failed = $0 { true } else { false } } }
    let error = ButtonError.stuck(chip.configurations[0], milliseconds: 300)
    #expect(stuck == .failed(button: 0, error: error))
    chip.lines[0].edge(false)
    try await wait(for: .recovered(button: 0))
    controller.stop()
    #expect(log.all == [.down(button: 0), .hold(button: 0), .failed(button: 0, error: error), .up(button: 0), .recovered(button: 0)])
  }

  @Test("A button that is down at start-up tells nothing until it has been released once")
  func downAtStart() async throws {
    let chip = try FakeChip(1)
    chip.lines[0].change { $0.isDown = true }
    let controller = try controller(chip, timing: ButtonTiming(hold: 50, stuck: 600_000))
    try await waitForLooks(chip.lines[0])
    chip.lines[0].edge(false)
    // The look at the end of the debounce time.
    try await waitForLooks(chip.lines[0], atLeast: 4)
    chip.lines[0].edge(true)
    try await wait(for: .hold(button: 0))
    controller.stop()
    #expect(log.all == [.down(button: 0), .hold(button: 0)])
  }

  @Test("A release whose edge was lost is seen by the level, and a press whose edges do not wake by the next look")
  func lostEdges() async throws {
    let chip = try FakeChip(1)
    let controller = try controller(chip, timing: ButtonTiming(hold: 600_000, shortest: 0, stuck: 600_000, retry: 50))
    try await waitForLooks(chip.lines[0])
    chip.lines[0].state.withLock { $0.isDown = true }
    try await wait(for: .down(button: 0))
    chip.lines[0].change { $0.isDown = false }
    try await wait(for: .up(button: 0))
    controller.stop()
    #expect(log.all == [.down(button: 0), .press(button: 0), .up(button: 0)])
  }

  @Test("A reading that is interrupted is done again")
  func interrupted() async throws {
    let chip = try FakeChip(1)
    let controller = try controller(chip)
    for code in [EINTR, EAGAIN] {
      let looks = chip.lines[0].state.withLock { $0.looks }
      chip.lines[0].change { $0.failsToRead = code }
      try await waitForLooks(chip.lines[0], atLeast: looks + 1)
      chip.lines[0].change { $0.failsToRead = 0 }
    }
    chip.lines[0].edge(true)
    try await wait(for: .down(button: 0))
    controller.stop()
    #expect(log.all == [.down(button: 0)])
  }

  /// Each call with each errno that the kernel's "GPIO error codes" and the manual pages of open(2), ioctl(2) and read(2) have for it.
  private static let failures: [(call: String, code: Int32)] =
    [
      EACCES, EBUSY, EFAULT, EINTR, EINVAL, EIO, ELOOP, EMFILE, ENAMETOOLONG, ENFILE, ENODEV, ENOENT, ENOMEM, ENOTDIR, ENOTTY, ENXIO,
      EPERM,
    ].map { ("gpiod_chip_open", $0) }
    + [EBADF, EBUSY, EFAULT, EINTR, EINVAL, EIO, EMFILE, ENFILE, ENODEV, ENOENT, ENOMEM, ENOTSUP, ENOTTY, ENXIO, EPERM].map {
      ("gpiod_chip_request_lines", $0)
    }
    + [EBADF, EFAULT, EINVAL, EIO, ENODEV, ENOMEM, EOVERFLOW, EPERM].map { ("gpiod_line_request_read_edge_events", $0) }
    + [EAGAIN, EBADF, EBUSY, EFAULT, EINTR, EINVAL, EIO, ENODEV, ENOMEM, ENOTTY, EPERM].map { ("gpiod_line_request_get_value", $0) }

  @Test(
    "Whatever fails is told once, with what to do, while the other button goes on, and comes back by itself", arguments: failures.indices)
  func failure(_ index: Int) async throws {
    let (call, code) = Self.failures[index]
    let chip = try FakeChip(2)
    let button = chip.configurations[0]
    let expected: ButtonError
    switch call {
    case "gpiod_chip_open":
      expected = .chipUnavailable(button, errno: code)
      chip.lines[0].change { $0.failsToOpen = expected }
    case "gpiod_chip_request_lines":
      expected = .lineUnavailable(button, errno: code)
      chip.lines[0].change { $0.failsToOpen = expected }
    default:
      expected = .lineLost(button, SystemCallError(call: call, errno: code))
      chip.lines[0].change { state in
        if call == "gpiod_line_request_get_value" { state.failsToLook = code } else { state.failsToRead = code }
      }
    }
    #expect(expected.operation == call && expected.errno == code && expected.message.hasSuffix(".") && expected.message.contains(":"))
    let controller = try controller(chip, timing: ButtonTiming(retry: 20))
    #expect(try await eventually { chip.lines[0].state.withLock { $0.requests >= 3 } })
    try await waitForLooks(chip.lines[1])
    chip.lines[1].edge(true)
    try await wait(for: .down(button: 1))
    chip.lines[0].change { state in
      state.failsToOpen = nil
      (state.failsToRead, state.failsToLook) = (0, 0)
    }
    try await wait(for: .recovered(button: 0))
    chip.lines[0].edge(true)
    try await wait(for: .down(button: 0))
    controller.stop()
    let own = log.all.filter { if case .failed = $0 { true } else { $0 == .recovered(button: 0) } }
    #expect(own == [.failed(button: 0, error: expected), .recovered(button: 0)])
  }

  @Test("A line that is lost while the button is down ends the press without saying which")
  func lostWhileDown() async throws {
    let chip = try FakeChip(1)
    let controller = try controller(chip, timing: ButtonTiming(hold: 600_000, shortest: 0, stuck: 600_000, retry: 100))
    try await waitForLooks(chip.lines[0])
    chip.lines[0].edge(true)
    try await wait(for: .down(button: 0))
    chip.lines[0].change { $0.failsToLook = ENODEV }
    try await wait(for: .up(button: 0))
    // It is still down when it comes back: nobody pressed it anew.
    chip.lines[0].change { $0.failsToLook = 0 }
    try await wait(for: .recovered(button: 0))
    controller.stop()
    let error = ButtonError.lineLost(chip.configurations[0], SystemCallError(call: "gpiod_line_request_get_value", errno: ENODEV))
    #expect(log.all == [.down(button: 0), .up(button: 0), .failed(button: 0, error: error), .recovered(button: 0)])
  }

  @Test("A failure that becomes another one is told again")
  func otherFailure() async throws {
    let chip = try FakeChip(1)
    let button = chip.configurations[0]
    let (first, second) = (ButtonError.chipUnavailable(button, errno: ENOENT), ButtonError.lineUnavailable(button, errno: EBUSY))
    chip.lines[0].change { $0.failsToOpen = first }
    let controller = try controller(chip, timing: ButtonTiming(retry: 20))
    try await wait(for: .failed(button: 0, error: first))
    chip.lines[0].change { $0.failsToOpen = second }
    try await wait(for: .failed(button: 0, error: second))
    controller.stop()
    #expect(log.all.count == 2)
  }

  @Test("A line that fails is not asked for again before its time, however much the others have to tell")
  func patienceWithFailure() async throws {
    let chip = try FakeChip(2)
    chip.lines[0].change { $0.failsToOpen = .chipUnavailable(chip.configurations[0], errno: ENOENT) }
    let controller = try controller(chip)
    try await waitForLooks(chip.lines[1])
    for count in 2..<20 {
      chip.lines[1].change { _ in }
      try await waitForLooks(chip.lines[1], atLeast: count)
    }
    controller.stop()
    #expect(chip.lines[0].state.withLock { $0.requests } == 1)
  }

  @Test("Stopping ends within a second even where a driver hangs, and stopping again does no harm")
  func stopping() async throws {
    let log = log
    let hanging = try EventDescriptor()
    let controller = try ButtonController(
      buttons: [ButtonConfiguration(chip: "pi", line: 0)], timing: ButtonTiming(),
      open: { button throws(ButtonError) in
        hanging.wait()
        throw .chipUnavailable(button, errno: ENODEV)
      }, report: { log.append($0) })
    // Timed on the thread that stops: this one may be kept waiting by other tests.
    let took = try await blocking {
      let start = SystemClock.elapsedMilliseconds()
      controller.stop()
      return SystemClock.elapsedMilliseconds() - start
    }
    #expect(took >= 900)
    controller.stop()
    hanging.signal()
  }

  @Test("Without buttons there is nothing to tell")
  func none() throws {
    let log = log
    let controller = try ButtonController(buttons: []) { log.append($0) }
    controller.stop()
    #expect(log.all.isEmpty)
  }

  @Test(
    "A chip that does not exist is a reported failure, by label, name and path",
    arguments: ["no-such-label", "gpiochip4242", "/dev/no-such-chip", "/etc/hostname"])
  func noChip(_ chip: String) async throws {
    let log = log
    let controller = try ButtonController(buttons: [ButtonConfiguration(chip: chip, line: 1)]) { log.append($0) }
    let event = try await blocking { [log] in log.first { _ in true } }
    guard case .failed(0, let error) = event else {
      Issue.record("\(String(describing: event))")
      return
    }
    #expect(error.code == .chipUnavailable && error.errno > 0)
    controller.stop()
  }
}
