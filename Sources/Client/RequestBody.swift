import AlarmModel
import CivilTime
import JSON

/// Bodies of requests, from what was typed. The node judges the values; here only what would be misread is refused.
enum RequestBody {
  /// The members that options give, each at the key that the table names.
  static func members(_ arguments: Arguments, of command: Command) -> JSONObject {
    var body = JSONObject()
    for option in command.options where !option.key.isEmpty {
      guard let values = arguments.options[option.name] else { continue }
      let value: JSONValue
      switch (option.value, option.isRepeatable) {
      case (nil, _): value = .bool(false)
      case (_, true): value = .array(values.map(JSONValue.string))
      case (_, false): value = .string(values.last ?? "")
      }
      put(value, at: option.key, in: &body)
    }
    return body
  }

  /// Puts a value at a dotted key.
  private static func put(_ value: JSONValue, at path: String, in body: inout JSONObject) {
    let keys = path.split(separator: ".").map(String.init)
    guard keys.count == 2 else {
      body[path] = value
      return
    }
    var below = body[keys[0]]?.object ?? JSONObject()
    below[keys[1]] = value
    body[keys[0]] = .object(below)
  }

  /// An alarm at a time, or a timer. `base`: the document of a file.
  static func alarm(_ arguments: Arguments, of command: Command, isTimer: Bool, base: JSONObject?) throws(ClientError) -> JSONObject {
    var body = base ?? JSONObject()
    var words = arguments.words
    let kind = isTimer ? "DURATION" : "TIME"
    if let first = words.first {
      if isTimer {
        _ = try Names.seconds(first, of: kind)
        body["duration"] = nil
        body.patch(with: ["countdown": ["preAlert": .string(first)]])
      } else {
        body.patch(with: ["schedule": try schedule(first)])
      }
      words.removeFirst()
    } else if base == nil {
      throw .usage("\(command.name): needs a \(kind), such as 'reveille \(isTimer ? "timer 10m" : "schedule 07:00")'")
    }
    if !words.isEmpty {
      guard !arguments.has("--title") else {
        throw .usage("\(command.name): the title is given twice, as --title and as \(words.joined(separator: " "))")
      }
      body["title"] = .string(words.joined(separator: " "))
    }
    let options = members(arguments, of: command)
    if let schedule = options["schedule"]?.object, schedule["weekdays"] != nil, body["schedule"]?.object?["at"] != nil {
      throw .usage("\(command.name): --weekdays goes with a time of day, not with an instant")
    }
    body.patch(with: options)
    return body
  }

  /// `7:00`, `07:00:30` or an instant.
  static func schedule(_ text: String) throws(ClientError) -> JSONValue {
    let padded = text.dropFirst().first == ":" ? "0" + text : text
    if let time = LocalTime(padded) { return ["time": .string(time.description)] }
    if InstantText.parse(text) != nil { return ["at": .string(text)] }
    throw .usage(
      "TIME: '\(Text.printable(text))' is no time: write 07:00, 07:00:30 or 2026-12-24T08:00; a timer is 'reveille timer 10m'")
  }

  /// Members of a document that change an alarm.
  static func update(_ arguments: Arguments, of command: Command, base: JSONObject?) throws(ClientError) -> JSONObject {
    var body = base ?? JSONObject()
    let options = members(arguments, of: command)
    for member in options {
      // Not a merge patch: a null of the file is a word to the node.
      guard let below = member.value.object else {
        body[member.key] = member.value
        continue
      }
      var object = body[member.key]?.object ?? JSONObject()
      object.merge(below)
      body[member.key] = .object(object)
    }
    guard !body.members.isEmpty else { throw .usage("update: nothing to change; 'reveille update --help' lists the options") }
    body["id"] = .string(arguments.words[0])
    return body
  }

  /// What one of the other commands asks for; `nil` for those that ask for more than one thing.
  static func simple(_ arguments: Arguments, of command: Command) throws(ClientError) -> (operation: String, body: JSONObject)? {
    var body = members(arguments, of: command)
    switch command.name {
    case "stop", "snooze", "pause", "resume", "skip", "unskip", "enable", "disable", "cancel":
      if let id = arguments.words.first { body["id"] = .string(id) }
      return (command.name, body)
    case "show":
      body["id"] = .string(arguments.words[0])
      return ("get", body)
    case "list", "test": return (command.name, body)
    case "quick":
      body["text"] = .string(arguments.words.joined(separator: " "))
      return ("quick", body)
    case "siren":
      guard ["on", "off"].contains(arguments.words[0]) else { throw .usage("siren: on or off, not \(Text.printable(arguments.words[0]))") }
      body["state"] = .string(arguments.words[0].uppercased())
      return ("siren", body)
    case "adjust":
      body["id"] = .string(arguments.words[0])
      let at = arguments.words[1]
      guard at == "restore" || InstantText.parse(at) != nil else {
        throw .usage("adjust: '\(Text.printable(at))' is no instant such as 2026-12-24T06:30; 'restore' takes a change back")
      }
      body["at"] = at == "restore" ? .null : .string(at)
      return ("adjust", body)
    default: return nil
    }
  }
}
