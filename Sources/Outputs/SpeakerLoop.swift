import LinuxSupport

/// The speaker's thread: plays the chain's first step that works, and looks for a better one meanwhile.
///
/// Confined to its thread; others reach it by its mailbox.
final class SpeakerLoop {
  enum Message: Sendable {
    case start
    case ring(RingRequest, generation: UInt64, at: Int64)
    /// The sounds that alarms need.
    case check(Set<String>)
    case silence
    case stop
  }

  /// What the speaker needs of its surroundings.
  struct Surroundings: Sendable {
    var library: SoundLibrary
    var openDevice: PlaybackDeviceOpener
    var timing: OutputTiming
    var ledger: RingLedger
    var report: @Sendable (OutputReport) -> Void
    /// The buzzer's mailbox; `nil` without a buzzer.
    var buzzer: Mailbox<BuzzerLoop.Message>?
  }

  private let mailbox: Mailbox<Message>
  private let configuration: OutputsConfiguration.Speaker
  private var deviceName: String { configuration.device }
  private let around: Surroundings
  private var session: SpeakerSession?
  /// Whether the last report of this output was a failure.
  private var isFailing = false
  /// When the idle device is opened for a test.
  private var probeAt: Int64?
  private var probeError: OutputError?
  private var neededSounds: Set<String> = []
  /// Whether those are new; they are looked at while nothing rings.
  private var isCheckDue = false
  /// Of the needed sounds that were looked at: what was wrong.
  private var checkedSounds: [String: OutputError?] = [:]
  /// The mixer that was raised for the ring, and how it was.
  private var raised: (mixer: CardMixer, changes: [CardMixer.Change])?

  init(mailbox: Mailbox<Message>, configuration: OutputsConfiguration.Speaker, surroundings: Surroundings) {
    self.mailbox = mailbox
    self.configuration = configuration
    around = surroundings
  }

  /// Runs until `stop`.
  func run() {
    while true {
      mailbox.wait(until: nextWake)
      for message in mailbox.drain() {
        switch message {
        case .start: probeAt = 0
        case .ring(let request, let generation, let start):
          endSession()
          probeAt = nil
          guard request.concerns(.speaker) else { break }
          session = SpeakerSession(request: request, generation: generation, start: start, device: deviceName)
        case .check(let sounds):
          neededSounds = sounds
          checkedSounds = checkedSounds.filter { sounds.contains($0.key) }
          isCheckDue = true
        case .silence: silence()
        case .stop:
          endSession()
          return
        }
      }
      let before = SystemClock.elapsedMilliseconds()
      if session != nil {
        play(now: before)
      } else {
        probeIfDue(now: before)
        if isCheckDue { checkSounds() }
      }
      // A call that hung counts as a failure, which the buzzer may have covered and reported.
      if SystemClock.elapsedMilliseconds() - before > around.timing.speakerSilence { isFailing = true }
    }
  }

  private var nextWake: Int64? {
    guard let session else { return probeAt }
    guard session.current != nil else { return session.retryAt }
    return SystemClock.elapsedMilliseconds() + around.timing.topUp
  }

  private func silence() {
    endSession()
    probeAt = isFailing ? 0 : SystemClock.elapsedMilliseconds() + around.timing.check
  }

  private func endSession() {
    session?.current?.playback.close()
    session = nil
    restoreMixer()
  }

  // MARK: Ringing

  private func play(now: Int64) {
    if let session, now >= session.retryAt {
      switch session.current?.step {
      case nil: descend(from: 0, avoiding: nil, now: now)
      case 0: break
      case let step?: improve(on: step, now: now)
      }
    }
    while let (step, playback) = session?.current {
      do throws(OutputError) {
        if try playback.topUp(now: now) { soundWasTaken(step: step, now: now) }
        return
      } catch {
        playback.close()
        session?.current = nil
        note(error, step: step)
        descend(from: step + 1, avoiding: error.concernsDevice ? playback.deviceName : nil, now: now)
      }
    }
  }

  /// Turns to the first step from `first` on that opens. What failed on `broken` for the device's sake is not tried there again.
  private func descend(from first: Int, avoiding broken: String?, now: Int64) {
    guard let session else { return }
    var broken = broken
    for step in session.steps.indices.dropFirst(first) where session.steps[step].device != broken {
      do throws(OutputError) {
        turn(to: try open(session.steps[step], of: session, now: now), step: step, now: now)
        return
      } catch {
        note(error, step: step)
        if error.concernsDevice { broken = session.steps[step].device }
      }
    }
    allFailed(now: now)
  }

  /// Tries the steps above the one that sounds.
  private func improve(on current: Int, now: Int64) {
    session?.postponeRetry(now: now, timing: around.timing)
    guard let session else { return }
    var broken: String?
    for step in session.steps.indices.prefix(current) where session.steps[step].device != broken {
      do throws(OutputError) {
        if session.steps[step].device == session.steps[current].device {
          // The device is ours already: only the sound can have come back, and most cards open once.
          _ = try around.library.open(session.steps[step].sound)
          session.current?.playback.close()
          self.session?.current = nil
          descend(from: step, avoiding: nil, now: now)
        } else {
          // It must take sound before the one that sounds is given up.
          let playback = try open(session.steps[step], of: session, now: now)
          guard try takesSound(playback, now: now) else { continue }
          session.current?.playback.close()
          turn(to: playback, step: step, now: now)
          soundWasTaken(step: step, now: now)
        }
        return
      } catch {
        note(error, step: step)
        if error.concernsDevice { broken = session.steps[step].device }
      }
    }
  }

  private func open(_ step: ChainStep, of session: SpeakerSession, now: Int64) throws(OutputError) -> Playback {
    let source = try around.library.open(step.sound)
    let device = try around.openDevice(step.device, source.rate)
    return Playback(
      device: device, deviceName: step.device, source: source, loudness: Loudness(session.request), ringStart: session.start, now: now,
      stall: around.timing.stall)
  }

  /// Whether a playback takes its first sound; if not, it is closed.
  private func takesSound(_ playback: Playback, now: Int64) throws(OutputError) -> Bool {
    var taken = false
    defer { if !taken { playback.close() } }
    taken = try playback.topUp(now: now)
    return taken
  }

  private func turn(to playback: Playback, step: Int, now: Int64) {
    session?.current = (step, playback)
    raiseMixer(of: playback.card, step: step)
    session?.postponeRetry(now: now, timing: around.timing)
  }

  private func soundWasTaken(step: Int, now: Int64) {
    around.ledger.soundTaken = now
    guard let session else { return }
    if session.failures > 0 {
      self.session?.failures = 0
      around.buzzer?.post(.speakerSounds(generation: session.generation))
    }
    announce(OutputResult(output: .speaker, detail: session.steps[step].device, sound: session.steps[step].sound), upTo: step)
    if step == 0 { recover() }
  }

  private func allFailed(now: Int64) {
    guard var session else { return }
    let wait = around.timing.urgentRetry << min(session.failures, 8)
    session.retryAt = now + min(wait, around.timing.retry)
    session.failures += 1
    self.session = session
    let result = OutputResult(output: .speaker, detail: deviceName, sound: session.request.sound, error: session.errors[0])
    if let buzzer = around.buzzer {
      buzzer.post(
        .speakerFailed(generation: session.generation, result: result, fallbacks: session.fallbacks(upTo: session.steps.count - 1)))
    } else {
      announce(result, upTo: session.steps.count - 1)
    }
  }

  private func announce(_ result: OutputResult, upTo step: Int) {
    guard let session, around.ledger.claimAnnouncement(of: session.generation) else { return }
    around.report(.sounding(ring: session.request.ring, results: [result], fallbacks: session.fallbacks(upTo: step)))
  }

  private func note(_ error: OutputError, step: Int) {
    isFailing = true
    // By code: which call failed is chance.
    guard session?.errors[step]?.code != error.code else { return }
    session?.errors[step] = error
    around.report(.failed(output: .speaker, error: error))
  }

  private func recover() {
    probeError = nil
    guard isFailing else { return }
    isFailing = false
    session?.errors = [:]  // What fails again from here on is news.
    around.report(.recovered(output: .speaker))
  }

  // MARK: Idle

  /// Opens the device and closes it again, so that a missing card is known before the alarm.
  private func probeIfDue(now: Int64) {
    guard let due = probeAt, now >= due else { return }
    checkSounds()
    do throws(OutputError) {
      try around.openDevice(deviceName, 48_000).close()
      probeAt = now + around.timing.check
      recover()
    } catch {
      probeAt = now + around.timing.retry
      isFailing = true
      guard probeError?.code != error.code else { return }
      probeError = error
      around.report(.failed(output: .speaker, error: error))
    }
  }

  /// Decodes the beginning of each sound that alarms need.
  private func checkSounds() {
    isCheckDue = false
    for sound in neededSounds.sorted() {
      var found: OutputError?
      do throws(OutputError) { _ = try around.library.open(sound) } catch { found = error }
      if let known = checkedSounds[sound], known?.code == found?.code { continue }
      checkedSounds[sound] = .some(found)
      around.report(.checked(sound: sound, error: found))
    }
  }

  // MARK: Mixer

  /// Makes the card of the ring loud enough; the one that was raised before it is put back.
  private func raiseMixer(of card: Int32?, step: Int) {
    guard let percent = configuration.mixer, card != raised?.mixer.card else { return }
    restoreMixer()
    guard let card else { return }
    let mixer = CardMixer(card: card)
    do throws(OutputError) { raised = (mixer, try mixer.raise(toAtLeast: percent)) } catch { note(error, step: step) }
  }

  private func restoreMixer() {
    guard let (mixer, changes) = raised.take() else { return }
    do throws(OutputError) { try mixer.restore(changes) } catch {
      isFailing = true
      around.report(.failed(output: .speaker, error: error))
    }
  }
}
