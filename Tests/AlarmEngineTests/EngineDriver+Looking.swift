import AlarmEngine
import AlarmModel
import CivilTime
import JSON

/// One event and when it was first seen.
struct SeenEvent {
  let now: Int64
  let wall: Instant
  let event: Event

  var sequence: Int64 { event.sequence }
  var kind: String { event.document["event_type"]?.string ?? "" }
  subscript(key: String) -> JSONValue? { event.document[key] }
}

/// The answer to a request, `nil` in all parts where none came.
struct Answer {
  let document: JSONObject?

  init(_ document: JSONObject?) { self.document = document }

  var isOK: Bool { document?["status"]?.string == "ok" }
  var code: String? { document?["error"]?["code"]?.string }
  var field: String? { document?["error"]?["field"]?.string }
  var message: String? { document?["error"]?["message"]?.string }
  var data: JSONValue? { document?["data"] }
}

/// A number of a countdown and when it was published, in milliseconds since the driver began.
struct Tick: Hashable, CustomStringConvertible {
  let seconds: Int64
  let at: Int64

  init(_ seconds: Int64, at: Int64) {
    self.seconds = seconds
    self.at = at
  }

  var description: String { "\(seconds)@\(at)" }
}

/// A ring that began, or silence, and when.
struct Sounding: Hashable {
  let at: Int64
  let sound: String?
}

extension EngineDriver {
  func state(_ id: String) -> String? { engine.records[id]?.state.rawValue }

  /// The alarm's document as it stands now.
  func document(_ id: String) -> JSONObject {
    request("get", #"{"id":"\#(id)"}"#).data?.object ?? [:]
  }

  func replies(since mark: Int = 0) -> [JSONObject] {
    log[mark...].compactMap { if case .publish(.reply(let reply, _)) = $0.effect { reply.document } else { nil } }
  }

  func ticks(_ id: String, since mark: Int = 0) -> [Tick] {
    log[mark...].compactMap {
      if case .publish(.remaining(id, let seconds)) = $0.effect { Tick(seconds, at: $0.now) } else { nil }
    }
  }

  /// The activities as a subscriber reads them.
  func activities(_ id: String, since mark: Int = 0) -> [JSONObject] {
    log[mark...].compactMap { if case .publish(.activity(id, let document)) = $0.effect { json(document.description) } else { nil } }
  }

  func kinds(_ id: String? = nil, since mark: Int = 0) -> [String] {
    events(id, since: mark).map(\.kind)
  }

  func events(_ id: String? = nil, kind: String? = nil, since mark: Int = 0) -> [SeenEvent] {
    events[mark...].filter { (id == nil || $0["id"]?.string == id) && (kind == nil || $0.kind == kind) }
  }

  /// When an alarm began to alert, in milliseconds since the driver began.
  func alerts(_ id: String) -> [Int64] { events(id, kind: "alerting").map(\.now) }

  /// When an alarm began to alert, by the wall clock.
  func wallAlerts(_ id: String) -> [Instant] { events(id, kind: "alerting").map(\.wall) }

  var soundings: [Sounding] {
    log.compactMap { if case .ring(let ring) = $0.effect { Sounding(at: $0.now, sound: ring?.sound) } else { nil } }
  }

  /// What sounds at this moment.
  var sounding: String? { soundings.last?.sound }

  func publications(since mark: Int = 0) -> [EnginePublication] {
    log[mark...].compactMap { if case .publish(let publication) = $0.effect { publication } else { nil } }
  }

  /// What kinds of publications came, in order.
  func publishedKinds(since mark: Int = 0) -> [String] {
    publications(since: mark).map {
      switch $0 {
      case .info: "info"
      case .health: "health"
      case .online: "online"
      case .setting: "setting"
      case .alarm: "alarm"
      case .node: "node"
      case .activity: "activity"
      case .remaining: "remaining"
      case .event: "event"
      case .reply: "reply"
      }
    }
  }

  func commits(since mark: Int = 0) -> [EngineChange] {
    log[mark...].compactMap { if case .commit(_, let change) = $0.effect { change } else { nil } }
  }
}
