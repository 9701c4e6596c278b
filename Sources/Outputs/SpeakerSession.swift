/// One ring, as the speaker sees it.
struct SpeakerSession {
  let request: RingRequest
  let generation: UInt64
  /// When the ring began, on the elapsed clock.
  let start: Int64
  let steps: [ChainStep]
  /// What was last reported of each step.
  var errors: [Int: OutputError] = [:]
  /// The step that sounds, and its playback.
  var current: (step: Int, playback: Playback)?
  /// When something better is tried.
  var retryAt: Int64 = 0
  /// How often in a row the whole chain has failed.
  var failures = 0

  init(request: RingRequest, generation: UInt64, start: Int64, device: String) {
    self.request = request
    self.generation = generation
    self.start = start
    steps = ChainStep.chain(sound: request.sound, device: device)
  }

  /// The fallbacks tried up to a step: those that failed and, last, the one that sounds.
  func fallbacks(upTo step: Int) -> [String] {
    steps.indices.prefix(step + 1).filter { $0 == step || errors[$0] != nil }.compactMap { steps[$0].fallback }
  }

  /// Something sounds: something better is tried after the ordinary wait.
  mutating func postponeRetry(now: Int64, timing: OutputTiming) {
    let stalled = errors.values.contains { $0.code == .deviceStalled }
    retryAt = now + (stalled ? timing.stalledRetry : timing.retry)
  }
}
