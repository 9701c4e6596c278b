import AlarmEngine
import JSON
import NodeProtocol
import Testing

@Suite("The node's messages")
struct NodeMessageTests {
  private func message(_ publication: EnginePublication) -> NodeMessage? { topics.messages(for: publication).first }

  @Test("State is retained, ticks and events are not, and only ticks are QoS 0")
  func flags() {
    let event = Event(sequence: 7, document: ["event_type": "alerting"])
    for (publication, retained, tick, topic) in [
      (.online, true, false, "availability"), (.setting(name: "volume", value: "5"), true, false, "setting/volume"),
      (.alarm(id: "a", [:]), true, false, "alarms/a/state"), (.node([:]), true, false, "state"),
      (.activity(id: "a", [:]), false, true, "alarms/a/activity"), (.remaining(id: "a", 5), false, true, "alarms/a/remaining"),
      (.event(event), false, false, "event"),
    ] as [(EnginePublication, Bool, Bool, String)] {
      let message = message(publication)
      #expect(message?.topic == "reveille/bedroom/\(topic)")
      #expect(message?.isRetained == retained, "\(topic)")
      #expect(message?.isTick == tick, "\(topic)")
    }
    #expect(message(.event(event))?.eventSequence == 7)
    #expect(NodeMessage.tickExpiry == 5)
  }

  @Test("An alarm that is gone clears its topic; remaining is a bare number; a setting a bare value")
  func payloads() {
    #expect(message(.alarm(id: "a", nil))?.payload == "")
    #expect(message(.alarm(id: "a", nil))?.isRetained == true)
    #expect(message(.remaining(id: "a", 59))?.payload == "59")
    #expect(message(.setting(name: "muted", value: "ON"))?.payload == "ON")
    #expect(message(.online)?.payload == "online")
    #expect(topics.availabilityMessage(isOnline: false).payload == "offline")
    #expect(topics.availabilityMessage(isOnline: false).isRetained)
  }

  @Test("A reply goes to its response topic and to the asked one, with its correlation data; a warning is told")
  func reply() throws {
    let request = Request(name: "stop", transaction: "t", body: .failure(RequestError(.notFound, "none", field: "id")))
    let reply = Reply(RequestError(.notFound, "none", field: "id"), to: request)
    let both = topics.messages(for: .reply(reply, ReplyAddress(responseTopic: "reveille/phone/x", correlationData: [1, 2])))
    #expect(both.map(\.topic) == ["reveille/bedroom/response/stop", "reveille/phone/x"])
    for message in both {
      #expect(message.correlationData == [1, 2])
      #expect(!message.isRetained && !message.isTick)
      #expect(
        try JSONValue(parsing: message.payload.utf8)
          == [
            "status": "error", "operation": "stop", "transaction": "t", "error": ["code": "not_found", "message": "none", "field": "id"],
          ])
    }
    let warned = topics.messages(for: .reply(reply, ReplyAddress(warning: "unused")))
    #expect(warned.count == 1)
    #expect(warned.first?.payload.contains("unused") == true)
  }

  @Test("Every error code is the contract's")
  func codes() {
    #expect(
      Set(RequestError.Code.allCases.map(\.rawValue)) == [
        "malformed_json", "invalid_argument", "unknown_operation", "not_found", "invalid_transition", "limit_reached", "conflict",
        "retained_request", "expired_request", "too_large", "not_authorized", "storage_failed", "nothing_to_do", "rate_limited",
      ])
    #expect(
      Set(Event.Kind.allCases.map(\.rawValue)) == [
        "scheduled", "updated", "cancelled", "started", "paused", "resumed", "reminder", "alerting", "sounding", "snoozed", "stopped",
        "missed",
        "skipped", "adjusted", "enabled", "disabled", "output_failed", "clock_changed",
      ])
  }
}
