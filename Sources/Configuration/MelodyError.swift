/// What is wrong with a melody's text.
package struct MelodyError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The place in the text, in characters from 1.
  package var position: Int
  package var message: String

  package var description: String { "character \(position): \(message)" }
}
