import JSON
import Testing

@testable import Client

/// A command of the table with its words read.
func read(_ line: String) throws -> (command: Command, arguments: Arguments) {
  let words = line.split(separator: " ").map { String($0).replacing("_", with: " ") }
  let command = try #require(CommandTable.command(named: words[0]))
  return (command, try Arguments(words.dropFirst(), of: command))
}

/// The error that reading a line ends with.
func mistake(_ line: String) -> ClientError? {
  do {
    let (command, arguments) = try read(line)
    switch command.name {
    case "schedule", "preview", "timer":
      _ = try RequestBody.alarm(arguments, of: command, isTimer: command.name == "timer", base: nil)
    case "update": _ = try RequestBody.update(arguments, of: command, base: nil)
    default: _ = try RequestBody.simple(arguments, of: command)
    }
    return nil
  } catch { return error as? ClientError }
}

func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: text.utf8) }
