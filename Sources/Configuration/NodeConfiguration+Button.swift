extension NodeConfiguration {
  /// A push button on a GPIO line. It has a `press` or a `hold`, or both.
  package struct Button: Sendable, Equatable {
    package enum Action: String, Sendable, CaseIterable {
      case snooze, stop, pause, resume
    }

    package enum Bias: String, Sendable, CaseIterable {
      case pullUp = "pull_up"
      case pullDown = "pull_down"
      case disabled
      case asIs = "as_is"
    }

    /// The chip's label, name or path.
    package var chip: String
    /// The line's offset in the chip, 0…1023.
    package var line: Int
    package var press: Action?
    package var hold: Action?
    /// The default is a button between the line and ground.
    package var activeLow = true
    /// By default towards the released level: up if active low, else down.
    package var bias = Bias.pullUp
  }
}
