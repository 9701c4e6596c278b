import Glibc

/// One note of a built-in tone; times in seconds.
struct ToneNote: Sendable {
  var start: Double
  var length: Double
  var frequency: Double
  var level = 1.0
  /// How long the note swells and fades; below 5 ms it would click.
  var edge = 0.008
  /// The time in which a struck note falls to 1/e; `nil` for a steady one.
  var decay: Double?

  /// The loudness within 0…1 at a time after the note's start.
  func envelope(at time: Double) -> Double {
    let nearest = min(time, length - time)
    guard nearest > 0 else { return 0 }
    let edgeFactor = nearest < edge ? 0.5 - 0.5 * cos(.pi * nearest / edge) : 1
    return level * edgeFactor * (decay.map { exp(-time / $0) } ?? 1)
  }
}
