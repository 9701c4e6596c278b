import Glibc

/// One sound on one device, topped up by the clock.
///
/// The clock wakes the thread, not the card's descriptors: dmix can signal them for ever while it takes nothing, and ALSA's null device
/// takes everything at once. What is written never runs more than 250 ms ahead of real time (0.1 % more, since a card's quartz may be fast).
final class Playback {
  /// The PCM name.
  let deviceName: String
  /// ALSA's number of its card; `nil` where there is none.
  var card: Int32? { device.card }
  private let device: any PlaybackDevice
  private let source: any SoundSource
  private let loudness: Loudness
  private let rate: Double
  private let stall: Int64

  // Memory of our own: Swift 6.0's array closures cannot throw a typed error.
  private let samples: UnsafeMutableBufferPointer<Float>
  private var frames: [Int16]
  // Frames of `frames` that the device has not taken yet.
  private var pending = 0..<0
  // Seconds of the ring's time at which the next rendered frame sounds.
  private var ringTime: Double
  // Frames that may be written now.
  private var credit: Double
  private var creditedAt: Int64
  // Milliseconds without progress. Only so much of each turn counts as its own wait could last: the machine may have been asleep.
  private var idle: Int64 = 0

  private static let chunk = 1_024

  /// `ringStart` is when the ring began, on the elapsed clock: a fade goes on where a failed device left it.
  init(
    device: any PlaybackDevice, deviceName: String, source: any SoundSource, loudness: Loudness, ringStart: Int64, now: Int64, stall: Int64
  ) {
    self.device = device
    self.deviceName = deviceName
    self.source = source
    self.loudness = loudness
    self.stall = stall
    rate = Double(source.rate)
    samples = .allocate(capacity: 2 * Self.chunk)
    samples.initialize(repeating: 0)
    frames = [Int16](repeating: 0, count: 2 * Self.chunk)
    ringTime = Double(now - ringStart) / 1000
    credit = rate / 4
    creditedAt = now
  }

  deinit { samples.deallocate() }

  /// Writes what the device and the clock allow. Answers whether the device took anything.
  func topUp(now: Int64) throws(OutputError) -> Bool {
    let elapsed = max(0, now - creditedAt)
    credit = min(credit + Double(elapsed) * rate * 1.001 / 1000, rate / 4)
    creditedAt = now
    var progressed = false
    var mendings = 0
    turn: while credit >= 1 {
      if pending.isEmpty { try render() }
      switch try writePending() {
      case .taken: progressed = true
      case .full: break turn
      case .mended:
        mendings += 1
        // A card that breaks again at once must not keep the thread here.
        if mendings > 2 { break turn }
      }
    }
    if progressed {
      _ = try judge(device.begin(), operation: "snd_pcm_start")
      idle = 0
    } else {
      idle += min(elapsed, 100)
      guard idle < stall else {
        throw OutputError(
          code: .deviceStalled, operation: "snd_pcm_writei", errno: EAGAIN,
          message: "The sound device \"\(deviceName)\" takes no sound: unplug it and plug it in again, or restart what shares it.")
      }
    }
    return progressed
  }

  /// Ends the sound at once. Call it once.
  func close() { device.close() }

  private enum Outcome {
    case taken
    case full
    case mended
  }

  private func writePending() throws(OutputError) -> Outcome {
    let room = device.available()
    if let outcome = try judge(room, operation: "snd_pcm_avail_update") { return outcome }
    let count = min(pending.count, Int(credit), room)
    guard count > 0 else { return .full }
    let offset = 2 * pending.lowerBound
    let written = frames.withUnsafeBufferPointer { buffer in
      // Never nil: the buffer is not empty.
      buffer.baseAddress.map { device.write($0 + offset, count: count) } ?? 0
    }
    if let outcome = try judge(written, operation: "snd_pcm_writei") { return outcome }
    pending.removeFirst(min(written, pending.count))
    credit -= Double(written)
    return .taken
  }

  private func render() throws(OutputError) {
    try source.render(into: samples)
    for frame in 0..<Self.chunk {
      let gain = loudness.gain(at: ringTime)
      frames[2 * frame] = Self.quantise(samples[2 * frame] * gain)
      frames[2 * frame + 1] = Self.quantise(samples[2 * frame + 1] * gain)
      ringTime += 1 / rate
    }
    pending = 0..<Self.chunk
  }

  // A float file may hold anything, NaN included.
  private static func quantise(_ sample: Float) -> Int16 {
    sample.isNaN ? 0 : Int16((min(max(sample, -1), 1) * 32_767).rounded())
  }

  /// What a failed call means; `nil` if it went well. What is neither a full buffer nor can be mended has lost the device.
  private func judge(_ status: Int, operation: String) throws(OutputError) -> Outcome? {
    guard status < 0 else { return nil }
    let code = Int32(clamping: -status)
    switch code {
    case EAGAIN: return .full
    case EINTR: return .mended
    // An underrun, a suspend.
    case EPIPE, ESTRPIPE:
      let prepared = device.prepare()
      guard prepared < 0 else { return .mended }
      throw lost("snd_pcm_prepare", Int32(clamping: -prepared))
    default: throw lost(operation, code)
    }
  }

  private func lost(_ operation: String, _ code: Int32) -> OutputError {
    OutputError(
      code: .deviceLost, operation: operation, errno: code,
      message: "The sound device \"\(deviceName)\" failed while playing: check that it is still plugged in.")
  }
}
