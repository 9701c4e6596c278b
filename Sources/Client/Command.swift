/// One command of the table: what it is called, what it takes and what it is for.
package struct Command: Sendable {
  /// An option with or without a value.
  package struct Option: Sendable {
    /// With its dashes.
    package var name: String
    /// What stands for the value in help; `nil`: it takes none.
    package var value: String?
    package var summary: String
    /// Words that a shell may offer for the value.
    package var choices: [String] = []
    /// Whether it may be given more than once.
    package var isRepeatable = false
    /// The dotted key of a request's body that the value goes to; empty where the command itself understands it.
    package var key = ""
  }

  /// In which part of the help it stands.
  package enum Group: String, Sendable, CaseIterable {
    case set = "Set alarms"
    case control = "Control what is set"
    case look = "Look"
    case node = "The node"
    case local = "On this machine, without a node"
  }

  package var name: String
  package var group: Group
  /// As help shows them, such as `TIME [TITLE]…`.
  package var arguments = ""
  /// How many arguments besides options there may be.
  package var count: ClosedRange<Int> = 0...0
  package var summary: String
  /// Further sentences for the command's own help.
  package var details = ""
  package var options: [Option] = []
  /// Words that a shell may offer for the arguments.
  package var choices: [String] = []
  /// One that works.
  package var example = ""

  /// The options that it takes: its own and, if it talks to a node, those of all such commands.
  package var allOptions: [Option] { options + (group == .local ? [] : CommandTable.commonOptions) + [CommandTable.helpOption] }
}
