/// What the outputs tell the node, on a thread of theirs.
package enum OutputReport: Sendable, Hashable {
  /// Something audible started, or everything failed: once for each call of `ring`.
  ///
  /// `fallbacks` are the further steps that were tried, in order: `built-in-tone`, `default-card`, `buzzer`. The last one is what sounds, if
  /// anything does. Where the ring names its outputs, this comes once for each of them, with its result alone.
  case sounding(ring: UInt64, results: [OutputResult], fallbacks: [String])
  /// An output, or a step of its chain, failed. The same failure of the same step is told once for each ring.
  case failed(output: OutputKind, error: OutputError)
  /// Whether a sound that an alarm needs can be decoded, where that has changed or is asked for the first time.
  case checked(sound: String, error: OutputError?)
  /// An output that had failed works again.
  case recovered(output: OutputKind)
}
