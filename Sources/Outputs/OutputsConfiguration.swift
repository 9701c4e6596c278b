/// Which outputs the node has, and where its sounds lie.
package struct OutputsConfiguration: Sendable, Hashable {
  /// A sound card.
  package struct Speaker: Sendable, Hashable {
    /// Any ALSA PCM name: `default`, `plughw:CARD=Device`, a name from asound.conf.
    package var device: String
    /// The least level, in percent, that the card's mixer has while it rings; `nil`: the mixer is left alone.
    package var mixer: Int?

    package init(device: String, mixer: Int? = nil) {
      self.device = device
      self.mixer = mixer
    }
  }

  /// An active buzzer: it sounds while its line is active.
  package struct Buzzer: Sendable, Hashable {
    /// The GPIO chip's label (`pinctrl-bcm2711`), name (`gpiochip0`) or path (`/dev/gpiochip0`).
    package var chip: String
    /// The line's offset on the chip.
    package var line: UInt32
    /// Whether the buzzer sounds while the line is low. It then needs a pull-up resistor: nobody drives the line once the node has ended.
    package var activeLow: Bool
    /// Seconds of ringing without an answer after which the buzzer joins the speaker; `nil` for never.
    package var after: Double?

    package init(chip: String, line: UInt32, activeLow: Bool = false, after: Double? = nil) {
      self.chip = chip
      self.line = line
      self.activeLow = activeLow
      self.after = after
    }
  }

  package var speaker: Speaker?
  package var buzzer: Buzzer?
  /// A directory of WAV, FLAC, Ogg, Opus and MP3 files; `nil` for the built-in tones alone.
  package var soundsDirectory: String?

  package init(speaker: Speaker? = nil, buzzer: Buzzer? = nil, soundsDirectory: String? = nil) {
    self.speaker = speaker
    self.buzzer = buzzer
    self.soundsDirectory = soundsDirectory
  }
}
