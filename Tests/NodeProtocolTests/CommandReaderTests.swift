import AlarmEngine
import AlarmModel
import JSON
import NodeProtocol
import Testing

@Suite("Reading commands")
struct CommandReaderTests {
  @Test("Every operation is read, countdown as snooze")
  func operations() {
    #expect(request("stop", "{}")?.asked == .change(.stop, id: nil, occurrence: nil))
    #expect(request("stop", #"{"id":"a","occurrence":"2026-12-01"}"#)?.asked == .change(.stop, id: "a", occurrence: "2026-12-01"))
    #expect(request("snooze", #"{"duration":"5m"}"#)?.asked == .change(.snooze(300), id: nil, occurrence: nil))
    #expect(request("countdown", "{}")?.asked == .change(.snooze(nil), id: nil, occurrence: nil))
    #expect(request("countdown", "{}")?.name == "countdown", "the reply repeats the name that was called")
    #expect(request("adjust", #"{"id":"a","at":null}"#)?.asked == .change(.adjust(nil), id: "a", occurrence: nil))
    #expect(request("get", #"{"id":"a"}"#)?.asked == .get(id: "a"))
    #expect(request("list", "{}")?.asked == .list)
    for operation in ["pause", "resume", "cancel", "enable", "disable", "skip", "unskip"] {
      #expect(request(operation, #"{"id":"a"}"#)?.asked?.operation.rawValue == operation)
    }
    #expect(request("test", "{}")?.asked?.operation == .test)
    guard case .schedule(let alarm, let revision) = request("schedule", #"{"id":"a","duration":5,"ifRevision":3}"#)?.asked else {
      Issue.record("schedule is not read")
      return
    }
    #expect(alarm.id == "a")
    #expect(revision == 3)
  }

  @Test(
    "Each fault has its code",
    arguments: [
      ("stop", "", .malformedJSON), ("stop", "{", .malformedJSON), ("stop", "stop", .malformedJSON),
      ("stop", #"{"a":1}{"b":2}"#, .malformedJSON),
      ("stop", #"{"id":"a","id":"b"}"#, .malformedJSON), ("explode", "{}", .unknownOperation), ("Stop", "{}", .unknownOperation),
      ("stop", "[]", .invalidArgument),
      ("stop", #"{"ids":["a"]}"#, .invalidArgument), ("snooze", #"{"duration":"10:00"}"#, .invalidArgument),
      ("get", "{}", .invalidArgument),
      ("adjust", #"{"id":"a"}"#, .invalidArgument), ("stop", #"{"notAfter":"soon"}"#, .invalidArgument),
      ("stop", #"{"transaction":[5]}"#, .invalidArgument),
      ("preview", #"{"schedule":{"time":"07:00"},"count":1001}"#, .invalidArgument), ("list", #"{"id":"a"}"#, .invalidArgument),
    ] as [(String, String, RequestError.Code)])
  func faults(operation: String, payload: String, code: RequestError.Code) {
    #expect(request(operation, payload)?.code == code, "\(operation) \(payload)")
  }

  @Test("Bytes that are not UTF-8, deep nesting and huge numbers are faults, not failures")
  func hostile() {
    for payload in [[0xff, 0xfe], [0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d], Array(repeating: 0x5b, count: 60_000)] as [[UInt8]] {
      guard case .request(let request) = reader.read(CommandReader.Message(topic: "reveille/bedroom/request/stop", payload: payload)) else {
        Issue.record("no request")
        continue
      }
      #expect(request.code == .malformedJSON)
    }
    #expect(request("schedule", #"{"duration":1e999}"#)?.code != nil)
    #expect(request("schedule", #"{"duration":5,"volume":99999999999999999999}"#)?.code != nil)
  }

  @Test("64 KiB are read, one byte more is too_large, with no transaction")
  func size() {
    let frame = #"{"transaction":"t","title":"","duration":5}"#.utf8.count
    func payload(_ bytes: Int) -> String { #"{"transaction":"t","title":"\#(String(repeating: "x", count: bytes - frame))","duration":5}"# }
    #expect(request("schedule", payload(65_536))?.code == .invalidArgument, "read, and its title is too long")
    let large = request("schedule", payload(65_537))
    #expect(large?.code == .tooLarge)
    #expect(large?.transaction == nil)
  }

  @Test("A retained command is refused, whatever it says", arguments: ["{}", "", "{", #"{"transaction":"t"}"#])
  func retained(payload: String) { #expect(request("stop", payload, retained: true)?.code == .retainedRequest) }

  @Test("A transaction has up to 128 characters and is told in the reply to a fault as well")
  func transaction() {
    let long = String(repeating: "ä", count: 128)
    #expect(request("list", #"{"transaction":"\#(long)"}"#)?.transaction == long)
    #expect(request("list", #"{"transaction":"\#(long)x"}"#)?.code == .invalidArgument)
    #expect(request("explode", #"{"transaction":"t"}"#)?.transaction == "t")
    #expect(request("stop", #"{"transaction":"t","nonsense":1}"#)?.transaction == "t")
  }

  @Test("Equal bodies have equal digests in whatever order and spacing; different ones differ")
  func digest() throws {
    let first = try #require(request("schedule", #"{"id":"a","metadata":{"x":1,"y":[1,2]},"duration":5}"#))
    let second = try #require(request("schedule", #" { "duration" : 5 , "metadata":{"y":[1, 2],"x":1}, "id":"a" } "#))
    #expect(first.digest == second.digest)
    for other in [#"{"id":"a","metadata":{"x":1,"y":[2,1]},"duration":5}"#, #"{"id":"a","metadata":{"x":1,"y":[1,2]},"duration":6}"#, "{}"]
    {
      #expect(try #require(request("schedule", other)).digest != first.digest)
    }
  }

  @Test("An unsafe name is answered on response/unknown", arguments: ["stop now", "ÄÖ", "", String(repeating: "x", count: 65)])
  func unsafe(name: String) {
    let request = request(name, "{}")
    #expect(request?.name == "unknown")
    #expect(request?.code == .unknownOperation)
  }

  @Test(
    "Words on set topics",
    arguments: ["pause", "resume", "stop", "snooze", "cancel", "enable", "disable", "skip", "unskip", " Stop\n", "SNOOZE"])
  func words(word: String) {
    guard case .request(let request) = reader.read(message("reveille/bedroom/alarms/a/set", word)) else {
      Issue.record("no request")
      return
    }
    guard case .change(_, let id, nil) = request.asked else {
      Issue.record("\(word) is not understood")
      return
    }
    #expect(id == "a")
    #expect(request.name == word.lowercased().split(whereSeparator: \.isWhitespace).joined())
  }

  @Test("A word that is none is refused, a retained one too", arguments: ["", "explode", "adjust", #"{"a":1}"#, "stop stop"])
  func badWords(word: String) {
    guard case .request(let request) = reader.read(message("reveille/bedroom/alarms/a/set", word)),
      case .request(let retained) = reader.read(message("reveille/bedroom/alarms/a/set", "stop", retained: true))
    else {
      Issue.record("no request")
      return
    }
    #expect(request.code != nil)
    #expect(retained.code == .retainedRequest)
  }

  @Test("A forbidden response topic is left unused and the reply says so; correlation data goes with either")
  func responseTopic() {
    let good = request("list", "{}", responseTopic: "reveille/phone/replies")
    #expect(good?.address.responseTopic == "reveille/phone/replies")
    #expect(good?.address.correlationData == [1, 0, 255])
    #expect(good?.address.warning == nil)
    let bad = request("list", "{}", responseTopic: "other/replies")
    #expect(bad?.address.responseTopic == nil)
    #expect(bad?.address.correlationData == [1, 0, 255])
    #expect(bad?.address.warning != nil)
    #expect(bad?.asked == .list, "the request itself is served")
  }

  @Test("Settings and retained alarms are read, messages elsewhere are none")
  func others() {
    guard case .setting("volume", "55", false) = reader.read(message("reveille/bedroom/set/volume", " 55\n")) else {
      Issue.record("the setting is not read")
      return
    }
    guard case .foundRetained("a") = reader.read(message("reveille/bedroom/alarms/a/state", "{}", retained: true)) else {
      Issue.record("the retained alarm is not found")
      return
    }
    #expect(reader.read(message("reveille/bedroom/alarms/a/state", "")) == nil)
    #expect(reader.read(message("reveille/bedroom/response/stop", "{}")) == nil)
  }
}
