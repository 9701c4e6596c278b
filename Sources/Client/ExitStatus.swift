/// The exit statuses of the commands that talk to a node.
package enum ExitStatus {
  package static let success: Int32 = 0
  /// The node answered and refused, or `doctor` found a failure.
  package static let refused: Int32 = 1
  /// The command line, or a file or variable that it depends on, is wrong; nothing was sent.
  package static let usage: Int32 = 2
  /// There is no connection to the broker, or no answer from the node.
  package static let noAnswer: Int32 = 3
}
