extension NodeConfiguration {
  /// What can sound or shine.
  package struct Outputs: Sendable, Equatable {
    /// On by default; `nil` where the file says `speaker: false`.
    package var speaker: Speaker? = Speaker()
    package var buzzer: Buzzer?
    package var light: Light?
  }

  /// A sound card.
  package struct Speaker: Sendable, Equatable {
    /// An ALSA PCM name.
    package var device = "default"
    /// The least level that the card's mixer has while it rings, 1…100 %; `nil`: the mixer is left alone.
    package var mixer: Int? = 70
  }

  /// An output line of a GPIO chip.
  package struct OutputLine: Sendable, Equatable {
    /// The chip's label, name or path.
    package var chip: String
    /// The line's offset in the chip, 0…1023.
    package var line: Int
    package var activeLow = false
  }

  package struct Buzzer: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
      /// It has a tone of its own; `tick`: milliseconds of each digit of the pattern, 20…2000.
      case active(OutputLine, pattern: Pattern = .beep, tick: Int = 100)
      /// It needs a tone: a channel of a PWM chip, by the chip's name, path or device name.
      case passive(pwm: String, channel: Int, melody: Melody = .standard)
    }

    package enum Pattern: Sendable, Equatable {
      case beep
      case urgent
      /// 1 to 64 of the characters 1 and 0, at least one 1.
      case digits(String)
    }

    package var kind: Kind
    /// Seconds of unanswered alerting after which it joins in, 0…3600; `nil`: only when nothing else sounds.
    package var after: Int?
  }

  /// A lamp, a vibration motor, a relay.
  package struct Light: Sendable, Equatable {
    package enum Alerting: String, Sendable, CaseIterable {
      case on, blink
    }

    package enum Countdown: String, Sendable, CaseIterable {
      case off, on, blink
    }

    package var line: OutputLine
    package var alerting = Alerting.blink
    package var countdown = Countdown.off
  }
}
