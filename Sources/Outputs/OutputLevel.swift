/// What an output does at a moment.
package enum OutputLevel: Sendable, Hashable {
  case off
  case on
  /// On, with a tone in hertz; a line that can only be on or off is on.
  case tone(Double)
}
