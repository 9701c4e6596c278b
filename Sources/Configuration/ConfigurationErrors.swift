/// Everything that is wrong with a configuration file, in the order of the file.
package struct ConfigurationErrors: Error, Sendable, Equatable, CustomStringConvertible {
  /// The file's name as the user gave it.
  package var file: String
  /// Never empty.
  package var problems: [ConfigurationProblem]

  package init(file: String, problems: [ConfigurationProblem]) {
    self.file = file
    self.problems = problems
  }

  /// A problem with the file as a whole.
  init(file: String, message: String) {
    self.init(file: file, problems: [ConfigurationProblem(line: 1, column: 1, key: "", message: message)])
  }

  /// A line for each: `FILE:LINE:COLUMN: key.path: message`, as editors understand it.
  package var description: String {
    problems.map { problem in
      "\(file):\(problem.line):\(problem.column): " + (problem.key.isEmpty ? "" : problem.key + ": ") + problem.message
    }.joined(separator: "\n")
  }
}
