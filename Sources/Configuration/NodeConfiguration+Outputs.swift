extension NodeConfiguration {
  /// What can sound.
  package struct Outputs: Sendable, Equatable {
    /// On by default; `nil` where the file says `speaker: false`.
    package var speaker: Speaker? = Speaker()
    package var buzzer: Buzzer?
  }

  /// A sound card.
  package struct Speaker: Sendable, Equatable {
    /// An ALSA PCM name.
    package var device = "default"
    /// The least level that the card's mixer has while it rings, 1…100 %; `nil`: the mixer is left alone.
    package var mixer: Int? = 70
  }

  /// A buzzer on a GPIO line.
  package struct Buzzer: Sendable, Equatable {
    /// The chip's label, name or path.
    package var chip: String
    /// The line's offset in the chip, 0…1023.
    package var line: Int
    package var activeLow = false
    /// Seconds of unanswered alerting after which it joins in, 0…3600; `nil`: only when nothing else sounds.
    package var after: Int?
  }
}
