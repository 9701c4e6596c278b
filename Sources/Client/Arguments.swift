import Configuration

/// The words behind a command, sorted into options and the rest.
struct Arguments: Equatable {
  /// Values by option, in the order given; a flag has an empty one.
  private(set) var options: [String: [String]] = [:]
  private(set) var words: [String] = []

  /// Reads the words behind the command's name. Options may stand anywhere; after `--` everything is a word.
  ///
  /// - Throws: a usage error that names the nearest option where one is unknown.
  init(_ arguments: some Sequence<String>, of command: Command) throws(ClientError) {
    var rest = Array(arguments)[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        words += rest
        break
      }
      guard argument.hasPrefix("-"), argument.count > 1 else {
        words.append(argument)
        continue
      }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let name = parts[0] == "-h" ? "--help" : parts[0]
      guard let option = command.allOptions.first(where: { $0.name == name }) else { throw Self.unknown(name, of: command) }
      if option.value == nil {
        guard parts.count == 1 else { throw Self.usage("\(name) takes no value", of: command) }
        options[name] = [""]
      } else if let value = parts.count == 2 ? parts[1] : rest.popFirst() {
        guard options[name] == nil || option.isRepeatable else { throw Self.usage("\(name) is given twice", of: command) }
        options[name, default: []].append(value)
      } else {
        throw Self.usage("\(name) needs a value", of: command)
      }
    }
    // Help is asked for by people who do not know the arguments.
    if has("--help") { return }
    guard command.count.contains(words.count) else {
      let wanted = command.arguments.isEmpty ? "no arguments" : command.arguments
      throw Self.usage("takes \(wanted)" + (words.isEmpty ? "" : ", not \(words.map(Text.printable).joined(separator: " "))"), of: command)
    }
  }

  func has(_ option: String) -> Bool { options[option] != nil }

  /// The only value, or the last.
  func value(_ option: String) -> String? { options[option]?.last }

  private static func usage(_ message: String, of command: Command) -> ClientError {
    .usage("\(command.name): \(message); 'reveille \(command.name) --help' says more")
  }

  private static func unknown(_ name: String, of command: Command) -> ClientError {
    let hint =
      name.nearest(of: command.allOptions.map(\.name)).map { "; did you mean '\($0)'?" }
      ?? "; 'reveille \(command.name) --help' lists them"
    return .usage("\(command.name): '\(Text.printable(name))' is no option\(hint)")
  }
}
