extension Engine {
  /// Whether the reply to a request is kept: for simulations.
  package func remembers(operation: String, transaction: String) -> Bool {
    memory[RequestKey(operation: operation, transaction: transaction)] != nil
  }

  /// The number of the next event.
  package var upcomingSequence: Int64 { nextSequence }
}
