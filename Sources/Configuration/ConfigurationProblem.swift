/// One thing that is wrong with a configuration file.
package struct ConfigurationProblem: Sendable, Equatable {
  /// From 1.
  package var line: Int
  /// From 1, in Unicode code points.
  package var column: Int
  /// The key's path, such as `outputs.buzzer.line` or `buttons[0].press`; empty where it is about the file as a whole.
  package var key: String
  /// What is wrong and what would be right.
  package var message: String

  package init(line: Int, column: Int, key: String, message: String) {
    self.line = line
    self.column = column
    self.key = key
    self.message = message
  }
}
