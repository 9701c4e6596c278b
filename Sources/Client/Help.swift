/// Help texts, from the table.
package enum Help {
  /// Of the whole program.
  package static var overview: String {
    var lines = ["Usage: reveille COMMAND [ARGUMENTS] [OPTIONS]", ""]
    for group in Command.Group.allCases {
      lines.append("\(group.rawValue):")
      for command in CommandTable.all where command.group == group {
        lines.append(
          row("\(command.name)\(command.arguments.isEmpty ? "" : " \(command.arguments)")", command.summary, indent: 2, column: 34))
      }
      lines.append("")
    }
    lines.append("Every command that talks to a node takes")
    lines += CommandTable.commonOptions.map(row)
    lines += [
      "", "ALARM is an id or, where only one alarm fits, its title or the first four or more characters of its id.",
      "The connection comes from \(ClientSettings.defaultFile) where that can be read, and from the variables",
      ClientSettings.variables.joined(separator: ", ") + ".",
      "'reveille help COMMAND' says what a command takes.", "",
      "Exit status: \(ExitStatus.success); \(ExitStatus.refused) the node refused, is not ready, or doctor found a failure; "
        + "\(ExitStatus.usage) wrong usage; \(ExitStatus.noAnswer) no connection or no answer.",
      "run, check-config and simulate: 0; 1 a failure; 64 wrong usage; 65 a wrong file; 78 a wrong configuration.", "",
    ]
    return lines.joined(separator: "\n")
  }

  /// Of one command.
  package static func text(of command: Command) -> String {
    let arguments = command.arguments.isEmpty ? "" : " \(command.arguments)"
    var lines = [
      "Usage: reveille \(command.name)\(arguments) [OPTIONS]", "",
      "\(command.summary.prefix(1).uppercased())\(command.summary.dropFirst()).",
    ]
    if !command.details.isEmpty { lines.append(command.details) }
    lines += ["", "Options:"] + command.allOptions.map(row)
    if !command.example.isEmpty { lines += ["", "Example:", "  \(command.example)"] }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func row(_ option: Command.Option) -> String {
    row(
      option.name + (option.value.map { " \($0)" } ?? ""), option.summary + (option.isRepeatable ? "; may be repeated" : ""), indent: 2,
      column: 30)
  }

  private static func row(_ name: String, _ summary: String, indent: Int, column: Int) -> String {
    let left = String(repeating: " ", count: indent) + name
    return left + String(repeating: " ", count: max(column - left.count, 2)) + summary
  }
}
