import JSON
import Testing

@testable import Client

@Suite("Commands, read")
struct ArgumentTests {
  @Test(
    "What is typed becomes the request that it means",
    arguments: [
      (
        "schedule 07:00 --weekdays mon-fri --title Wake_up",
        #"{"schedule":{"time":"07:00","weekdays":"mon-fri"},"title":"Wake up"}"#
      ),
      ("schedule 7:00 Wake up", #"{"schedule":{"time":"07:00"},"title":"Wake up"}"#),
      ("schedule --zone=Europe/Berlin 2026-12-24T08:00", #"{"schedule":{"at":"2026-12-24T08:00","timeZone":"Europe/Berlin"}}"#),
      (
        "schedule 07:00 --disabled --reminder 10m --reminder 5m", #"{"schedule":{"time":"07:00"},"enabled":false,"reminders":["10m","5m"]}"#
      ),
      ("timer 10m Pasta", #"{"countdown":{"preAlert":"10m"},"title":"Pasta"}"#),
      ("timer 10m --snooze 5m -- --odd", #"{"countdown":{"preAlert":"10m","postAlert":"5m"},"title":"--odd"}"#),
    ])
  func alarms(line: String, wanted: String) throws {
    let (command, arguments) = try read(line)
    let body = try RequestBody.alarm(arguments, of: command, isTimer: command.name == "timer", base: nil)
    #expect(try JSONValue.object(body) == json(wanted))
  }

  @Test(
    "Other commands become the operation that they mean",
    arguments: [
      ("stop", "stop", "{}"), ("snooze pasta --for 5m", "snooze", #"{"id":"pasta","duration":"5m"}"#),
      ("show pasta", "get", #"{"id":"pasta"}"#), ("adjust w restore", "adjust", #"{"id":"w","at":null}"#),
      ("quick in 10m Pasta", "quick", #"{"text":"in 10m Pasta"}"#), ("siren on", "siren", #"{"state":"ON"}"#),
      ("test --output buzzer --duration 2", "test", #"{"outputs":["buzzer"],"duration":"2"}"#),
    ])
  func others(line: String, operation: String, wanted: String) throws {
    let (command, arguments) = try read(line)
    let request = try #require(try RequestBody.simple(arguments, of: command))
    #expect(request.operation == operation)
    #expect(try JSONValue.object(request.body) == json(wanted))
  }

  @Test("update sends the members that are named, and a file's nulls as they are")
  func update() throws {
    let (command, arguments) = try read("update w --volume 60 --snooze 5m")
    let base = try json(#"{"body":null,"countdown":{"preAlert":null}}"#).object
    let body = try RequestBody.update(arguments, of: command, base: base)
    #expect(
      try JSONValue.object(body)
        == json(#"{"id":"w","body":null,"volume":"60","countdown":{"preAlert":null,"postAlert":"5m"}}"#))
  }

  @Test(
    "A mistake is wrong usage, and named with what to do",
    arguments: [
      ("stop --nod x", "did you mean '--node'?"), ("list pasta", "no arguments"), ("cancel", "takes ALARM"), ("timer soon", "duration"),
      ("timer 10:00", "minutes or hours"), ("schedule 25:00", "TIME"), ("schedule", "needs a TIME"), ("stop --node", "needs a value"),
      ("list --json=yes", "takes no value"), ("stop --node a --node b", "given twice"), ("update w", "nothing to change"),
      ("siren maybe", "on or off"), ("adjust w soon", "instant"), ("schedule 07:00 Title --title Other", "title is given twice"),
      ("schedule 2026-12-24T08:00 --weekdays daily", "--weekdays"),
    ])
  func mistakes(line: String, names: String) throws {
    let error = try #require(mistake(line), "\(line) was taken")
    #expect(error.status == ExitStatus.usage && error.message.contains(names), "\(error.message)")
  }

  @Test("An unknown command is answered with the nearest one, or with where the list is")
  func nearest() {
    #expect(CommandTable.unknown("snoze") == "'snoze' is no command; did you mean 'snooze'?")
    #expect(CommandTable.unknown("schedul").contains("'schedule'"))
    #expect(CommandTable.unknown("tango").contains("reveille help"))
  }

  @Test("Names, options and examples of the table fit together")
  func table() throws {
    #expect(Set(CommandTable.all.map(\.name)).count == CommandTable.all.count)
    for command in CommandTable.all {
      #expect(Set(command.allOptions.map(\.name)).count == command.allOptions.count, "\(command.name)")
      #expect(command.arguments.isEmpty == (command.count.upperBound == 0), "\(command.name)")
      #expect(Help.overview.contains("  \(command.name)") && !command.example.isEmpty)
      let words = command.example.replacing("\"Wake up\"", with: "Wake_up").split(separator: " ").map(String.init)
      #expect(words[0] == "reveille" && words[1] == command.name)
      _ = try Arguments(words.dropFirst(2), of: command)
      for option in command.allOptions { #expect(Help.text(of: command).contains(option.name)) }
    }
  }

  @Test("An alarm may be called by its title or by the beginning of its id, but only if one fits")
  func names() throws {
    let documents = try ["pasta-1", "pasta-2", "6bc85c0b"].map { id in
      try #require(try json(#"{"id":"\#(id)","state":"scheduled","title":"\#(id == "6bc85c0b" ? "Tea" : "Pasta")"}"#).object)
    }
    #expect(AlarmName.meant(by: "tea", in: documents) == .one("6bc85c0b"))
    #expect(AlarmName.meant(by: "6bc8", in: documents) == .one("6bc85c0b"))
    #expect(AlarmName.meant(by: "6bc", in: documents) == .none(nearest: nil))
    #expect(AlarmName.meant(by: "Pasta", in: documents) == .several(["pasta-1", "pasta-2"]))
    #expect(AlarmName.meant(by: "past-1", in: documents) == .none(nearest: "pasta-1"))
  }
}
