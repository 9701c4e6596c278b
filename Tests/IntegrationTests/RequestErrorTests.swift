import JSON
import TestSupport
import Testing

@Suite("Requests that are refused", .serialized)
struct RequestErrorTests {
  /// Every refusal has this form, whatever was wrong.
  private func check(
    _ reply: JSONValue, _ operation: String, _ code: String, field: String? = nil, _ comment: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(reply["status"] == "error", comment, sourceLocation: sourceLocation)
    #expect(reply["operation"]?.string == operation, comment, sourceLocation: sourceLocation)
    #expect(reply["transaction"] != nil, comment, sourceLocation: sourceLocation)
    let error = reply["error"]?.object
    #expect(error?["code"]?.string == code, "\(comment?.rawValue ?? ""): \(reply)", sourceLocation: sourceLocation)
    #expect(error?["message"]?.string?.isEmpty == false, comment, sourceLocation: sourceLocation)
    #expect(error?["field"] != nil, "the key field is always there", sourceLocation: sourceLocation)
    if let field {
      let named = error?["field"]?.string ?? ""
      // `weekdays` may be said as `schedule.weekdays[0]`.
      #expect(named.contains(field), "\(comment?.rawValue ?? ""): field \(named) should name \(field)", sourceLocation: sourceLocation)
    }
  }

  @Test("Each fault of a document is named with its code and field, and changes nothing")
  func documents() async throws {
    let node = try await NodeProcess.running()
    let long = String(repeating: "x", count: 65)
    let table: [(payload: String, code: String, field: String?)] = [
      ("{", "malformed_json", nil), ("", "malformed_json", nil), (#"{"id":"x" "duration":60}"#, "malformed_json", nil),
      (#"{"id":"x","duration":60} {}"#, "malformed_json", nil), ("[]", "invalid_argument", nil), ("42", "invalid_argument", nil),
      (#"{"id":"x"}"#, "invalid_argument", nil), (#"{"id":"x","duration":"soon"}"#, "invalid_argument", "duration"),
      (#"{"id":"x","duration":true}"#, "invalid_argument", "duration"), (#"{"id":"x","duration":"10:00"}"#, "invalid_argument", "duration"),
      (#"{"id":"x","duration":0}"#, "invalid_argument", "duration"), (#"{"id":"x","duration":-5}"#, "invalid_argument", "duration"),
      (#"{"id":"x","duration":"367d"}"#, "invalid_argument", "duration"),
      (#"{"id":"x","duration":31622401}"#, "invalid_argument", "duration"),
      (#"{"id":"x","duration":60,"volume":"loud"}"#, "invalid_argument", "volume"),
      (#"{"id":"x","duration":60,"volume":0}"#, "invalid_argument", "volume"),
      (#"{"id":"x","duration":60,"title":{}}"#, "invalid_argument", "title"),
      (#"{"id":"x","duration":60,"metadata":[]}"#, "invalid_argument", "metadata"),
      (#"{"id":"x","duration":60,"colour":"red"}"#, "invalid_argument", "colour"),
      (#"{"id":"x","countdown":{"preAlert":60,"postalert":5}}"#, "invalid_argument", "postalert"),
      (#"{"id":"x","duration":60,"presentation":{"alert":{"titel":"x"}}}"#, "invalid_argument", "titel"),
      (#"{"id":"x","schedule":{"time":"07:00","day":"mon"}}"#, "invalid_argument", "day"),
      (#"{"id":"x","schedule":{"time":"25:00"}}"#, "invalid_argument", "time"),
      (#"{"id":"x","schedule":{"time":"07:00","weekdays":["mo"]}}"#, "invalid_argument", "weekdays"),
      (#"{"id":"a b","duration":60}"#, "invalid_argument", "id"), (#"{"id":"a/b","duration":60}"#, "invalid_argument", "id"),
      (#"{"id":"\#(long)","duration":60}"#, "invalid_argument", "id"),
      (#"{"id":"x","schedule":{"at":"2020-01-01T00:00:00Z"}}"#, "invalid_argument", "at"),
      (#"{"id":"x","duration":60,"sound":"no-such-sound"}"#, "invalid_argument", "sound"),
      (#"{"id":"x","duration":60,"sound":"../../etc/passwd"}"#, "invalid_argument", "sound"),
      (#"{"id":"x","schedule":{"time":"07:00","timeZone":"Europe/Atlantis"}}"#, "invalid_argument", "timeZone"),
      (#"{"id":"x","schedule":{"time":"07:00","timeZone":"../../etc/passwd"}}"#, "invalid_argument", "timeZone"),
      (#"{"id":"x","duration":60,"interruptionLevel":"loud"}"#, "invalid_argument", "interruptionLevel"),
      (#"{"id":"x","duration":60,"onRingTimeout":"explode"}"#, "invalid_argument", "onRingTimeout"),
      (#"{"id":"x","duration":60,"missedPolicy":"cry"}"#, "invalid_argument", "missedPolicy"),
      (#"{"id":"x","schedule":{"time":"07:00","weekdays":"daily"},"countdown":{"preAlert":"24h"}}"#, "invalid_argument", "preAlert"),
      (#"{"id":"x","duration":60,"exceptDates":["2026-02-30"]}"#, "invalid_argument", "exceptDates"),
      (#"{"id":"x","duration":60,"transaction":"\#(long)\#(long)"}"#, "invalid_argument", "transaction"),
      (#"{"id":"x","duration":60,"notAfter":"2020-01-01T00:00:00Z"}"#, "expired_request", nil),
      (#"{"id":"x","duration":60,"ifRevision":7}"#, "conflict", nil),
    ]
    for row in table {
      check(try await node.request("schedule", row.payload), "schedule", row.code, field: row.field, "\(row.payload)")
    }
    // Metadata is at most 4 KiB.
    let metadata = #"{"id":"x","duration":60,"metadata":{"x":"\#(String(repeating: "x", count: 5000))"}}"#
    check(try await node.request("schedule", metadata), "schedule", "invalid_argument", field: "metadata")
    #expect(try await node.request("list", "{}")["data", "alarms"]?.array == [])
  }

  @Test("A payload of more than 64 KiB is too large, and its transaction is not looked for")
  func tooLarge() async throws {
    let node = try await NodeProcess.running()
    func payload(_ size: Int) -> String {
      let start = #"{"transaction":"big","id":"x","duration":60,"title":""#
      return start + String(repeating: "x", count: size - start.utf8.count - 2) + #""}"#
    }
    let reply = try await node.request("schedule", payload(65_537))
    check(reply, "schedule", "too_large")
    #expect(reply["transaction"] == .null)
    // One byte less is read.
    let read = try await node.request("schedule", payload(65_536))
    #expect(read["error", "code"] != "too_large" && read["transaction"] == "big", "\(read)")
  }

  @Test("Unknown operations are answered on their own name where it is a safe topic level, else on response/unknown")
  func unknownOperations() async throws {
    let node = try await NodeProcess.running()
    check(try await node.request("dance", "{}"), "dance", "unknown_operation")
    for name in ["da nce", "tänze", String(repeating: "x", count: 200)] {
      let mark = node.listener.mark
      try await node.publish("request/\(name)", "{}")
      let reply = try await node.reply("unknown", after: mark)
      #expect(reply["status"] == "error" && reply["error", "code"] == "unknown_operation", "\(reply)")
    }
  }

  @Test("A request with the retain flag is refused, at once and after a restart")
  func retained() async throws {
    let node = try await NodeProcess.running()
    check(try await node.request("schedule", #"{"id":"x","duration":60,"transaction":"t"}"#, ["-r"]), "schedule", "retained_request")
    check(try await node.request("stop", #"{}"#, ["-r"]), "stop", "retained_request")
    node.kill()
    try await node.start()
    #expect(try await node.request("list", "{}")["data", "alarms"]?.array == [])
  }

  @Test("What does not fit the alarm's state is refused and changes nothing")
  func states() async throws {
    let node = try await NodeProcess.running(settings: ["limits: {alarms: 4}"])
    try await node.request("schedule", #"{"id":"running","duration":3600}"#)
    try await node.request("schedule", #"{"id":"paused","duration":3600}"#)
    try await node.request("pause", #"{"id":"paused"}"#)
    try await node.request("schedule", #"{"id":"weekly","schedule":{"time":"07:00","weekdays":"daily"}}"#)
    try await node.request("schedule", #"{"id":"once","schedule":{"at":"2099-01-01T00:00:00Z"}}"#)
    let before = try await node.request("list", "{}")["data", "alarms"]?.array?.map { $0["revision"] }
    let table: [(operation: String, payload: String, code: String, field: String?)] = [
      ("pause", #"{"id":"paused"}"#, "invalid_transition", nil), ("pause", #"{"id":"weekly"}"#, "invalid_transition", nil),
      ("resume", #"{"id":"running"}"#, "invalid_transition", nil), ("snooze", #"{"id":"running"}"#, "invalid_transition", nil),
      ("countdown", #"{"id":"weekly"}"#, "invalid_transition", nil), ("stop", #"{"id":"weekly"}"#, "invalid_transition", nil),
      ("skip", #"{"id":"running"}"#, "invalid_transition", nil), ("skip", #"{"id":"once"}"#, "invalid_transition", nil),
      ("adjust", #"{"id":"once","at":"2098-01-01T00:00:00Z"}"#, "invalid_transition", nil),
      ("adjust", #"{"id":"weekly","at":"2020-01-01T00:00:00Z"}"#, "invalid_argument", "at"),
      ("adjust", #"{"id":"weekly","at":"2099-01-01T00:00:00Z"}"#, "invalid_argument", "at"),
      ("pause", #"{"id":"nobody"}"#, "not_found", nil), ("get", #"{"id":"nobody"}"#, "not_found", nil),
      ("cancel", #"{"id":"nobody"}"#, "not_found", nil), ("get", "{}", "invalid_argument", "id"),
      ("cancel", "{}", "invalid_argument", "id"), ("cancel", #"{"id":7}"#, "not_found", nil),
      ("cancel", #"{"id":["running"]}"#, "invalid_argument", "id"), ("list", #"{"sort":"title"}"#, "invalid_argument", "sort"),
      ("stop", "{}", "nothing_to_do", nil), ("snooze", "{}", "nothing_to_do", nil),
      ("schedule", #"{"id":"fifth","duration":60}"#, "limit_reached", nil),
      ("cancel", #"{"id":"running","occurrence":"another"}"#, "conflict", nil),
      ("schedule", #"{"id":"weekly","duration":60,"ifRevision":99}"#, "conflict", nil),
      ("cancel", #"{"id":"running","notAfter":"2020-01-01T00:00:00Z"}"#, "expired_request", nil),
      ("preview", #"{"schedule":{"time":"07:00","weekdays":"daily"},"count":1001}"#, "invalid_argument", "count"),
    ]
    for row in table {
      let reply = try await node.request(row.operation, row.payload)
      check(reply, row.operation, row.code, field: row.field, "\(row.operation) \(row.payload)")
    }
    #expect(try await node.request("list", "{}")["data", "alarms"]?.array?.map { $0["revision"] } == before)
    // "nothing to do" once more, with nothing but a first countdown that must not be touched.
    #expect(try await node.request("get", #"{"id":"running"}"#)["data", "state"] == "countdown")
  }

  @Test("A flood is held up, but never a stop")
  func flood() async throws {
    let node = try await NodeProcess.running()
    try await node.request("schedule", #"{"id":"egg","duration":1,"interruptionLevel":"active"}"#)
    try await node.event("alerting", "egg")
    let mark = node.listener.mark
    try await node.send("request/list", ["-q", "0", "-l"], input: String(repeating: "{}\n", count: 3000))
    // The stop is behind the flood, and all replies to the flood are before its own.
    #expect(try await node.request("stop", #"{"id":"egg"}"#)["status"] == "ok")
    let replies = node.listener.messages(after: mark).filter { $0.topic == "\(node.base)/response/list" }
    #expect(replies.contains { $0.json["error", "code"] == "rate_limited" })
    #expect(replies.count { $0.json["status"] == "ok" } >= 500)
  }

  @Test("An operation that the configuration does not allow is not_authorized, as a request and as a set word")
  func notAuthorized() async throws {
    let node = try NodeProcess(BrokerProcess(), settings: ["limits: {operations: [list, schedule, stop]}"])
    let info = try await node.start().first { $0.topic == "\(node.base)/info" }
    #expect(info?.json["operations"]?.array?.map(\.string) == ["schedule", "stop", "list"])
    #expect(try await node.request("schedule", #"{"id":"egg","duration":60}"#)["status"] == "ok")
    check(try await node.request("cancel", #"{"id":"egg"}"#), "cancel", "not_authorized")
    let mark = node.listener.mark
    try await node.publish("alarms/egg/set", "pause")
    check(try await node.reply("pause", after: mark), "pause", "not_authorized")
    #expect(try await node.request("list", "{}")["data", "alarms"]?.array?.map { $0["state"] } == ["countdown"])
  }
}
