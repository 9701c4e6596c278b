extension NodeConfiguration {
  /// A push button on a GPIO line. It has a `press`, a `hold` or an `idle` other than `none`.
  package struct Button: Sendable, Equatable {
    /// What a button does.
    package enum Action: Sendable, Equatable {
      case operation(Operation)
      /// A message to be published.
      case message(topic: String, payload: String)

      /// The word for it: an operation's, or `message`.
      package var rawValue: String {
        switch self {
        case .operation(let operation): operation.rawValue
        case .message: "message"
        }
      }
    }

    package enum Operation: String, Sendable, CaseIterable {
      case snooze, stop, pause, resume
    }

    /// What a press does while there is nothing for it to do.
    package enum Idle: Sendable, Equatable {
      case none
      /// A short sound.
      case chime
      /// A short light.
      case light
      /// A message to be published.
      case message(topic: String, payload: String)

      /// The word for it.
      package var word: String {
        switch self {
        case .none: "none"
        case .chime: "chime"
        case .light: "light"
        case .message: "message"
        }
      }
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
    package var idle = Idle.none
    /// Milliseconds for which its contact bounces at most, 5…200.
    package var debounce = 30
    /// The default is a button between the line and ground.
    package var activeLow = true
    /// By default towards the released level: up if active low, else down.
    package var bias = Bias.pullUp
  }
}
