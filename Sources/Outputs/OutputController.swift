import LinuxSupport
import Synchronization

/// What makes noise: the speaker, the buzzer, and the chain of fallbacks between them; and the light, which goes along with it.
///
/// The chain of a ring is: its sound on the speaker's device → the built-in tone there → the built-in tone on ALSA's `default` → the buzzer.
/// Without a speaker the buzzer sounds from the start. Without any output nothing is ever reported.
package final class OutputController: Sendable {
  private let library: SoundLibrary
  private let speaker: Worker<SpeakerLoop.Message>?
  private let buzzer: Worker<BuzzerLoop.Message>?
  private let light: Worker<LightLoop.Message>?
  private let state = Mutex(State())

  private struct State {
    var generation: UInt64 = 0
    var isStopped = false
  }

  /// Starts the threads of the configured outputs; they do nothing yet.
  ///
  /// - Parameter report: Called on those threads; it must only hand over.
  /// - Throws: `SystemCallError` if there are no descriptors or threads left.
  package convenience init(configuration: OutputsConfiguration, report: @escaping @Sendable (OutputReport) -> Void) throws(SystemCallError)
  {
    try self.init(
      configuration: configuration, timing: OutputTiming(),
      openDevice: { name, rate throws(OutputError) in try ALSADevice(name: name, rate: rate) },
      openLine: { line throws(OutputError) -> any OutputLine in
        switch line {
        case .gpio(let line): try GPIOOutputLine(line)
        case .pwm(let channel): try PWMOutputLine(channel)
        }
      }, report: report)
  }

  init(
    configuration: OutputsConfiguration, timing: OutputTiming, openDevice: @escaping PlaybackDeviceOpener,
    openLine: @escaping OutputLineOpener, report: @escaping @Sendable (OutputReport) -> Void
  ) throws(SystemCallError) {
    let library = SoundLibrary(directory: configuration.soundsDirectory)
    let ledger = RingLedger()
    self.library = library
    let lines = HeldLine.Surroundings(openLine: openLine, timing: timing, report: report)
    if let settings = configuration.buzzer {
      let mailbox = try Mailbox<BuzzerLoop.Message>()
      let surroundings = BuzzerLoop.Surroundings(
        speakerDevice: configuration.speaker?.device, ledger: ledger, line: lines)
      buzzer = try Worker(name: "buzzer", mailbox: mailbox) {
        BuzzerLoop(mailbox: mailbox, configuration: settings, surroundings: surroundings).run()
      }
    } else {
      buzzer = nil
    }
    if let settings = configuration.light {
      let mailbox = try Mailbox<LightLoop.Message>()
      light = try Worker(name: "light", mailbox: mailbox) {
        LightLoop(mailbox: mailbox, configuration: settings, surroundings: lines).run()
      }
    } else {
      light = nil
    }
    if let settings = configuration.speaker {
      let mailbox = try Mailbox<SpeakerLoop.Message>()
      let surroundings = SpeakerLoop.Surroundings(
        library: library, openDevice: openDevice, timing: timing, ledger: ledger, report: report, buzzer: buzzer?.mailbox)
      speaker = try Worker(name: "speaker", mailbox: mailbox) {
        SpeakerLoop(mailbox: mailbox, configuration: settings, surroundings: surroundings).run()
      }
    } else {
      speaker = nil
    }
  }

  deinit {
    speaker?.mailbox.post(.stop)
    buzzer?.mailbox.post(.stop)
    light?.mailbox.post(.stop)
  }

  /// Silences first: the lines of buzzer and light are requested, inactive, and held. A chip or card that is missing is reported and looked for again
  /// every 10 s.
  package func start() {
    send(speaker: .start, buzzer: .start, light: .start)
  }

  /// Sounds a ring in place of whatever sounds now. Never blocks.
  package func ring(_ request: RingRequest) {
    let now = SystemClock.elapsedMilliseconds()
    state.withLock { state in
      guard !state.isStopped else { return }
      state.generation += 1
      // Under the lock, so that both threads see the rings in one order.
      speaker?.mailbox.post(request.concerns(.speaker) ? .ring(request, generation: state.generation, at: now) : .silence)
      buzzer?.mailbox.post(.ring(request, generation: state.generation, at: now))
      light?.mailbox.post(.ring(request, at: now))
    }
  }

  /// Tells the light whether a countdown is running; it is on or blinks meanwhile, if so configured and nothing rings. Never blocks.
  package func setCountdown(_ isRunning: Bool) {
    let now = SystemClock.elapsedMilliseconds()
    state.withLock { state in
      guard !state.isStopped else { return }
      light?.mailbox.post(.countdown(isRunning, at: now))
    }
  }

  /// Tells which sounds alarms need, so that one that cannot be decoded is known before. They are looked at now and every 10 minutes, while
  /// nothing rings. Never blocks.
  package func check(sounds: Set<String>) { speaker?.mailbox.post(.check(sounds)) }

  /// Ends all sound, within 200 ms. Never blocks.
  package func silence() {
    send(speaker: .silence, buzzer: .silence, light: .silence)
  }

  /// Ends all sound, gives the outputs back and ends the threads; takes at most about a second. Nothing sounds afterwards.
  package func stop() {
    let isFirst = state.withLock { state in
      defer { state.isStopped = true }
      return !state.isStopped
    }
    guard isFirst else { return }
    speaker?.mailbox.post(.stop)
    buzzer?.mailbox.post(.stop)
    light?.mailbox.post(.stop)
    let deadline = SystemClock.elapsedMilliseconds() + 1_000
    buzzer?.join(until: deadline)
    light?.join(until: deadline)
    speaker?.join(until: deadline)
  }

  /// The names that a ring can ask for: built-in tones, then the files of the sounds directory. Reads the directory.
  package func soundNames() -> [String] { library.names() }

  /// Whether there is a sound of that name; reads the directory. A path is never known.
  package func isKnownSound(_ name: String) -> Bool { library.isKnown(name) }

  private func send(
    speaker speakerMessage: SpeakerLoop.Message, buzzer buzzerMessage: BuzzerLoop.Message, light lightMessage: LightLoop.Message
  ) {
    state.withLock { state in
      guard !state.isStopped else { return }
      speaker?.mailbox.post(speakerMessage)
      buzzer?.mailbox.post(buzzerMessage)
      light?.mailbox.post(lightMessage)
    }
  }
}
