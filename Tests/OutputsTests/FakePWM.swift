import Glibc
import LinuxSupport
import Synchronization

@testable import Outputs

/// A directory that imitates /sys/class/pwm with one chip of two channels. It has the kernel's rules and says no as the kernel does, remembers
/// every write in order, and fails on demand.
final class FakePWM: Sendable {
  struct State {
    /// What was written and taken, as `period=1000`.
    var writes: [String] = []
    /// The errno that writing (or, as `read`, reading) an attribute leaves.
    var failures: [String: Int32] = [:]
    /// So many writes to a channel are denied, as before udev has given access.
    var denials = 0
    /// Whether the chip is unplugged.
    var isGone = false
  }

  let state = Mutex(State())
  let root: String

  init() {
    var template = Array("/tmp/reveille-pwm-XXXXXX".utf8CString)
    mkdtemp(&template)
    root = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    mkdir("\(root)/pwmchip0", 0o755)
    symlink("../../devices/platform/soc/1f00098000.pwm", "\(root)/pwmchip0/device")
  }

  deinit {
    for channel in 0..<2 {
      for attribute in ["period", "duty_cycle", "enable"] { unlink("\(root)/pwmchip0/pwm\(channel)/\(attribute)") }
      rmdir("\(root)/pwmchip0/pwm\(channel)")
    }
    for file in ["export", "device"] { unlink("\(root)/pwmchip0/\(file)") }
    rmdir("\(root)/pwmchip0")
    rmdir(root)
  }

  var writes: [String] { state.withLock { $0.writes } }
  /// The hertz of a channel's square wave; `nil` while it is disabled.
  var tone: Double? {
    let state = (attribute("period"), attribute("duty_cycle"), attribute("enable"))
    guard state.2 == "1", let period = Double(state.0), state.1 == "\(Int64(period) / 2)" else { return nil }
    return 1e9 / period
  }
  /// Whether channel 0 is disabled with a duty of 0, or does not exist yet.
  var isSilent: Bool { ["", "0"].contains(attribute("duty_cycle")) && ["", "0"].contains(attribute("enable")) }

  func attribute(_ name: String) -> String { (try? SysfsCalls().read("\(root)/pwmchip0/pwm0/\(name)")) ?? "" }

  func forgetWrites() { state.withLock { $0.writes = [] } }
  func fail(_ attribute: String, with errno: Int32?) { state.withLock { $0.failures[attribute] = errno } }

  /// Channel 0 as a process that was killed left it.
  func leaveSounding() throws {
    try makeChannel(0)
    for (name, value) in [("period", "500000"), ("duty_cycle", "250000"), ("enable", "1")] {
      try SysfsCalls().write("\(root)/pwmchip0/pwm0/\(name)", value)
    }
  }

  func line(_ chip: String = "pwmchip0", channel: UInt32 = 0) throws(OutputError) -> PWMOutputLine {
    try PWMOutputLine(.init(chip: chip, channel: channel), root: root, calls: calls)
  }

  @Sendable func open(_ line: OutputsConfiguration.Line) throws(OutputError) -> any OutputLine {
    guard case .pwm(let channel) = line else { return FakeLine() }
    return try PWMOutputLine(channel, root: root, calls: calls)
  }

  var calls: SysfsCalls {
    var calls = SysfsCalls()
    calls.read = { [self] path throws(SystemCallError) in
      if let code = state.withLock({ $0.isGone ? ENODEV : $0.failures["read"] }) { throw SystemCallError(call: "read", errno: code) }
      return try SysfsCalls().read(path)
    }
    calls.exists = { [self] path in !state.withLock { $0.isGone } && SysfsCalls().exists(path) }
    calls.write = { [self] path, text throws(SystemCallError) in
      let attribute = path.split(separator: "/").last.map(String.init) ?? ""
      let code: Int32? = state.withLock { state in
        if state.isGone { return ENODEV }
        if attribute != "export", state.denials > 0 {
          state.denials -= 1
          return EACCES
        }
        return state.failures[attribute] ?? objection(attribute, Int64(text) ?? -1, path: path)
      }
      if let code { throw SystemCallError(call: "write", errno: code) }
      if attribute == "export" { try makeChannel(Int(text) ?? 0) } else { try SysfsCalls().write(path, text) }
      state.withLock { $0.writes.append("\(attribute)=\(text)") }
    }
    return calls
  }

  /// The kernel's own objection: drivers/pwm/core.c refuses any state without a period or with a duty longer than it.
  private func objection(_ attribute: String, _ value: Int64, path: String) -> Int32? {
    guard value >= 0 else { return EINVAL }
    func current(_ name: String) -> Int64 {
      let directory = path.split(separator: "/").dropLast().joined(separator: "/")
      return (try? SysfsCalls().read("/\(directory)/\(name)")).flatMap { Int64($0) } ?? 0
    }
    switch attribute {
    case "export": return value > 1 ? ENODEV : SysfsCalls().exists("\(root)/pwmchip0/pwm\(value)") ? EBUSY : nil
    case "period": return value == 0 || value < current("duty_cycle") ? EINVAL : nil
    case "duty_cycle": return current("period") == 0 || value > current("period") ? EINVAL : nil
    default: return current("period") == 0 || value > 1 ? EINVAL : nil
    }
  }

  private func makeChannel(_ channel: Int) throws(SystemCallError) {
    let directory = "\(root)/pwmchip0/pwm\(channel)"
    mkdir(directory, 0o755)
    for name in ["period", "duty_cycle", "enable"] {
      close(creat("\(directory)/\(name)", 0o644))
      try SysfsCalls().write("\(directory)/\(name)", "0\n")
    }
  }
}
