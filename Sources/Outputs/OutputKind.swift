/// A kind of output; the raw value is its public name.
package enum OutputKind: String, Sendable, Hashable {
  case speaker
  case buzzer
}
