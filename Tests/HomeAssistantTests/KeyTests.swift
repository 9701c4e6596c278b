import AlarmModel
import HomeAssistant
import JSON
import TestSupport
import Testing

/// Home Assistant rejects a document with an unknown key at its root, in the device or the origin, and drops one in a component in silence.
@Suite("Keys of discovery documents")
struct KeyTests {
  private let known: JSONObject

  init() throws {
    known = try #require(try JSONValue(parsing: ProjectFile.read("\(folder)/keys.json").utf8).object)
  }

  private func strings(_ value: JSONValue?) -> Set<String> { Set((value?.array ?? []).compactMap(\.string)) }

  private func expect(_ object: JSONObject?, abbreviated kind: String, in keys: Set<String>, _ what: String) throws {
    let abbreviations = known["abbreviations"]?.object?[kind]?.object
    #expect(!keys.isEmpty, "\(what)")
    for (key, _) in try #require(object, "\(what)") {
      #expect(keys.contains(abbreviations?[key]?.string ?? key), "\(what): Home Assistant does not know \(key)")
    }
  }

  @Test("Home Assistant knows every key")
  func keys() throws {
    let once = alarm(#"{"id":"once","schedule":{"time":"07:00"}}"#)
    let timer = alarm(#"{"id":"timer","duration":60}"#)
    let platforms = try #require(known["platforms"]?.object)
    for (topic, document) in discovery(.all, buttons: 2).documents([wakeUp, once, timer]) {
      try expect(document["dev"]?.object, abbreviated: "device", in: strings(known["device"]), topic)
      try expect(document["o"]?.object, abbreviated: "origin", in: strings(known["origin"]), topic)
      guard topic.contains("/device/") else {
        try expect(document, abbreviated: "component", in: strings(platforms["time"]), topic)
        continue
      }
      try expect(document, abbreviated: "component", in: strings(known["document"]), topic)
      for (name, component) in document["cmps"]?.object ?? JSONObject() {
        var members = try #require(component.object)
        let platform = try #require(members["p"]?.string)
        members["p"] = nil
        try expect(members, abbreviated: "component", in: strings(platforms[platform]), "\(topic) \(name), \(platform)")
      }
    }
  }
}
