import Glibc
import LinuxSupport

/// A failure of a button.
package struct ButtonError: Error, Hashable, CustomStringConvertible {
  /// What kind of failure; the raw values are stable.
  package enum Code: String, Sendable, Hashable {
    /// The GPIO chip cannot be opened.
    case chipUnavailable = "chip_unavailable"
    /// The line cannot be requested.
    case lineUnavailable = "line_unavailable"
    /// The line could not be read.
    case lineLost = "line_lost"
    /// The button has been down for 30 s.
    case buttonStuck = "button_stuck"
  }

  package let code: Code
  /// The C function that failed; empty for `buttonStuck`.
  package let operation: String
  /// The `errno` it left; 0 for `buttonStuck`.
  package let errno: Int32
  /// A sentence that says what to do.
  package let message: String

  package var description: String {
    let reason = errno == 0 ? "" : " [\(operation): \(String(cString: strerror(errno))) (errno \(errno))]"
    return "\(code.rawValue): \(message)\(reason)"
  }

  static func chipUnavailable(_ button: ButtonConfiguration, errno: Int32) -> ButtonError {
    ButtonError(
      code: .chipUnavailable, operation: "gpiod_chip_open", errno: errno,
      message: errno == EACCES || errno == EPERM
        ? "The GPIO chip \"\(button.chip)\" may not be opened: add the node's user to the group gpio."
        : "The GPIO chip \"\(button.chip)\" cannot be opened: compare its name with the output of `gpiodetect`.")
  }

  static func lineUnavailable(_ button: ButtonConfiguration, errno: Int32) -> ButtonError {
    let advice =
      switch errno {
      case EBUSY: "The button's \(button) is in use: end the program that holds it (`gpioinfo` names it), or choose another line."
      case ENXIO: "The button's \(button) cannot tell its edges: choose a line that can interrupt."
      default: "The button's \(button) cannot be requested: check its number with `gpioinfo`, and whether the chip knows the bias."
      }
    return ButtonError(code: .lineUnavailable, operation: "gpiod_chip_request_lines", errno: errno, message: advice)
  }

  static func lineLost(_ button: ButtonConfiguration, _ error: SystemCallError) -> ButtonError {
    ButtonError(
      code: .lineLost, operation: error.call, errno: error.errno,
      message: "The button's \(button) cannot be read: check that its chip is still there.")
  }

  static func stuck(_ button: ButtonConfiguration, milliseconds: Int64) -> ButtonError {
    ButtonError(
      code: .buttonStuck, operation: "", errno: 0,
      message:
        "The button on \(button) has been down for \(milliseconds / 1_000) s: check for something that lies on it, its wiring, and active_low."
    )
  }
}
