import LinuxSupport

/// The buzzer's thread: holds the line inactive, and beeps when it is the buzzer's turn.
///
/// Confined to its thread; others reach it by its mailbox.
final class BuzzerLoop {
  enum Message: Sendable {
    case start
    case ring(RingRequest, generation: UInt64, at: Int64)
    /// No step of the speaker's chain works; `fallbacks` are those it tried.
    case speakerFailed(generation: UInt64, result: OutputResult, fallbacks: [String])
    /// The speaker sounds after all.
    case speakerSounds(generation: UInt64)
    case silence
    case stop
  }

  /// What the buzzer needs of its surroundings.
  struct Surroundings: Sendable {
    /// The speaker's PCM name; `nil` without a speaker.
    var speakerDevice: String?
    var openLine: OutputLineOpener
    var timing: OutputTiming
    var ledger: RingLedger
    var report: @Sendable (OutputReport) -> Void
  }

  private struct Session {
    var request: RingRequest
    var generation: UInt64
    var start: Int64
    var speakerFailure: (result: OutputResult, fallbacks: [String])?
    /// When the buzzer joined.
    var joined: Int64?
  }

  private let mailbox: Mailbox<Message>
  private let configuration: OutputsConfiguration.Buzzer
  private let around: Surroundings
  private var session: Session?
  private var line: (any OutputLine)?
  private var isActive = false
  private var error: OutputError?
  /// When the line is requested (again); `nil` before the start.
  private var requestAt: Int64?

  init(mailbox: Mailbox<Message>, configuration: OutputsConfiguration.Buzzer, surroundings: Surroundings) {
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
        case .start: requestAt = 0
        case .ring(let request, let generation, let start): session = Session(request: request, generation: generation, start: start)
        case .speakerFailed(let generation, let result, let fallbacks):
          if session?.generation == generation { session?.speakerFailure = (result, fallbacks) }
        case .speakerSounds(let generation):
          if session?.generation == generation { session?.speakerFailure = nil }
        case .silence: session = nil
        case .stop:
          session = nil
          drive(now: 0)
          line?.release()
          return
        }
      }
      let now = SystemClock.elapsedMilliseconds()
      if session == nil { drive(now: now) }  // Silence first: requesting a line may take time.
      joinOrLeave(now: now)
      requestLineIfDue(now: now)
      drive(now: now)
      announceIfJoined()
    }
  }

  private var nextWake: Int64? {
    var times: [Int64] = []
    if line == nil, let requestAt { times.append(requestAt) }
    if let session {
      if let joined = session.joined {
        let now = SystemClock.elapsedMilliseconds()
        if line != nil { times.append(joined + BuzzerPattern.nextEdge(after: now - joined)) }
        if session.speakerFailure == nil && around.speakerDevice != nil { times.append(now + 1_000) }
      } else {
        times.append(joinTime(session))
      }
    }
    return times.min()
  }

  /// When it becomes the buzzer's turn.
  private func joinTime(_ session: Session) -> Int64 {
    if around.speakerDevice == nil || session.speakerFailure != nil { return session.start }
    return min(answerTime(session), max(session.start, around.ledger.soundTaken) + around.timing.speakerSilence)
  }

  /// When nobody has answered for too long.
  private func answerTime(_ session: Session) -> Int64 {
    // A year stands for never; NaN and infinity are that too.
    let year = 366.0 * 86_400
    let after = configuration.after.map { $0 >= 0 ? min($0, year) : year } ?? year
    return session.start + Int64(after * 1000)
  }

  private func joinOrLeave(now: Int64) {
    guard let session else { return }
    guard now >= joinTime(session) else {
      self.session?.joined = nil
      return
    }
    guard session.joined == nil else { return }
    self.session?.joined = now
    requestAt = now
    // Joined neither for a failure that was told nor for want of an answer: the speaker's thread is stuck and cannot tell.
    if around.speakerDevice != nil && session.speakerFailure == nil && now < answerTime(session) {
      around.report(.failed(output: .speaker, error: speakerStuck()))
    }
  }

  private func speakerStuck() -> OutputError {
    OutputError(
      code: .deviceStalled, operation: "snd_pcm_writei",
      message: "The speaker's thread is stuck, in its sound device or in reading a sound: check the sound device and the disk.")
  }

  private func requestLineIfDue(now: Int64) {
    guard line == nil, let due = requestAt, now >= due else { return }
    do throws(OutputError) {
      line = try around.openLine(configuration)
      isActive = false
      if error != nil { around.report(.recovered(output: .buzzer)) }
      error = nil
    } catch { fail(error, now: now) }
  }

  private func drive(now: Int64) {
    let wanted = session?.joined.map { BuzzerPattern.isActive(at: now - $0) } ?? false
    guard let line, wanted != isActive else { return }
    do throws(OutputError) {
      try line.set(active: wanted)
      isActive = wanted
    } catch {
      line.release()
      self.line = nil
      fail(error, now: now)
    }
  }

  private func fail(_ error: OutputError, now: Int64) {
    requestAt = now + (session?.joined != nil ? around.timing.urgentRetry : around.timing.retry)
    let isNews = self.error?.code != error.code
    self.error = error
    guard isNews else { return }
    around.report(.failed(output: .buzzer, error: error))
  }

  private func announceIfJoined() {
    guard let session, session.joined != nil, around.ledger.claimAnnouncement(of: session.generation) else { return }
    var results: [OutputResult] = []
    var fallbacks: [String] = []
    if let device = around.speakerDevice {
      let result = OutputResult(output: .speaker, detail: device, sound: session.request.sound, error: speakerStuck())
      results = [session.speakerFailure?.result ?? result]
      fallbacks = (session.speakerFailure?.fallbacks ?? []) + ["buzzer"]
    }
    results.append(OutputResult(output: .buzzer, detail: configuration.description, sound: "buzzer", error: line == nil ? error : nil))
    around.report(.sounding(ring: session.request.ring, results: results, fallbacks: fallbacks))
  }
}
