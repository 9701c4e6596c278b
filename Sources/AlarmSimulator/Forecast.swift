import AlarmEngine
import AlarmModel
import CivilTime
import JSON

/// What a node would do with some alarms: a real engine under a clock that runs as fast as it can. Nobody presses anything, except that every
/// ring is stopped at once unless the question is what happens if nobody does.
package struct Forecast {
  /// One thing that happens.
  package struct Entry: Sendable {
    package let at: Instant
    /// The alarm; `nil` for a change of the clocks.
    package let id: String?
    package let title: String?
    package let what: String
    /// What is to be known about the clocks; `nil` mostly.
    package let note: String?
  }

  private var zones: [ZoneRules]
  private let start: Instant
  private let end: Instant
  private let isAnswered: Bool
  private var engine: Engine
  private var present: Present
  private var entries: [Entry] = []

  /// - Parameters:
  ///   - documents: alarm documents, as `schedule` takes them.
  ///   - context: whose `localZone` is the node's zone.
  ///   - isAnswered: whether somebody stops each ring at once.
  /// - Throws: `DocumentError`, with the document's place in the field, where one is refused.
  package init(
    _ documents: [JSONObject], context: DocumentContext, from start: Instant, days: Int, isAnswered: Bool
  ) throws(DocumentError) {
    present = Present(wall: start, elapsed: 0)
    zones = [context.localZone]
    self.start = start
    end = start + Int64(days) * 86_400_000
    self.isAnswered = isAnswered
    let configuration = EngineConfiguration(context: context, maximumAlarms: max(documents.count, 64))
    engine = Engine(configuration: configuration, stored: StoredNode(), at: present)
    step(.start)
    for (index, document) in documents.enumerated() {
      let place = documents.count == 1 ? "" : "[\(index)]."
      do throws(DocumentError) {
        let alarm = try Alarm(document: document, context: context)
        if let zone = alarm.schedule?.timeZone.flatMap(context.zone), !zones.contains(zone) { zones.append(zone) }
        if let refusal = step(.request(Request(name: "schedule", body: .success(.schedule(alarm, ifRevision: nil))))) {
          throw DocumentError(field: refusal.field ?? "", message: refusal.message)
        }
      } catch { throw DocumentError(field: place + error.field, message: error.message) }
    }
  }

  /// Lets the time pass, and answers what happened, in order.
  package mutating func run() -> [Entry] {
    while let next = nextMoment, next <= end {
      present.elapsed += max(next - present.wall, 0)
      present.wall = max(next, present.wall)
      step(.wake)
      if isAnswered, engine.records.values.contains(where: { $0.state == .alerting }) {
        step(.request(Request(name: "stop", body: .success(.change(.stop, id: nil, occurrence: nil)))))
      }
    }
    return (clockChanges + entries).enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
  }

  private var nextMoment: Instant? {
    let (wall, elapsed) = engine.nextDeadlines
    return [wall, elapsed.map { present.wall + ($0 - present.elapsed) }].compactMap(\.self).min()
  }

  /// Steps the engine, whose disk is at once done and whose events are at once read; answers why a request was refused.
  @discardableResult
  private mutating func step(_ input: EngineInput) -> (field: String?, message: String)? {
    var inputs = [input]
    if case .request = input { inputs.insert(.connected, at: 0) }
    var refusal: (field: String?, message: String)?
    while !inputs.isEmpty {
      for effect in engine.step(inputs.removeFirst(), at: present) {
        switch effect {
        case .commit(let token, let change):
          inputs.append(.committed(token: token, error: nil))
          for event in change.events {
            note(event)
            inputs.append(.eventAcknowledged(sequence: event.sequence))
          }
        case .publish(.reply(let reply, _)):
          guard let error = reply.document["error"]?.object else { break }
          refusal = (error["field"]?.string, error["message"]?.string ?? "")
        case .publish, .ring: break
        }
      }
    }
    if engine.isConnected { _ = engine.step(.disconnected, at: present) }
    return refusal
  }

  private mutating func note(_ event: Event) {
    let document = event.document
    guard let kind = event.kind, let id = document["id"]?.string else { return }
    let what: String
    switch kind {
    case .started: what = "counts down, \(document["total"].map { "\($0)" } ?? "?") s"
    case .reminder: what = "reminds, \(document["before"].map { "\($0)" } ?? "?") s before"
    case .alerting: what = "alerts"
    case .snoozed: what = "snoozes by itself, \(document["duration"].map { "\($0)" } ?? "?") s"
    case .stopped where document["by"] == "timeout": what = "ends, unanswered"
    case .missed: what = "is missed (\(document["reason"]?.string ?? "?"))"
    default: return
    }
    let occurrence = engine.records[id]?.live?.occurrence
    let note: String?
    switch kind == .alerting && occurrence?.key == document["occurrence"]?.string ? occurrence?.kind : nil {
    case .gap: note = "the clock skips its time; this is the first instant after the gap"
    case .overlap: note = "the clock shows its time twice; this is the first"
    case .exact, nil: note = nil
    }
    entries.append(Entry(at: present.wall, id: id, title: document["title"]?.string, what: what, note: note))
  }

  /// The changes of all clocks that the alarms follow.
  private var clockChanges: [Entry] {
    zones.flatMap { zone -> [Entry] in
      var found: [Entry] = []
      var position = start
      while let change = zone.change(after: position, before: end) {
        let (before, after) = (zone.offset(at: change - 1), zone.offset(at: change))
        let shown = zone.local(at: change).time
        let was = LocalTime(secondOfDay: shown.secondOfDay - (after - before))
        let what = "clocks in \(zone.identifier) go \(after > before ? "forward" : "back") from \(was) to \(shown)"
        found.append(Entry(at: change, id: nil, title: nil, what: what, note: nil))
        position = change
      }
      return found
    }
  }
}
