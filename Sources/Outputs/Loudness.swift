/// The gain of a ring: volume and fade-in.
///
/// The volume is perceptual: the gain is (volume ∕ 100)², so that 50 is −12 dB, about half as loud. A fade runs evenly over the
/// volume, from 5 % of it (−52 dB against the whole) upwards.
struct Loudness {
  private let volume: Double
  private let fadeIn: Double

  init(_ request: RingRequest) {
    volume = Double(min(max(request.volume, 1), 100)) / 100
    // Written so that NaN is none.
    fadeIn = request.fadeIn > 0 ? request.fadeIn : 0
  }

  /// The factor for samples `seconds` after the ring began; it never falls.
  func gain(at seconds: Double) -> Float {
    let part = seconds < fadeIn ? max(0.05, seconds / fadeIn) : 1
    return Float(volume * part * volume * part)
  }
}
