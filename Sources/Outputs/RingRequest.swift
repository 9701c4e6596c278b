/// What shall sound, and how loudly.
package struct RingRequest: Sendable, Hashable {
  /// The caller's name for this ring; reports carry it.
  package var ring: UInt64
  /// A built-in tone or a file of the sounds directory, without extension.
  package var sound: String
  /// 1…100; what lies outside is taken as the nearest of both. See `Loudness`.
  package var volume: Int
  /// Seconds from near silence to `volume`; 0 for none.
  package var fadeIn: Double
  /// The outputs that sound, at once and none in place of another, as for a test; `nil` for the usual chain.
  package var outputs: Set<OutputKind>?

  package init(ring: UInt64, sound: String, volume: Int, fadeIn: Double = 0, outputs: Set<OutputKind>? = nil) {
    self.ring = ring
    self.sound = sound
    self.volume = volume
    self.fadeIn = fadeIn
    self.outputs = outputs
  }

  /// Whether an output has a part in this ring.
  package func concerns(_ output: OutputKind) -> Bool { outputs?.contains(output) ?? true }
}
