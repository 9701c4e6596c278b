import Glibc
import JSON
import TestSupport
import Testing

@Suite("Killed and started again", .serialized)
struct RestartTests {
  @Test("A countdown goes on to its original fireDate")
  func countdown() async throws {
    let node = try await NodeProcess.running()
    let reply = try await node.request("schedule", #"{"id":"egg","duration":6}"#)
    let fireDate = try #require(reply["data", "fireDate"]?.string)
    let due = try #require(UnixTime.seconds(of: fireDate))
    node.kill()
    let mark = node.listener.mark
    try await node.start()
    let again = try await node.state("egg", "countdown", after: mark)
    #expect(again["fireDate"]?.string == fireDate)
    #expect(again["total"]?.double == 6)
    let event = try await node.event("alerting", "egg", after: mark)
    #expect(event["due"]?.string == fireDate)
    let arrival = try #require(node.listener.messages(after: mark).first { $0.json["event_type"] == "alerting" }?.time)
    #expect(arrival >= due - 0.05 && arrival < due + 10)
    try await node.sound.wait(for: 0.3)
    // Started late, it ticks on the countdown's own whole seconds, each at most once.
    let ticks = node.listener.messages().filter { $0.topic.hasSuffix("/egg/remaining") }.compactMap { Int($0.payload) }
    #expect(ticks == Array(Set(ticks)).sorted(by: >) && ticks.last == 0, "\(ticks)")
  }

  @Test("What was ringing rings again", arguments: [false, true])
  func ringing(isStored: Bool) async throws {
    let node = try await NodeProcess.running()
    let fireDate = try await node.request("schedule", #"{"id":"egg","duration":1}"#)["data", "fireDate"]
    try await node.event("alerting", "egg")
    try await node.sound.wait(for: 0.3)
    // That it rings may be on disk only soon after.
    if isStored { try await Task.sleep(for: .seconds(1)) }
    node.kill()
    unlink(node.sound.path)
    let mark = node.listener.mark
    try await node.start()
    try await node.state("egg", "alerting", after: mark)
    let event = try await node.event("alerting", "egg", after: mark)
    #expect(event["due"] == fireDate)
    try await node.sound.wait(for: 0.5)
    #expect(try await node.request("stop", "{}")["status"] == "ok")
    #expect(try await node.sound.isAtItsEnd())
  }

  @Test("A paused timer holds what was left")
  func paused() async throws {
    let node = try await NodeProcess.running()
    try await node.request("schedule", #"{"id":"tea","duration":300}"#)
    let paused = try await node.request("pause", #"{"id":"tea"}"#)
    node.kill()
    let mark = node.listener.mark
    try await node.start()
    let again = try await node.state("tea", "paused", after: mark)
    for key in ["remaining", "total", "fireDate", "revision", "occurrence"] { #expect(again[key] == paused["data", key], "\(key)") }
    let resumed = try await node.request("resume", #"{"id":"tea"}"#)
    #expect(resumed["data", "state"] == "countdown")
  }

  @Test("An event's sequence goes on increasing")
  func sequence() async throws {
    let node = try await NodeProcess.running()
    for _ in 0..<3 {
      try await node.request("schedule", #"{"id":"tea","duration":300}"#)
      try await node.request("cancel", #"{"id":"tea"}"#)
      node.kill()
      try await node.start()
    }
    var newest: [Int64: Int] = [:]
    let sequences = node.listener.messages().filter { $0.topic == "\(node.base)/event" }.compactMap { $0.json["sequence"]?.integer }
    // One that was not acknowledged before the kill may come again.
    for sequence in sequences { newest[sequence, default: 0] += 1 }
    let firsts = sequences.enumerated().filter { index, sequence in !sequences[..<index].contains(sequence) }.map(\.element)
    #expect(firsts == firsts.sorted() && firsts.count >= 9, "\(sequences)")
  }

  @Test("Killed at the instant of the positive reply, a hundred times, nothing is lost", arguments: 0..<4)
  func acknowledged(lane: Int) async throws {
    let node = try await NodeProcess.running()
    // What each alarm must be: its state, or nil where it was cancelled.
    var wanted: [String: String?] = [:]
    for round in 0..<25 {
      let (operation, id, state): (String, String, String?) =
        switch round % 5 {
        case 0: ("schedule", "timer-\(round)", "countdown")
        case 1: ("pause", "timer-\(round - 1)", "paused")
        case 2: ("schedule", "weekly-\(round)", "scheduled")
        case 3: ("disable", "weekly-\(round - 1)", "disabled")
        default: ("cancel", "timer-\(round - 4)", nil)
        }
      let content =
        switch (operation, state) {
        case ("schedule", "countdown"): #","duration":3600"#
        case ("schedule", _): #","schedule":{"time":"07:00","weekdays":"daily"}"#
        default: ""
        }
      let mark = node.listener.mark
      try await node.publish("request/\(operation)", #"{"id":"\#(id)","transaction":"\#(lane)-\#(round)"\#(content)}"#)
      let reply = try await node.reply(operation, after: mark)
      node.kill()
      try #require(reply["status"] == "ok", "\(reply)")
      wanted[id] = .some(state)
      let snapshot = try await node.start()
      var found: [String: String] = [:]
      for message in snapshot where message.topic.hasSuffix("/state") && message.topic.contains("/alarms/") && !message.payload.isEmpty {
        found[message.json["id"]?.string ?? ""] = message.json["state"]?.string
      }
      #expect(found == wanted.compactMapValues { $0 }, "round \(round)")
    }
  }
}
