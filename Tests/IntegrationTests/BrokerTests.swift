import Glibc
import JSON
import TestSupport
import Testing

@Suite("With the broker gone and back", .serialized)
struct BrokerTests {
  /// Starts the broker again while the node is held, so that a new listener is there before it.
  private func restartBroker(_ node: NodeProcess) throws -> MQTTListener {
    node.freeze()
    defer { node.thaw() }
    try node.broker.restart()
    return try MQTTListener(node.broker)
  }

  @Test("Without a broker it rings on time, and tells of it truthfully once the broker is back")
  func ringsWithoutBroker() async throws {
    let node = try await NodeProcess.running()
    let reply = try await node.request("schedule", #"{"id":"egg","duration":3}"#)
    let fireDate = try #require(reply["data", "fireDate"]?.string)
    let due = try #require(UnixTime.seconds(of: fireDate))
    node.broker.kill()
    let before = node.sound.size
    let heard = try await node.sound.wait(for: 0.05, beyond: before)
    #expect(heard >= due - 0.05 && heard < due + 3, "heard \(heard - due) s after the due instant")
    let listener = try restartBroker(node)
    let event = try await listener.first("the event") { $0.json["event_type"] == "alerting" }
    #expect(event.json["due"]?.string == fireDate && event.json["id"] == "egg")
    let at = try #require(event.json["at"]?.string.flatMap(UnixTime.seconds(of:)))
    // The countdown ran on another clock than the one that names the instant.
    #expect(at >= due - 0.05 && at < due + 3, "the event says \(at - due) s after the due instant")
    #expect((0..<3).contains(event.json["lateness"]?.double ?? -1))
    // Retained state and `online` come first.
    let messages = listener.messages()
    let online = try #require(messages.firstIndex { $0.topic.hasSuffix("/availability") && $0.payload == "online" })
    let state = try #require(messages.firstIndex { $0.topic.hasSuffix("/alarms/egg/state") && $0.json["state"] == "alerting" })
    let told = try #require(messages.firstIndex { $0.json["event_type"] == "alerting" })
    #expect(state < online && online < told)
    #expect(messages.contains { $0.topic == "\(node.base)/state" && $0.json["alerting"] == ["egg"] })
  }

  @Test("An event is repeated with the same sequence until the broker has acknowledged it, and then no more")
  func unacknowledged() async throws {
    let broker = try BrokerProcess()
    let proxy = try ForgetfulProxy(broker, forgetting: "/event")
    let node = try NodeProcess(broker, port: proxy.port)
    try await node.start()
    try await node.request("schedule", #"{"id":"tea","duration":3600}"#)
    let first = try await node.event("scheduled", "tea")
    var mark = node.listener.mark
    proxy.cut()
    _ = try await node.listener.first(after: mark, "online again") { $0.topic.hasSuffix("/availability") && $0.payload == "online" }
    #expect(try await node.event("scheduled", "tea", after: mark) == first)
    // A crash does not lose it either.
    node.kill()
    mark = node.listener.mark
    try await node.start()
    #expect(try await node.event("scheduled", "tea", after: mark) == first)

    // Acknowledged this time.
    proxy.remember()
    mark = node.listener.mark
    proxy.cut()
    #expect(try await node.event("scheduled", "tea", after: mark) == first)
    _ = try await node.listener.wait(after: mark, for: "its other events") { messages in
      messages.contains { $0.json["event_type"] == "started" } ? true : nil
    }
    // The broker acknowledges in order, and each reply comes after the acknowledgements before it.
    try await node.request("list", "{}")
    mark = node.listener.mark
    proxy.cut()
    _ = try await node.listener.first(after: mark, "online again") { $0.topic.hasSuffix("/availability") && $0.payload == "online" }
    try await node.request("list", "{}")
    #expect(node.events("scheduled", "tea", after: mark).isEmpty)
  }

  @Test("A broker that has forgotten everything gets every retained topic back, and online after them")
  func snapshot() async throws {
    let node = try await NodeProcess.running()
    try await node.request("schedule", #"{"id":"tea","duration":3600}"#)
    try await node.request("pause", #"{"id":"tea"}"#)
    try await node.request("schedule", #"{"id":"weekly","schedule":{"time":"07:00","weekdays":"daily"}}"#)
    try await node.publish("set/volume", "42")
    _ = try await node.listener.first("the volume") { $0.topic.hasSuffix("/setting/volume") && $0.payload == "42" }
    func retained(_ messages: [MQTTListener.Message]) -> [String: String] {
      Dictionary(messages.filter { $0.topic.hasPrefix(node.base) && !$0.topic.hasSuffix("/health") }.map { ($0.topic, $0.payload) }) { $1 }
    }
    let names =
      ["availability", "info", "health", "state", "alarms/tea/state", "alarms/weekly/state"]
      + ["volume", "sound", "snooze", "muted", "silent", "focus"].map { "setting/\($0)" }
    @Sendable func isComplete(_ messages: [MQTTListener.Message]) -> [MQTTListener.Message]? {
      let wanted = [
        "availability", "info", "health", "state", "alarms/tea/state", "alarms/weekly/state", "setting/volume", "setting/sound",
      ]
      return wanted.allSatisfy { name in messages.contains { $0.topic == "reveille/bedroom/\(name)" } } ? messages : nil
    }
    let fresh = try MQTTListener(node.broker, topic: "\(node.base)/#")
    let before = retained(try await fresh.wait(for: "the retained topics", isComplete).filter(\.isRetained))
    node.broker.kill()
    let listener = try restartBroker(node)
    let messages = try await listener.all(until: "online") { $0.topic.hasSuffix("/availability") && $0.payload == "online" }
    for name in names { #expect(messages.contains { $0.topic == "\(node.base)/\(name)" }, "\(name)") }
    #expect(messages.last?.payload == "online")
    let again = retained(messages)
    #expect(again == before)
    // They are retained once more.
    let newcomer = try MQTTListener(node.broker, topic: "\(node.base)/#")
    #expect(retained(try await newcomer.wait(for: "the retained topics", isComplete).filter(\.isRetained)) == before)
  }

  @Test("A retained alarm that does not exist is cleared")
  func ghost() async throws {
    let node = try NodeProcess(BrokerProcess())
    try await node.publish("alarms/ghost/state", #"{"id":"ghost","state":"scheduled"}"#, ["-r"])
    try await node.start()
    _ = try await node.listener.first("its end") { [base = node.base] in $0.topic == "\(base)/alarms/ghost/state" && $0.payload.isEmpty }
    // What is left is what exists.
    try await node.request("schedule", #"{"id":"tea","duration":3600}"#)
    let fresh = try MQTTListener(node.broker, topic: "\(node.base)/alarms/+/state")
    let tea = try await fresh.first("tea") { _ in true }
    #expect(tea.topic == "\(node.base)/alarms/tea/state" && tea.isRetained)
  }

  @Test("Its end is told as offline, be it killed or asked to end; asked to end it obeys at once")
  func offline() async throws {
    let node = try await NodeProcess.running()
    var mark = node.listener.mark
    node.kill()
    _ = try await node.listener.first(after: mark, "the will") { [base = node.base] in
      $0.topic == "\(base)/availability" && $0.payload == "offline"
    }
    try await node.start()
    mark = node.listener.mark
    let start = ContinuousClock.now
    node.signal(SIGTERM)
    #expect(try await blocking { node.exitStatus() } == 0)
    #expect(ContinuousClock.now - start < .seconds(3))
    _ = try await node.listener.first(after: mark, "offline") { [base = node.base] in
      $0.topic == "\(base)/availability" && $0.payload == "offline"
    }
    let fresh = try MQTTListener(node.broker, topic: "\(node.base)/availability")
    let kept = try await fresh.first("availability") { _ in true }
    #expect(kept.isRetained && kept.payload == "offline")
  }

  @Test("Without a broker, and with one that does not answer, it ends as fast")
  func endsWithoutBroker() async throws {
    for isFrozen in [false, true] {
      let node = try await NodeProcess.running()
      if isFrozen { node.broker.freeze() } else { node.broker.kill() }
      let start = ContinuousClock.now
      node.signal(SIGTERM)
      #expect(try await blocking { node.exitStatus() } == 0)
      #expect(ContinuousClock.now - start < .seconds(3), "frozen: \(isFrozen)")
    }
  }
}
