/// A push button on a GPIO line.
package struct ButtonConfiguration: Sendable, Hashable, CustomStringConvertible {
  /// The resistor inside the chip that holds the line while nothing drives it.
  package enum Bias: Sendable, Hashable {
    case pullUp, pullDown, disabled
    /// Whatever was set before.
    case asIs
  }

  /// The GPIO chip's label (`pinctrl-bcm2711`), name (`gpiochip0`) or path (`/dev/gpiochip0`).
  package var chip: String
  /// The line's offset on the chip.
  package var line: UInt32
  /// Whether the line is low while the button is down.
  package var activeLow: Bool
  package var bias: Bias
  /// Milliseconds for which the contact bounces, at most.
  package var debounce: Int64

  package init(chip: String, line: UInt32, activeLow: Bool = true, bias: Bias = .pullUp, debounce: Int64 = 30) {
    self.chip = chip
    self.line = line
    self.activeLow = activeLow
    self.bias = bias
    self.debounce = debounce
  }

  package var description: String { "line \(line) of \(chip)" }
}
