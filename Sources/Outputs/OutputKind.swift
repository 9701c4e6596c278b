/// A kind of output; the raw value is its public name.
package enum OutputKind: String, Sendable, Hashable, CaseIterable {
  case speaker
  case buzzer
  /// A lamp, a vibration motor, a relay: it accompanies the ring and replaces nothing.
  case light
}
