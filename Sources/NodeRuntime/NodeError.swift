/// Why the node cannot start.
package struct NodeError: Error, Hashable, CustomStringConvertible {
  /// What is wrong and what to do, in one sentence.
  package let message: String

  package init(_ message: String) { self.message = message }

  package var description: String { message }
}
