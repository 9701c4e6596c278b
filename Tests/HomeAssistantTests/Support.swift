import AlarmModel
import CivilTime
import Glibc
import HomeAssistant
import JSON
import NodeProtocol
import TestSupport
import Testing

let folder = "Tests/HomeAssistantTests"
let sounds = ["beacon", "chime", "default"]

func discovery(_ alarms: Discovery.Alarms = .repeating, buttons: Int = 0) -> Discovery {
  Discovery(topics: Topics(prefix: "reveille", node: "bedroom"), node: "bedroom", alarms: alarms, buttons: buttons)
}

extension Discovery {
  func documents(_ alarms: [Alarm] = [], sound: String = "default", focus: String = "off") -> [String: JSONObject] {
    documents(alarms: alarms, sounds: sounds, sound: sound, focus: focus)
  }
}

let wakeUp = alarm(#"{"id":"wake-up","title":"Wake up","schedule":{"time":"07:00","weekdays":"mon-fri"}}"#)

func alarm(_ text: String) -> Alarm {
  do {
    guard let document = try JSONValue(parsing: text.utf8).object else { throw TestSupportError("no object: \(text)") }
    return try Alarm(
      document: document,
      context: DocumentContext(localZone: .utc, zone: { _ in nil }, isKnownSound: { sounds.contains($0) }, makeIdentifier: { "made" }))
  } catch {
    Issue.record("\(error)")
    return Alarm(id: "none")
  }
}

/// A document with one line for each component, so that a change shows as what it is, and without the program's version.
func lines(_ document: JSONObject) -> String {
  var document = document
  document.patch(with: ["dev": ["sw": "VERSION"], "o": ["sw": "VERSION"]])
  let members = document.sorted { $0.key < $1.key }.map { key, value in
    guard key == "cmps", let components = value.object else { return " \(JSONValue.string(key)): \(value.canonicalDescription)" }
    let lines = components.sorted { $0.key < $1.key }.map { "  \(JSONValue.string($0.key)): \($0.value.canonicalDescription)" }
    return " \"cmps\": {\n\(lines.joined(separator: ",\n"))\n }"
  }
  return "{\n\(members.joined(separator: ",\n"))\n}\n"
}
