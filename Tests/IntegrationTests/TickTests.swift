import JSON
import TestSupport
import Testing

@Suite("Countdown and order of publishing", .serialized)
struct TickTests {
  @Test("A timer of 5 s shows 5 4 3 2 1 0 exactly once each, and alerts with the 0", arguments: ["5", "3.1.1"])
  func fiveSeconds(version: String) async throws {
    let node = try await NodeProcess.running(mqtt: "protocol: \(version)")
    let mark = node.listener.mark
    #expect(try await node.request("schedule", #"{"id":"egg","duration":5}"#)["status"] == "ok")
    try await node.event("alerting", "egg", after: mark)
    let messages = node.listener.messages(after: mark)
    let remaining = messages.filter { $0.topic == "\(node.base)/alarms/egg/remaining" }
    #expect(remaining.map(\.payload) == ["5", "4", "3", "2", "1", "0"])
    let activity = messages.filter { $0.topic == "\(node.base)/alarms/egg/activity" && $0.json["state"] != "scheduled" }
    #expect(activity.map { $0.json["remaining"]?.integer } == [5, 4, 3, 2, 1, 0])
    #expect(activity.map { $0.json["formatted"]?.string } == ["00:05", "00:04", "00:03", "00:02", "00:01", "00:00"])
    #expect(activity.map { $0.json["state"]?.string } == Array(repeating: "countdown", count: 5) + ["alerting"])
    #expect(remaining.allSatisfy { !$0.isRetained })
    if version == "5" { #expect((remaining + activity).allSatisfy { (1...5).contains($0.expiry ?? 0) }) }
    // The state comes before its tick.
    let order = messages.filter { $0.topic == "\(node.base)/alarms/egg/state" || $0.payload == "0" }.suffix(2)
    #expect(order.first?.json["state"] == "alerting" && order.last?.payload == "0")
    // No tick follows the last.
    let stopped = node.listener.mark
    try await node.request("stop", #"{"id":"egg"}"#)
    #expect(try await node.request("list", "{}")["data", "alarms"]?.array == [])
    #expect(!node.listener.messages(after: stopped).contains { $0.topic.hasSuffix("/remaining") })
  }

  @Test("Ticks are QoS 0 and everything else is QoS 1")
  func quality() async throws {
    let node = try NodeProcess(BrokerProcess())
    let listener = try MQTTListener(node.broker, topic: "\(node.base)/#", quality: 1)
    try await node.start()
    try await node.request("schedule", #"{"id":"egg","duration":1}"#)
    _ = try await listener.first("the event") { $0.json["event_type"] == "alerting" }
    for message in listener.messages() {
      #expect(message.quality == (message.topic.hasSuffix("/remaining") || message.topic.hasSuffix("/activity") ? 0 : 1), "\(message)")
    }
  }

  @Test("Each change is published as alarm state, node state, activity, event, reply")
  func order() async throws {
    let node = try await NodeProcess.running()
    // A minute's countdown: the change of state, not a tick, is what is published as activity.
    for (operation, body, event) in [
      ("schedule", #"{"id":"tea","duration":60}"#, "scheduled"), ("pause", #"{"id":"tea"}"#, "paused"),
      ("resume", #"{"id":"tea"}"#, "resumed"), ("stop", #"{"id":"tea"}"#, "stopped"),
    ] {
      let mark = node.listener.mark
      try await node.request(operation, body)
      // On a slow machine a tick may come between the mark and the change, which begins with the alarm's state.
      let alarmState = "\(node.base)/alarms/tea/state"
      let messages = Array(node.listener.messages(after: mark).drop { $0.topic != alarmState })
      var wanted = [
        alarmState, "\(node.base)/state", "\(node.base)/alarms/tea/activity", "\(node.base)/event",
        "\(node.base)/response/\(operation)",
      ]
      // What is gone has no activity of its own; the contract asks for one at every change of state, so both are accepted.
      if operation == "stop", !messages.contains(where: { $0.topic.hasSuffix("/activity") }) { wanted.remove(at: 2) }
      let places = wanted.map { topic in messages.firstIndex { $0.topic == topic } }
      #expect(!places.contains(nil), "\(operation): \(messages)")
      #expect(places.compactMap { $0 } == places.compactMap { $0 }.sorted(), "\(operation): \(messages)")
      #expect(messages.first { $0.topic == "\(node.base)/event" }?.json["event_type"]?.string == event)
    }
  }

  @Test("At the end of a countdown come alarm state, node state, activity and event")
  func orderOfAlerting() async throws {
    let node = try await NodeProcess.running()
    try await node.request("schedule", #"{"id":"egg","duration":1}"#)
    try await node.event("alerting", "egg")
    let messages = node.listener.messages()
    let alert = try #require(messages.firstIndex { $0.topic == "\(node.base)/alarms/egg/state" && $0.json["state"] == "alerting" })
    let rest = messages[alert...]
    let places = [
      alert, rest.firstIndex { $0.topic == "\(node.base)/state" && $0.json["state"] == "alerting" },
      rest.firstIndex { $0.topic.hasSuffix("/activity") && $0.json["state"] == "alerting" },
      rest.firstIndex { $0.json["event_type"] == "alerting" },
    ]
    #expect(!places.contains(nil) && places.compactMap { $0 } == places.compactMap { $0 }.sorted(), "\(rest)")
    let state = try #require(rest.first { $0.topic == "\(node.base)/state" }?.json)
    #expect(state["alerting"] == ["egg"] && state["alarms"] == 1)
  }

  @Test("A pause stops the ticks, and a resumed countdown goes on with what was left")
  func pause() async throws {
    let node = try await NodeProcess.running()
    try await node.request("schedule", #"{"id":"egg","duration":4}"#)
    _ = try await node.listener.first("3") { $0.topic.hasSuffix("/egg/remaining") && $0.payload == "3" }
    let paused = try await node.request("pause", #"{"id":"egg"}"#)
    #expect(paused["data", "state"] == "paused" && paused["data", "fireDate"] == .null)
    let left = try #require(paused["data", "remaining"]?.integer)
    let mark = node.listener.mark
    // That no tick comes can only be seen by waiting.
    try await Task.sleep(for: .seconds(1.5))
    #expect(!node.listener.messages(after: mark).contains { $0.topic.hasSuffix("/remaining") })
    try await node.request("resume", #"{"id":"egg"}"#)
    try await node.event("alerting", "egg", after: mark)
    let ticks = node.listener.messages(after: mark).filter { $0.topic.hasSuffix("/remaining") }.compactMap { Int64($0.payload) }
    #expect(ticks == Array((0..<left).reversed()) || ticks == Array((0...left).reversed()), "\(left) left, then \(ticks)")
    let activity = try #require(node.listener.messages(after: mark).first { $0.topic.hasSuffix("/activity") }?.json)
    #expect(activity["total"]?.double == 4)
  }
}
