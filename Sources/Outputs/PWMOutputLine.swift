import Glibc
import LinuxSupport

/// A channel of a PWM chip, through sysfs: a tone is a square wave of 50 % duty, off is disabled with a duty of 0.
///
/// Source of the rules: the kernel's Documentation/ABI/testing/sysfs-class-pwm and drivers/pwm. The channel stays exported, so that the
/// next start finds it with its access rights; its polarity is left as it is.
final class PWMOutputLine: OutputLine {
  /// The tone where none is asked for: most piezo discs are loud there.
  private static let plainTone = 2_000.0
  /// Nanoseconds, for a channel that never had a period: the kernel takes nothing else before.
  private static let firstPeriod: Int64 = 1_000_000

  private let name: String
  /// The channel's directory.
  private let path: String
  private let calls: SysfsCalls
  /// Nanoseconds, as the kernel has them.
  private var (period, duty): (Int64, Int64)
  private var isEnabled = false

  /// Exports the channel if nobody has, and silences it. Never waits.
  ///
  /// Errors: `chipUnavailable`, `lineUnavailable`, and `accessDenied`, which udev may lift a moment after the export.
  init(_ configuration: OutputsConfiguration.PWMChannel, root: String = "/sys/class/pwm", calls: SysfsCalls = SysfsCalls())
    throws(OutputError)
  {
    name = configuration.description
    self.calls = calls
    guard let chip = Self.chip(configuration.chip, root: root, calls: calls) else {
      throw OutputError(
        code: .chipUnavailable, operation: "access", errno: ENOENT,
        message:
          "There is no PWM chip \"\(configuration.chip)\": switch PWM on (dtoverlay=pwm in config.txt), and compare with `ls -l \(root)`.")
    }
    path = "\(chip)/pwm\(configuration.channel)"
    (period, duty) = (0, 0)
    if !calls.exists(path) { try export(configuration.channel, of: chip) }
    do throws(SystemCallError) {
      period = Int64(try calls.read("\(path)/period")) ?? 0
      if period <= 0 { try write("period", Self.firstPeriod) }
      try silence()
    } catch {
      throw unavailable(error, "The \(name) cannot be silenced: check that its chip is still there.")
    }
  }

  func set(_ level: OutputLevel) throws(OutputError) {
    do throws(SystemCallError) {
      switch level {
      case .off: try silence()
      case .on: try sound(Self.plainTone)
      case .tone(let frequency): try sound(frequency)
      }
    } catch {
      throw OutputError(
        code: .lineLost, operation: error.call, errno: error.errno,
        message: error.errno == EINVAL
          ? "The \(name) does not take the tone: choose a melody of another octave."
          : "The \(name) cannot be set: check that its chip is still there.")
    }
  }

  func release() {
    // If this fails the chip is gone, or the failure that led here said so already.
    do throws(SystemCallError) { try silence() } catch {}
  }

  /// The directory of a chip by path, name, or the name of its device such as `1f00098000.pwm`.
  private static func chip(_ designation: String, root: String, calls: SysfsCalls) -> String? {
    if designation.contains("/") { return calls.exists(designation) ? designation : nil }
    if designation.hasPrefix("pwmchip") { return calls.exists("\(root)/\(designation)") ? "\(root)/\(designation)" : nil }
    return calls.names(root).first { calls.linkTarget("\(root)/\($0)/device") == designation }.map { "\(root)/\($0)" }
  }

  private func export(_ channel: UInt32, of chip: String) throws(OutputError) {
    do throws(SystemCallError) { try calls.write("\(chip)/export", "\(channel)") } catch {
      // EBUSY also tells that somebody was faster, which is as good.
      if error.errno == EBUSY, calls.exists(path) { return }
      throw unavailable(
        error,
        error.errno == EBUSY
          ? "The \(name) is in use by a driver: choose another channel, or take out what uses it."
          : "The \(name) cannot be exported: compare its number with \(chip)/npwm.")
    }
  }

  private func unavailable(_ error: SystemCallError, _ message: String) -> OutputError {
    // EROFS is how a service without access to /sys finds it.
    let isDenied = [EACCES, EPERM, EROFS].contains(error.errno)
    return OutputError(
      code: isDenied ? .accessDenied : .lineUnavailable, operation: error.call, errno: error.errno,
      message: isDenied
        ? "The files of the \(name) may not be written: add the node's user to the group gpio, which udev gives them to, and let its service write below /sys."
        : message)
  }

  private func sound(_ frequency: Double) throws(SystemCallError) {
    // Within 1 Hz and 1 GHz, so that any number can be converted, NaN too.
    let wanted = Int64((1e9 / (frequency >= 1 ? min(frequency, 1e9) : 1)).rounded())
    if wanted != period {
      // A duty may at no moment be longer than the period.
      if wanted < period, duty > 0 { try write("duty_cycle", 0) }
      try write("period", wanted)
    }
    if duty != wanted / 2 { try write("duty_cycle", wanted / 2) }
    if !isEnabled {
      try calls.write("\(path)/enable", "1")
      isEnabled = true
    }
  }

  /// Duty first: some drivers hold the level at which they are disabled. What fails does not keep the rest from being tried.
  private func silence() throws(SystemCallError) {
    isEnabled = false
    var failure: SystemCallError?
    do throws(SystemCallError) { try write("duty_cycle", 0) } catch { failure = error }
    do throws(SystemCallError) { try calls.write("\(path)/enable", "0") } catch { failure = failure ?? error }
    if let failure { throw failure }
  }

  private func write(_ attribute: String, _ nanoseconds: Int64) throws(SystemCallError) {
    try calls.write("\(path)/\(attribute)", "\(nanoseconds)")
    if attribute == "period" { period = nanoseconds } else { duty = nanoseconds }
  }
}
