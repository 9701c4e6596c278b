/// A reply that is kept, so that the same request again has no second effect.
package struct StoredReply: Sendable, Equatable {
  /// Operation and transaction, unique together.
  package var key: ReplyKey
  /// The request, or a digest of it: tells a repetition from another request under the same transaction.
  package var request: String
  /// The reply as it was sent.
  package var reply: String
  /// When the reply was made: milliseconds since 1970-01-01T00:00:00Z.
  package var at: Int64

  package init(operation: String, transaction: String, request: String, reply: String, at: Int64) {
    key = ReplyKey(operation: operation, transaction: transaction)
    self.request = request
    self.reply = reply
    self.at = at
  }
}
