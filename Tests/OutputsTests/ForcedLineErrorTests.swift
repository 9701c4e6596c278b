import Glibc
import Synchronization
import Testing

@testable import Outputs

/// What gpio(4)'s ioctls, open(2), write(2) and the PWM drivers leave.
private let errnos = [
  EPERM, ENOENT, EIO, ENXIO, EAGAIN, ENOMEM, EACCES, EBUSY, ENODEV, EINVAL, ENFILE, EMFILE, ENOTTY, ENOSPC, ERANGE, EOPNOTSUPP, ETIMEDOUT,
]

/// The calls of libgpiod on a chip that is not there, one of which fails.
private final class FailingGPIO: Sendable {
  enum Call: CaseIterable, Sendable { case openChip, request, set }

  struct State {
    var failure: (call: Call, errno: Int32)?
    var isActive = false
    var openChips = 0
    var heldLines = 0
  }

  let state = Mutex(State())

  @Sendable func open(_ line: OutputsConfiguration.Line) throws(OutputError) -> any OutputLine {
    guard case .gpio(let line) = line else { return FakeLine() }
    return try GPIOOutputLine(line, calls: calls)
  }

  private func status(_ call: Call) -> Int32 { state.withLock { $0.failure?.call == call ? -($0.failure?.errno ?? 0) : 0 } }

  private var calls: GPIOCalls {
    var calls = GPIOCalls()
    calls.openChip = { [self] _, chip in
      guard status(.openChip) == 0 else { return status(.openChip) }
      chip = OpaquePointer(bitPattern: 16)
      state.withLock { $0.openChips += 1 }
      return 0
    }
    calls.request = { [self] _, _, _, _ in
      guard status(.request) == 0 else { return status(.request) }
      state.withLock { $0.heldLines += 1 }
      return 0
    }
    calls.set = { [self] _, active in
      guard status(.set) == 0 else { return status(.set) }
      state.withLock { $0.isActive = active }
      return 0
    }
    calls.release = { [self] _ in state.withLock { $0.heldLines -= 1 } }
    calls.closeChip = { [self] _ in state.withLock { $0.openChips -= 1 } }
    return calls
  }
}

@Suite("Every GPIO and PWM call made to fail", .serialized)
struct ForcedLineErrorTests {
  private let timing = OutputTiming(retry: 20, urgentRetry: 20, accessGrace: 40, accessRetry: 10)
  private let log = ReportLog()

  private func controller(_ configuration: OutputsConfiguration, _ open: @escaping OutputLineOpener) throws -> OutputController {
    try OutputController(
      configuration: configuration, timing: timing, openDevice: FakeCards().open, openLine: open, report: { [log] in log.add($0) })
  }

  /// The first failure told.
  private func failure(of output: OutputKind) async -> OutputError? {
    let report = await log.first { if case .failed(output, _) = $0 { true } else { false } }
    guard case .failed(_, let error) = report else { return nil }
    return error
  }

  private let request = RingRequest(ring: 2, sound: "default", volume: 50)

  @Test(
    "A GPIO call that fails is reported with its errno and tried again until it works, for buzzer and light",
    arguments: FailingGPIO.Call.allCases, errnos)
  private func gpio(_ call: FailingGPIO.Call, errno: Int32) async throws {
    for output in [OutputKind.buzzer, .light] {
      let gpio = FailingGPIO()
      gpio.state.withLock { $0.failure = (call, errno) }
      let line = OutputsConfiguration.GPIOLine(chip: "pi", offset: 4)
      let controller = try controller(
        output == .buzzer ? .init(buzzer: .init(line: .gpio(line))) : .init(light: .init(line: line)), gpio.open)
      controller.start()
      controller.ring(request)
      let error = await failure(of: output)
      let codes: [FailingGPIO.Call: OutputError.Code] = [.openChip: .chipUnavailable, .request: .lineUnavailable, .set: .lineLost]
      #expect(error?.code == codes[call] && error?.errno == errno)
      #expect(error?.message.hasSuffix(".") == true)
      gpio.state.withLock { $0.failure = nil }
      #expect(await log.first { $0 == .recovered(output: output) } != nil)
      #expect(try await eventually { gpio.state.withLock { $0.isActive } })
      // It fails again in the midst, and when it is switched off.
      gpio.state.withLock { $0.failure = (call, errno) }
      controller.silence()
      controller.stop()
      let left = gpio.state.withLock { ($0.openChips, $0.heldLines) }
      #expect(left == (0, 0))
    }
  }

  @Test(
    "A PWM call that fails is reported with its errno and tried again until it works",
    arguments: ["export", "read", "period", "duty_cycle", "enable"], errnos)
  func pwm(_ call: String, errno: Int32) async throws {
    let pwm = FakePWM()
    pwm.fail(call, with: errno)
    let pattern = OutputPattern(notes: [(440, 100), (nil, 50)])
    let controller = try controller(.init(buzzer: .init(line: .pwm(.init(chip: "pwmchip0", channel: 0)), pattern: pattern)), pwm.open)
    controller.start()
    controller.ring(request)
    let error = await failure(of: .buzzer)
    #expect(error?.code == (errno == EACCES || errno == EPERM ? .accessDenied : .lineUnavailable))
    #expect(error?.errno == errno)
    pwm.fail(call, with: nil)
    #expect(await log.first { $0 == .recovered(output: .buzzer) } != nil)
    #expect(try await eventually { pwm.tone != nil })
    controller.stop()
    #expect(pwm.isSilent)
  }

  @Test(
    "A PWM call that fails while it sounds is reported and tried again; what can be silenced is",
    arguments: ["period", "duty_cycle", "enable"], errnos)
  func pwmSounding(_ call: String, errno: Int32) async throws {
    let pwm = FakePWM()
    let pattern = OutputPattern(notes: [(440, 30), (880, 30), (nil, 30)])
    let controller = try controller(.init(buzzer: .init(line: .pwm(.init(chip: "pwmchip0", channel: 0)), pattern: pattern)), pwm.open)
    controller.start()
    controller.ring(request)
    #expect(try await eventually { pwm.tone != nil })
    pwm.fail(call, with: errno)
    let error = await failure(of: .buzzer)
    #expect(error?.code == .lineLost && error?.errno == errno)
    // Any one of the two makes it silent.
    controller.silence()
    #expect(try await eventually { pwm.tone == nil })
    pwm.fail(call, with: nil)
    #expect(await log.first { $0 == .recovered(output: .buzzer) } != nil)
    controller.ring(request)
    #expect(try await eventually { pwm.tone != nil })
    controller.stop()
    #expect(pwm.isSilent)
  }
}
