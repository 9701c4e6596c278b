import CGPIOD
import Glibc

/// An output line of a GPIO chip, through libgpiod.
final class GPIOOutputLine: OutputLine {
  private let calls: GPIOCalls
  private let chip: OpaquePointer
  private var line: reveille_gpio_output
  private let name: String

  /// Opens the chip and requests the line, inactive. Errors: `chipUnavailable`, `lineUnavailable`.
  init(_ configuration: OutputsConfiguration.GPIOLine, calls: GPIOCalls = GPIOCalls()) throws(OutputError) {
    name = configuration.description
    var chip: OpaquePointer?
    let opened = calls.openChip(configuration.chip, &chip)
    guard opened == 0, let chip else {
      throw OutputError(
        code: .chipUnavailable, operation: "gpiod_chip_open", errno: -opened,
        message: opened == -EACCES || opened == -EPERM
          ? "The GPIO chip \"\(configuration.chip)\" may not be opened: add the node's user to the group gpio."
          : "The GPIO chip \"\(configuration.chip)\" cannot be opened: compare its name with the output of `gpiodetect`.")
    }
    var line = reveille_gpio_output()
    let requested = calls.request(chip, configuration.offset, configuration.activeLow, &line)
    guard requested == 0 else {
      calls.closeChip(chip)
      throw OutputError(
        code: .lineUnavailable, operation: "gpiod_chip_request_lines", errno: -requested,
        message: requested == -EBUSY
          ? "The \(name) is in use: end the program that holds it (`gpioinfo` names it), or choose another line."
          : "The \(name) cannot be requested: check its number with `gpioinfo`.")
    }
    self.calls = calls
    self.chip = chip
    self.line = line
  }

  func set(_ level: OutputLevel) throws(OutputError) {
    let status = calls.set(&line, level != .off)
    guard status != 0 else { return }
    throw OutputError(
      code: .lineLost, operation: "gpiod_line_set_value", errno: -status,
      message: "The \(name) cannot be set: check that its chip is still there.")
  }

  func release() {
    // If this fails the chip is gone, or the failure that led here said so already.
    _ = calls.set(&line, false)
    calls.release(&line)
    calls.closeChip(chip)
  }
}
