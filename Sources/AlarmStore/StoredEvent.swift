/// An event that waits for the broker's acknowledgement.
package struct StoredEvent: Sendable, Equatable {
  /// The event's number, unique in the store; storing it again replaces the payload.
  package var sequence: Int64
  /// Text that only the writer understands.
  package var payload: String

  package init(sequence: Int64, payload: String) {
    self.sequence = sequence
    self.payload = payload
  }
}
