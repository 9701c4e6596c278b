import LinuxSupport

/// The light's thread: on or blinking while something rings, or during a countdown; off otherwise.
///
/// Confined to its thread; others reach it by its mailbox.
final class LightLoop {
  enum Message: Sendable {
    case start
    case ring(RingRequest, at: Int64)
    case countdown(Bool, at: Int64)
    case silence
    case stop
  }

  private let mailbox: Mailbox<Message>
  private let configuration: OutputsConfiguration.Light
  private let around: HeldLine.Surroundings
  private let line: HeldLine
  /// Since when something rings.
  private var ringStart: Int64?
  private var countdownStart: Int64?
  /// When the line was last brought up to date.
  private var updated: Int64 = 0
  /// The ring of a test, whose result is still to be told.
  private var unannounced: RingRequest?

  init(mailbox: Mailbox<Message>, configuration: OutputsConfiguration.Light, surroundings: HeldLine.Surroundings) {
    self.mailbox = mailbox
    self.configuration = configuration
    around = surroundings
    line = HeldLine(output: .light, configuration: .gpio(configuration.line), surroundings: surroundings)
  }

  /// Runs until `stop`.
  func run() {
    while true {
      mailbox.wait(until: nextWake)
      for message in mailbox.drain() {
        switch message {
        case .start: line.request(at: 0)
        case .ring(let request, let time):
          unannounced = request.outputs == nil ? nil : request
          ringStart = request.concerns(.light) ? time : nil
          line.request(at: 0)
        case .countdown(let isRunning, let time): countdownStart = isRunning ? countdownStart ?? time : nil
        case .silence: ringStart = nil
        case .stop:
          line.release()
          return
        }
      }
      let now = SystemClock.elapsedMilliseconds()
      updated = now
      let level = current.map { $0.pattern.level(at: now - $0.start) } ?? .off
      line.update(level, isUrgent: ringStart != nil, now: now)
      announce()
    }
  }

  /// What the light does, and since when.
  private var current: (pattern: OutputPattern, start: Int64)? {
    if let ringStart { return (configuration.alerting, ringStart) }
    guard let pattern = configuration.countdown, let countdownStart else { return nil }
    return (pattern, countdownStart)
  }

  private var nextWake: Int64? {
    guard line.isHeld else { return line.nextRequest }
    guard let (pattern, start) = current else { return nil }
    return pattern.nextEdge(after: updated - start).map { start + $0 }
  }

  /// The light is named in the results only where it was asked for by name.
  private func announce() {
    guard let request = unannounced, ringStart != nil, !line.isUndecided else { return }
    unannounced = nil
    let result = OutputResult(output: .light, detail: configuration.line.description, sound: "light", error: line.error)
    around.report(.sounding(ring: request.ring, results: [result], fallbacks: []))
  }
}
