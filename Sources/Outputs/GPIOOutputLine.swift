import CGPIOD
import Glibc

/// An output line of a GPIO chip, through libgpiod.
final class GPIOOutputLine: OutputLine {
  private let chip: OpaquePointer
  private var line: reveille_gpio_output
  private let name: String

  /// Opens the chip and requests the line, inactive. Errors: `chipUnavailable`, `lineUnavailable`.
  init(_ configuration: OutputsConfiguration.Buzzer) throws(OutputError) {
    name = configuration.description
    var chip: OpaquePointer?
    let opened = reveille_gpio_chip_open(configuration.chip, &chip)
    guard opened == 0, let chip else {
      throw OutputError(
        code: .chipUnavailable, operation: "gpiod_chip_open", errno: -opened,
        message: opened == -EACCES
          ? "The GPIO chip \"\(configuration.chip)\" may not be opened: add the node's user to the group gpio."
          : "The GPIO chip \"\(configuration.chip)\" cannot be opened: compare its name with the output of `gpiodetect`.")
    }
    var line = reveille_gpio_output()
    let requested = reveille_gpio_output_request(chip, configuration.line, configuration.activeLow, "reveille", &line)
    guard requested == 0 else {
      reveille_gpio_chip_close(chip)
      throw OutputError(
        code: .lineUnavailable, operation: "gpiod_chip_request_lines", errno: -requested,
        message: requested == -EBUSY
          ? "The \(name) is in use: end the program that holds it (`gpioinfo` names it), or choose another line."
          : "The \(name) cannot be requested: check its number with `gpioinfo`.")
    }
    self.chip = chip
    self.line = line
  }

  func set(active: Bool) throws(OutputError) {
    let status = reveille_gpio_output_set(&line, active)
    guard status != 0 else { return }
    throw OutputError(
      code: .lineLost, operation: "gpiod_line_set_value", errno: -status,
      message: "The \(name) cannot be set: check that its chip is still there.")
  }

  func release() {
    reveille_gpio_output_release(&line)
    reveille_gpio_chip_close(chip)
  }
}

extension OutputsConfiguration.Buzzer: CustomStringConvertible {
  package var description: String { "line \(line) of \(chip)" }
}
