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

  /// A line of a GPIO chip.
  package struct GPIOLine: Sendable, Hashable, CustomStringConvertible {
    /// The chip's label (`pinctrl-bcm2711`), name (`gpiochip0`) or path (`/dev/gpiochip0`).
    package var chip: String
    /// The line's offset on the chip.
    package var offset: UInt32
    /// Whether what is connected is on while the line is low. It then needs a pull-up resistor: nobody drives the line once the node has
    /// ended.
    package var activeLow: Bool

    package init(chip: String, offset: UInt32, activeLow: Bool = false) {
      self.chip = chip
      self.offset = offset
      self.activeLow = activeLow
    }

    package var description: String { "line \(offset) of \(chip)" }
  }

  /// A channel of a PWM chip.
  package struct PWMChannel: Sendable, Hashable, CustomStringConvertible {
    /// The chip's name (`pwmchip0`), path (`/sys/class/pwm/pwmchip0`), or its device's name (`1f00098000.pwm`).
    package var chip: String
    package var channel: UInt32

    package init(chip: String, channel: UInt32) {
      self.chip = chip
      self.channel = channel
    }

    package var description: String { "channel \(channel) of \(chip)" }
  }

  /// What an output hangs on.
  package enum Line: Sendable, Hashable, CustomStringConvertible {
    case gpio(GPIOLine)
    case pwm(PWMChannel)

    package var description: String {
      switch self {
      case .gpio(let line): line.description
      case .pwm(let channel): channel.description
      }
    }
  }

  /// A buzzer: an active one, with a tone of its own, on a GPIO line, or a passive one on a PWM channel.
  package struct Buzzer: Sendable, Hashable {
    package var line: Line
    /// A rhythm, or for a passive buzzer a melody.
    package var pattern: OutputPattern
    /// Seconds of ringing without an answer after which the buzzer joins the speaker; `nil` for never.
    package var after: Double?

    package init(line: Line, pattern: OutputPattern = .beep(), after: Double? = nil) {
      self.line = line
      self.pattern = pattern
      self.after = after
    }
  }

  /// A lamp, a vibration motor, a relay.
  package struct Light: Sendable, Hashable {
    package var line: GPIOLine
    /// What it does while something rings.
    package var alerting: OutputPattern
    /// What it does during a countdown, if nothing rings; `nil` for nothing.
    package var countdown: OutputPattern?

    package init(line: GPIOLine, alerting: OutputPattern = .blinking(every: 500), countdown: OutputPattern? = nil) {
      self.line = line
      self.alerting = alerting
      self.countdown = countdown
    }
  }

  package var speaker: Speaker?
  package var buzzer: Buzzer?
  package var light: Light?
  /// A directory of WAV, FLAC, Ogg, Opus and MP3 files; `nil` for the built-in tones alone.
  package var soundsDirectory: String?

  package init(speaker: Speaker? = nil, buzzer: Buzzer? = nil, light: Light? = nil, soundsDirectory: String? = nil) {
    self.speaker = speaker
    self.buzzer = buzzer
    self.light = light
    self.soundsDirectory = soundsDirectory
  }
}
