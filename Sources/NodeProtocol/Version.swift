/// What this program and its contract are called by number.
package enum Version {
  /// Of the program.
  package static let program = "0.1.0"
  /// Of the topics and documents: docs/mqtt.md.
  package static let contract: Int = 1
}
