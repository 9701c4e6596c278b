import JSON
import TestSupport
import Testing

@Suite("Requests, words and settings", .serialized)
struct RequestTests {
  private let reply = ["-D", "publish", "response-topic", "reveille/replies/me", "-D", "publish", "correlation-data", "call-42"]

  @Test("A request with a Response Topic is answered there, with its correlation data, and on the ordinary topic")
  func responseTopic() async throws {
    let node = try await NodeProcess.running()
    let mark = node.listener.mark
    try await node.publish("request/schedule", #"{"id":"tea","duration":60,"transaction":"t"}"#, reply)
    let ordinary = try await node.reply("schedule", after: mark)
    let own = try await node.listener.first(after: mark, "the reply") { $0.topic == "reveille/replies/me" }
    #expect(own.json == ordinary && own.json["status"] == "ok" && own.json["transaction"] == "t")
    #expect(own.correlationData == "call-42" && !own.isRetained)
    #expect(ordinary["warning"] == nil)
    // Errors go there too.
    try await node.publish("request/pause", "{", reply)
    _ = try await node.listener.first(after: mark, "the error") {
      $0.topic == "reveille/replies/me" && $0.json["error", "code"] == "malformed_json"
    }
  }

  @Test(
    "A response topic that is a node's own, has a wildcard or lies elsewhere is left unused, and the ordinary reply says so",
    arguments: [
      "reveille/bedroom/alarms/tea/state", "reveille/bedroom/availability", "reveille/bedroom/request/stop", "reveille/kitchen/set/volume",
      "elsewhere/replies", "reveille", "reveille/+/me", "reveille/#", "homeassistant/status",
    ])
  func refusedResponseTopic(topic: String) async throws {
    let node = try await NodeProcess.running()
    let mark = node.listener.mark
    do { try await node.publish("request/list", "{}", ["-D", "publish", "response-topic", topic]) } catch {
      // A broker or client that refuses it by itself leaves nothing to test.
      #expect(topic.contains("+") || topic.contains("#"), "\(error)")
      return
    }
    let ordinary = try await node.reply("list", after: mark)
    #expect(ordinary["status"] == "ok" && ordinary["warning"]?.string?.isEmpty == false, "\(ordinary)")
    // A second round: whatever the first sent elsewhere has come before it.
    try await node.request("list", "{}")
    #expect(!node.listener.messages(after: mark).contains { $0.topic == topic && $0.json["operation"] != nil })
  }

  @Test("Response topics below a configured prefix are used")
  func configuredPrefix() async throws {
    let node = try await NodeProcess.running(settings: ["response_topics: [home/replies]"])
    try await node.publish("request/list", "{}", ["-D", "publish", "response-topic", "home/replies/7"])
    #expect(try await node.listener.first("the reply") { $0.topic == "home/replies/7" }.json["status"] == "ok")
  }

  @Test("The same transaction gets the same reply and has no second effect, also after a restart")
  func transaction() async throws {
    let node = try await NodeProcess.running()
    let body = #"{"duration":3600,"title":"Tea","transaction":"6f1c"}"#
    let first = try await node.request("schedule", body)
    #expect(first["status"] == "ok" && first["transaction"] == "6f1c")
    let id = try #require(first["data", "id"]?.string)
    #expect(try await node.request("schedule", body) == first)
    #expect(try await node.request("schedule", #"{"duration":60,"transaction":"6f1c"}"#)["error", "code"] == "conflict")
    // The transaction belongs to its operation.
    #expect(try await node.request("pause", #"{"id":"\#(id)","transaction":"6f1c"}"#)["status"] == "ok")
    node.kill()
    try await node.start()
    #expect(try await node.request("schedule", body) == first)
    #expect(try await node.request("schedule", #"{"duration":60,"transaction":"6f1c"}"#)["error", "code"] == "conflict")
    let alarms = try await node.request("list", "{}")["data", "alarms"]?.array
    #expect(alarms?.count == 1 && alarms?.first?["state"] == "paused")
    #expect(node.events("scheduled", id).compactMap { $0["sequence"] }.reduce(into: Set<JSONValue>()) { $0.insert($1) }.count == 1)
    // A refused one may be tried again.
    #expect(try await node.request("resume", #"{"id":"\#(id)","transaction":"r","occurrence":"x"}"#)["error", "code"] == "conflict")
    #expect(try await node.request("resume", #"{"id":"\#(id)","transaction":"r"}"#)["status"] == "ok")
  }

  @Test("One word on an alarm's set topic does what the request of that name does")
  func words() async throws {
    let node = try await NodeProcess.running()
    try await node.request("schedule", #"{"id":"tea","duration":3600}"#)
    try await node.request("schedule", #"{"id":"weekly","schedule":{"time":"07:00","weekdays":"daily"}}"#)
    for (word, id, state) in [
      ("pause", "tea", "paused"), ("resume", "tea", "countdown"), ("disable", "weekly", "disabled"), ("enable", "weekly", "scheduled"),
      ("skip", "weekly", "scheduled"), ("unskip", "weekly", "scheduled"),
    ] {
      let mark = node.listener.mark
      let reply = try await node.word(word, id)
      #expect(reply["status"] == "ok" && reply["operation"]?.string == word, "\(reply)")
      let document = try await node.state(id, state, after: mark)
      if word == "skip" { #expect(document["skipped"]?.string != nil) }
      if word == "unskip" { #expect(document["skipped"] == .null) }
    }
    #expect(try await node.word("dance", "tea")["error", "code"] == "unknown_operation")
    #expect(try await node.word("pause", "nobody")["error", "code"] == "not_found")
    #expect(try await node.word("pause", "tea", ["-r"])["error", "code"] == "retained_request")
    #expect(try await node.word("snooze", "tea")["error", "code"] == "invalid_transition")
    var mark = node.listener.mark
    #expect(try await node.word("cancel", "tea")["status"] == "ok")
    _ = try await node.listener.first(after: mark, "the end of tea") { [base = node.base] in
      $0.topic == "\(base)/alarms/tea/state" && $0.payload.isEmpty
    }
    // Those that need an alarm that alerts.
    mark = node.listener.mark
    try await node.request("schedule", #"{"id":"egg","duration":1}"#)
    try await node.event("alerting", "egg", after: mark)
    #expect(try await node.word("snooze", "egg")["data", "state"] == "countdown")
    mark = node.listener.mark
    try await node.event("alerting", "egg", after: mark)
    #expect(try await node.word("stop", "egg")["status"] == "ok")
    _ = try await node.listener.first(after: mark, "the end of egg") { [base = node.base] in
      $0.topic == "\(base)/alarms/egg/state" && $0.payload.isEmpty
    }
  }

  @Test("Settings take the values that the contract names, publish them retained and keep them across a restart")
  func settings() async throws {
    let node = try await NodeProcess.running()
    for (name, value, wanted) in [
      ("volume", "42", "42"), ("sound", "chime", "chime"), ("snooze", "300", "300"), ("snooze", "6m", "360"), ("muted", "ON", "ON"),
      ("muted", "OFF", "OFF"), ("silent", "on", "ON"), ("focus", "do-not-disturb", "do-not-disturb"), ("focus", "reading-2", "reading-2"),
    ] {
      let mark = node.listener.mark
      try await node.publish("set/\(name)", value)
      _ = try await node.listener.first(after: mark, "\(name) \(wanted)") { [base = node.base] in
        $0.topic == "\(base)/setting/\(name)" && $0.payload == wanted
      }
    }
    for (name, value) in [
      ("volume", "0"), ("volume", "101"), ("volume", "loud"), ("volume", ""), ("sound", "no-such-sound"), ("snooze", "0"), ("snooze", "-1"),
      ("muted", "maybe"), ("silent", ""), ("focus", "No way!"), ("brightness", "5"),
    ] {
      let mark = node.listener.mark
      try await node.publish("set/\(name)", value)
      let error = try await node.listener.first(after: mark, "an error for \(name) \(value)") { [base = node.base] in
        $0.topic.hasPrefix("\(base)/response/") && $0.json["status"] == "error"
      }.json["error"]?.object
      #expect(error?["code"] == (name == "brightness" ? "unknown_operation" : "invalid_argument"), "\(name) \(value)")
      #expect(error?["message"]?.string?.isEmpty == false && error?["field"] != nil)
    }
    let mark = node.listener.mark
    try await node.publish("set/volume", "50", ["-r"])
    _ = try await node.listener.first(after: mark, "an error for a retained setting") { $0.json["error", "code"] == "retained_request" }
    // A request's reply is behind the writing of what came before it.
    try await node.request("schedule", #"{"id":"x","duration":60}"#)
    node.kill()
    let wanted = ["volume": "42", "sound": "chime", "snooze": "360", "muted": "OFF", "silent": "ON", "focus": "reading-2"]
    try await node.start()
    let fresh = try MQTTListener(node.broker, topic: "\(node.base)/setting/+")
    let found = try await fresh.wait(for: "six settings") { $0.count >= 6 ? $0 : nil }
    #expect(!found.contains { !$0.isRetained })
    #expect(
      Dictionary(uniqueKeysWithValues: found.map { ($0.topic.split(separator: "/").last.map(String.init) ?? "", $0.payload) }) == wanted)
  }
}
