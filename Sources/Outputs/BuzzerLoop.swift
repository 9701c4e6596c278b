import LinuxSupport

/// The buzzer's thread: holds the line inactive, and sounds when it is the buzzer's turn.
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
    var ledger: RingLedger
    var line: HeldLine.Surroundings
  }

  private struct Session {
    var request: RingRequest
    var generation: UInt64
    var start: Int64
    var speakerFailure: (result: OutputResult, fallbacks: [String])?
    /// When the buzzer joined.
    var joined: Int64?
    /// Whether the buzzer's own result was told.
    var isAnnounced = false
  }

  private let mailbox: Mailbox<Message>
  private let configuration: OutputsConfiguration.Buzzer
  private let around: Surroundings
  private let line: HeldLine
  private var session: Session?
  /// When the line was last brought up to date.
  private var updated: Int64 = 0

  init(mailbox: Mailbox<Message>, configuration: OutputsConfiguration.Buzzer, surroundings: Surroundings) {
    self.mailbox = mailbox
    self.configuration = configuration
    around = surroundings
    line = HeldLine(output: .buzzer, configuration: configuration.line, surroundings: surroundings.line)
  }

  private var timing: OutputTiming { around.line.timing }

  private func report(_ report: OutputReport) { around.line.report(report) }

  /// Runs until `stop`.
  func run() {
    while true {
      mailbox.wait(until: nextWake)
      for message in mailbox.drain() {
        switch message {
        case .start: line.request(at: 0)
        case .ring(let request, let generation, let start): session = Session(request: request, generation: generation, start: start)
        case .speakerFailed(let generation, let result, let fallbacks):
          if session?.generation == generation { session?.speakerFailure = (result, fallbacks) }
        case .speakerSounds(let generation):
          if session?.generation == generation { session?.speakerFailure = nil }
        case .silence: session = nil
        case .stop:
          line.release()
          return
        }
      }
      let now = SystemClock.elapsedMilliseconds()
      updated = now
      joinOrLeave(now: now)
      let level = session?.joined.map { configuration.pattern.level(at: now - $0) } ?? .off
      line.update(level, isUrgent: session?.joined != nil, now: now)
      announce()
    }
  }

  private var nextWake: Int64? {
    var times: [Int64] = []
    if let request = line.nextRequest { times.append(request) }
    if let session {
      if let joined = session.joined {
        if line.isHeld, let edge = configuration.pattern.nextEdge(after: updated - joined) { times.append(joined + edge) }
        if isCovering(session), session.speakerFailure == nil { times.append(updated + 1_000) }
      } else if let joinTime = joinTime(session) {
        times.append(joinTime)
      }
    }
    return times.min()
  }

  /// When it becomes the buzzer's turn; `nil` for never.
  private func joinTime(_ session: Session) -> Int64? {
    if let outputs = session.request.outputs { return outputs.contains(.buzzer) ? session.start : nil }
    if around.speakerDevice == nil || session.speakerFailure != nil { return session.start }
    return min(answerTime(session), max(session.start, around.ledger.soundTaken) + timing.speakerSilence)
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
    guard let joinTime = joinTime(session), now >= joinTime else {
      self.session?.joined = nil
      return
    }
    guard session.joined == nil else { return }
    self.session?.joined = now
    line.request(at: now)
    // Joined neither for a failure that was told nor for want of an answer: the speaker's thread is stuck and cannot tell.
    if isCovering(session), session.speakerFailure == nil && now < answerTime(session) {
      report(.failed(output: .speaker, error: speakerStuck()))
    }
  }

  /// Whether the buzzer sounds only as long as the speaker does not.
  private func isCovering(_ session: Session) -> Bool { around.speakerDevice != nil && session.request.outputs == nil }

  private func speakerStuck() -> OutputError {
    OutputError(
      code: .deviceStalled, operation: "snd_pcm_writei",
      message: "The speaker's thread is stuck, in its sound device or in reading a sound: check the sound device and the disk.")
  }

  /// Reports the ring as sounding, once it is known what sounds.
  private func announce() {
    guard let session else { return }
    if session.request.outputs != nil { return announceEach(of: session) }
    guard session.joined != nil, !line.isUndecided, around.ledger.claimAnnouncement(of: session.generation) else { return }
    var results: [OutputResult] = []
    var fallbacks: [String] = []
    if let device = around.speakerDevice {
      let result = OutputResult(output: .speaker, detail: device, sound: session.request.sound, error: speakerStuck())
      results = [session.speakerFailure?.result ?? result]
      fallbacks = (session.speakerFailure?.fallbacks ?? []) + ["buzzer"]
    }
    results.append(ownResult)
    report(.sounding(ring: session.request.ring, results: results, fallbacks: fallbacks))
  }

  /// Of outputs that were asked for by name each is reported for itself; a speaker that fails leaves that to the buzzer.
  private func announceEach(of session: Session) {
    if let (result, fallbacks) = session.speakerFailure, around.ledger.claimAnnouncement(of: session.generation) {
      report(.sounding(ring: session.request.ring, results: [result], fallbacks: fallbacks))
    }
    guard session.joined != nil, !session.isAnnounced, !line.isUndecided else { return }
    self.session?.isAnnounced = true
    report(.sounding(ring: session.request.ring, results: [ownResult], fallbacks: []))
  }

  private var ownResult: OutputResult {
    OutputResult(output: .buzzer, detail: configuration.line.description, sound: "buzzer", error: line.error)
  }
}
