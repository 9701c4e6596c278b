// What simulations look at.
extension Engine {
  /// The present that the engine goes by: while the clock is not trusted its wall time is a lower bound.
  package var presentByRecord: Present { present }

  /// Whether the alarm's latest request is not on disk, and so not published, yet.
  package func awaitsDisk(_ id: String) -> Bool { isUncommitted(id) }

  /// Whether the reply to a request is kept.
  package func remembers(operation: String, transaction: String) -> Bool {
    memory[RequestKey(operation: operation, transaction: transaction)] != nil
  }
}
