import Glibc
import Testing

@testable import Outputs

@Suite("Passive buzzer")
struct PWMTests {
  private func controller(
    _ pwm: FakePWM, notes: [(frequency: Double?, length: Double)] = [(440, 150), (880, 150), (nil, 100)],
    timing: OutputTiming = OutputTiming(), log: ReportLog
  ) throws -> OutputController {
    let buzzer = OutputsConfiguration.Buzzer(line: .pwm(.init(chip: "pwmchip0", channel: 0)), pattern: OutputPattern(notes: notes))
    return try OutputController(
      configuration: OutputsConfiguration(buzzer: buzzer), timing: timing, openDevice: FakeCards().open, openLine: pwm.open,
      report: { log.add($0) })
  }

  private func requestError(_ pwm: FakePWM, _ chip: String, channel: UInt32 = 0) -> OutputError? {
    do throws(OutputError) {
      _ = try pwm.line(chip, channel: channel)
      return nil
    } catch { return error }
  }

  private let request = RingRequest(ring: 3, sound: "default", volume: 50)

  @Test("A channel that nobody has used is exported, given a period, and silenced")
  func fresh() throws {
    let pwm = FakePWM()
    let line = try pwm.line()
    #expect(pwm.writes == ["export=0", "period=1000000", "duty_cycle=0", "enable=0"])
    #expect(pwm.isSilent)
    line.release()
    #expect(pwm.isSilent)
  }

  @Test("A channel that was left sounding is silenced before anything else")
  func afterCrash() throws {
    let pwm = FakePWM()
    try pwm.leaveSounding()
    #expect(pwm.tone == 2_000)
    _ = try pwm.line()
    #expect(pwm.writes == ["duty_cycle=0", "enable=0"])
    #expect(pwm.isSilent)
  }

  @Test("A tone sets the period before the duty, and a higher one first takes the duty away")
  func order() throws {
    let pwm = FakePWM()
    let line = try pwm.line()
    func writes(_ level: OutputLevel) throws -> [String] {
      pwm.forgetWrites()
      try line.set(level)
      return pwm.writes
    }
    #expect(try writes(.tone(440)) == ["period=2272727", "duty_cycle=1136363", "enable=1"])
    #expect(abs((pwm.tone ?? 0) - 440) < 0.01)
    #expect(try writes(.tone(1_000)) == ["duty_cycle=0", "period=1000000", "duty_cycle=500000"])
    #expect(try writes(.tone(500)) == ["period=2000000", "duty_cycle=1000000"])
    #expect(try writes(.off) == ["duty_cycle=0", "enable=0"])
    #expect(pwm.isSilent)
    #expect(try writes(.tone(500)) == ["duty_cycle=1000000", "enable=1"])
    #expect(try writes(.on) == ["duty_cycle=0", "period=500000", "duty_cycle=250000"])
    for odd in [0, -1, .infinity, .nan, 1e300] as [Double] { try line.set(.tone(odd)) }
    pwm.forgetWrites()
    line.release()
    #expect(pwm.writes == ["duty_cycle=0", "enable=0"])
  }

  @Test("A chip is found by name, path, and its device's name; others are an error that says so")
  func chips() throws {
    let pwm = FakePWM()
    for chip in ["pwmchip0", "\(pwm.root)/pwmchip0", "1f00098000.pwm"] {
      try pwm.line(chip, channel: 1).release()
      #expect(pwm.writes.last == "enable=0")
      pwm.forgetWrites()
    }
    for chip in ["pwmchip7", "/sys/no-such-chip", "fe20c000.pwm", ""] {
      let error = requestError(pwm, chip)
      #expect(error?.code == .chipUnavailable && error?.errno == ENOENT)
    }
    let error = requestError(pwm, "pwmchip0", channel: 2)
    #expect(error?.code == .lineUnavailable && error?.errno == ENODEV)
    #expect(pwm.writes.isEmpty)
  }

  @Test("It is silent from the start, plays its notes over and over, and is silent after silence and after stop")
  func melody() async throws {
    let pwm = FakePWM()
    try pwm.leaveSounding()
    let log = ReportLog()
    let controller = try controller(pwm, log: log)
    controller.start()
    #expect(try await eventually { pwm.isSilent })
    pwm.forgetWrites()
    controller.ring(request)
    let result = await log.sounding(3)?.results
    #expect(result == [OutputResult(output: .buzzer, detail: "channel 0 of pwmchip0", sound: "buzzer")])
    let tones: Set = ["period=2272727", "period=1136364"]
    // A busy machine may skip a note, but none is played that is not in the tune; their order is the pattern's affair.
    #expect(
      try await eventually {
        let writes = pwm.writes
        return writes.count { $0 == "enable=0" } >= 2 && tones.isSubset(of: writes)
      })
    controller.silence()
    #expect(try await eventually { pwm.isSilent })
    #expect(Set(pwm.writes.filter { $0.hasPrefix("period=") }) == tones)
    controller.ring(request)
    #expect(try await eventually { pwm.tone != nil })
    controller.stop()
    #expect(pwm.isSilent)
    #expect(log.all.count == 2)
  }

  @Test("Access that udev gives a moment after the export is waited for, and a ring meanwhile is told once it sounds")
  func lateAccess() async throws {
    let pwm = FakePWM()
    pwm.state.withLock { $0.denials = 4 }
    let log = ReportLog()
    // Longer than a busy machine keeps a thread waiting.
    let controller = try controller(pwm, timing: OutputTiming(accessGrace: 30_000), log: log)
    controller.start()
    controller.ring(request)
    #expect(await log.sounding(3)?.results.map(\.ok) == [true])
    #expect(try await eventually { pwm.tone != nil })
    controller.stop()
    #expect(log.all.count == 1)
  }

  @Test("Access that stays denied is reported after a while, once")
  func noAccess() async throws {
    let pwm = FakePWM()
    pwm.state.withLock { $0.denials = .max }
    let log = ReportLog()
    let controller = try controller(pwm, timing: OutputTiming(retry: 50, urgentRetry: 50, accessGrace: 300, accessRetry: 20), log: log)
    controller.ring(request)
    #expect(await log.sounding(3)?.results.map(\.error?.code) == [.accessDenied])
    let denials = pwm.state.withLock { $0.denials }
    #expect(try await eventually { pwm.state.withLock { $0.denials } < denials - 8 })
    pwm.state.withLock { $0.denials = 0 }
    #expect(await log.first { $0 == .recovered(output: .buzzer) } != nil)
    controller.stop()
    #expect(log.all.count == 3)
  }

  @Test("A chip that goes away while it sounds is reported and used again when it is back")
  func unplugged() async throws {
    let pwm = FakePWM()
    let log = ReportLog()
    let controller = try controller(pwm, timing: OutputTiming(retry: 50, urgentRetry: 50), log: log)
    controller.start()
    controller.ring(request)
    #expect(try await eventually { pwm.tone != nil })
    pwm.state.withLock { $0.isGone = true }
    #expect(await log.failure(.buzzer, .lineLost) != nil)
    #expect(await log.failure(.buzzer, .chipUnavailable) != nil)
    pwm.state.withLock { $0.isGone = false }
    #expect(await log.first { $0 == .recovered(output: .buzzer) } != nil)
    #expect(try await eventually { pwm.tone != nil })
    controller.stop()
    #expect(pwm.isSilent)
  }
}
