import JSON
import TestSupport
import Testing

@Suite("What the sound card is given", .serialized)
struct SoundTests {
  @Test("The tone asked for is played, and ends with stop", arguments: [("default", 880.0), ("chime", 1047), ("beacon", 587)])
  func tone(sound: String, frequency: Double) async throws {
    let node = try await NodeProcess.running()
    try await node.request("schedule", #"{"id":"egg","duration":1,"sound":"\#(sound)"}"#)
    try await node.sound.wait(for: 1.2)
    let sounding = try await node.event("sounding", "egg")
    #expect(sounding["muted"] == nil || sounding["muted"] == .null)
    #expect(try await node.request("stop", "{}")["status"] == "ok")
    #expect(abs(try node.sound.mainFrequency() - frequency) < 8)
    #expect(try await node.sound.isAtItsEnd())
    let stopped = try await node.event("stopped", "egg")
    #expect(stopped["by"] == "request")
    #expect(node.events("output_failed", "egg").isEmpty)
  }

  @Test("Of two alarms that alert at once each is stopped for itself, and the sound lasts until the last")
  func two() async throws {
    let node = try await NodeProcess.running()
    try await node.request("schedule", #"{"id":"one","duration":1}"#)
    try await node.request("schedule", #"{"id":"two","duration":1}"#)
    try await node.event("alerting", "one")
    try await node.event("alerting", "two")
    _ = try await node.listener.first("both") { [base = node.base] in
      $0.topic == "\(base)/state" && Set($0.json["alerting"]?.array ?? []) == ["one", "two"]
    }
    let mark = node.listener.mark
    #expect(try await node.request("stop", #"{"id":"one"}"#)["status"] == "ok")
    _ = try await node.listener.first(after: mark, "only two") { [base = node.base] in
      $0.topic == "\(base)/state" && $0.json["alerting"] == ["two"] && $0.json["state"] == "alerting"
    }
    #expect(node.events("stopped", "two").isEmpty)
    try await node.sound.wait(for: 1, beyond: node.sound.size)
    #expect(try await node.request("stop", #"{"id":"two"}"#)["status"] == "ok")
    #expect(try await node.sound.isAtItsEnd())
  }

  @Test("A muted node alerts in silence, says why, and is not ready")
  func muted() async throws {
    let node = try await NodeProcess.running()
    try await node.publish("set/muted", "ON")
    _ = try await node.listener.first("not ready") { [base = node.base] in $0.topic == "\(base)/health" && $0.json["ready"] == false }
    let before = node.sound.size
    try await node.request("schedule", #"{"id":"egg","duration":1}"#)
    let event = try await node.event("alerting", "egg")
    #expect(event["muted"] != nil && event["muted"] != .null)
    #expect(try await node.sound.isAtItsEnd() && node.sound.size == before)
  }
}
