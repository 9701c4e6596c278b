/// What a kept reply is found by.
package struct ReplyKey: Sendable, Hashable {
  /// The operation's name.
  package var operation: String
  /// The sender's transaction, unique within the operation.
  package var transaction: String

  package init(operation: String, transaction: String) {
    self.operation = operation
    self.transaction = transaction
  }
}
