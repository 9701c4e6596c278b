import AlarmModel
import CivilTime
import JSON

/// What one request, or one moment, has changed and is to publish: alarm states, node state, activities, events, in that order.
struct ChangeSet: Sendable {
  /// In the order in which they changed.
  var alarms: [String] = []
  /// Those of `alarms` whose state changed, so that their activity goes out.
  var activities: Set<String> = []
  /// Those whose countdown ended on time: tick 0 goes out with the activity.
  var zeroTicks: Set<String> = []
  var events: [Event] = []
  /// The last document of alarms that are gone.
  var removed: [String: JSONObject] = [:]

  var isEmpty: Bool { alarms.isEmpty && events.isEmpty }

  mutating func touch(_ id: String, activity: Bool = true) {
    if !alarms.contains(id) { alarms.append(id) }
    if activity { activities.insert(id) }
  }
}

extension Engine {
  /// Changes a record and notes that it must be stored and published.
  mutating func update(_ id: String, activity: Bool = true, _ body: (inout AlarmRecord) -> Void) {
    guard var record = records[id] else { return }
    body(&record)
    put(record, activity: activity)
  }

  /// Puts a record in the place of its id's, and notes that it must be stored and published.
  mutating func put(_ record: AlarmRecord, activity: Bool = true) {
    alarms[record.alarm.id] = record
    journal.alarms.insert(record.alarm.id)
    changes.touch(record.alarm.id, activity: activity)
  }

  /// Removes a record altogether.
  mutating func remove(_ id: String, outcome: AlarmOutcome? = nil) {
    guard var record = records[id] else { return }
    record.live = nil
    record.lastOutcome = outcome ?? record.lastOutcome
    var document = record.document(at: present, configuration.context)
    document["state"] = .null
    document["nextAlert"] = .null
    document["occurrence"] = .null
    changes.removed[id] = document
    alarms[id] = nil
    journal.alarms.insert(id)
    changes.touch(id, activity: false)
  }

  /// Makes an event, to be stored and published with the present change.
  mutating func note(_ kind: Event.Kind, _ record: AlarmRecord?, _ details: JSONObject = JSONObject(), occurrence: String? = nil) {
    let sequence = takeSequence()
    var document: JSONObject = [
      "event_type": .string(kind.rawValue), "id": JSONValue(record?.alarm.id),
      "title": JSONValue(record.flatMap { $0.alarm.title(in: kind == .alerting ? .alerting : .scheduled) }),
      "body": JSONValue(record?.alarm.body), "occurrence": JSONValue(occurrence ?? record?.live?.occurrence.key),
      "at": text(present.wall), "sequence": .integer(sequence),
    ]
    document.merge(details)
    let event = Event(sequence: sequence, document: document)
    changes.events.append(event)
    journal.events.append(event)
    waitingEvents.append(event)
    if waitingEvents.count > Self.maximumWaitingEvents {
      let dropped = waitingEvents.removeFirst()
      journal.acknowledged.append(dropped.sequence)
    }
  }

  /// The next event number.
  mutating func takeSequence() -> Int64 {
    reserveSequences()
    defer { nextSequence += 1 }
    return nextSequence
  }

  /// Sets a block of event numbers aside on disk before the last one is used up.
  mutating func reserveSequences() {
    guard nextSequence + Self.sequenceBlock / 2 > reservedSequence else { return }
    reservedSequence = nextSequence + Self.sequenceBlock
    journal.values["eventSequence"] = String(reservedSequence)
  }

  /// Numbers up to here are set aside on disk, or the disk fails and an order within this life is all that there is: what waited for it goes out.
  mutating func useSequences(below end: Int64) {
    usableSequence = max(usableSequence, end)
    let withheld = withheldEvents
    withheldEvents = []
    for event in withheld { publish(.event(event)) }
  }

  /// Publishes at once what time or the outputs have changed.
  mutating func publishChanges() {
    let taken = changes
    changes = ChangeSet()
    if !taken.isEmpty { publish(taken) }
  }

  mutating func publish(_ set: ChangeSet) {
    for id in set.alarms { publish(.alarm(id: id, document(of: id))) }
    publishNode()
    for id in set.alarms where set.activities.contains(id) { publishActivity(id, withZero: set.zeroTicks.contains(id)) }
    for event in set.events { publish(.event(event)) }
  }

  /// The node's state: that of its most urgent alarm.
  package func nodeDocument() -> JSONObject {
    let alarms = durableAlarms
    var states: Set<AlarmState> = []
    var alerting: [(ring: UInt64, id: String)] = []
    var next: (at: Instant, id: String)?
    for (id, outlook) in zip(alarms.ids, alarms.outlooks) {
      states.insert(outlook.state)
      if outlook.state == .alerting, let ring = alarms[id]?.alerting?.ring { alerting.append((ring, id)) }
      if let at = outlook.nextAlert, at < next?.at ?? Instant(milliseconds: .max) { next = (at, id) }
    }
    let state = [AlarmState.alerting, .countdown, .paused, .scheduled].first(where: states.contains)
    let upcoming = next.flatMap { next in
      alarms[next.id].map { record -> JSONValue in
        [
          "id": .string(next.id), "title": JSONValue(record.alarm.title(in: .scheduled)),
          "at": JSONValue(next.at, in: record.zone(configuration.context)),
        ]
      }
    }
    return [
      "state": .string(state?.rawValue ?? "idle"), "alerting": .array(alerting.sorted { $0 < $1 }.map { .string($0.id) }),
      "next": upcoming ?? .null, "alarms": JSONValue(alarms.ids.count),
    ]
  }

  /// The alarms without what requests have changed that is not on disk yet; what time has changed since counts.
  private var durableAlarms: AlarmTable {
    var found = alarms
    for token in inFlight.keys.sorted(by: >) {
      guard let entry = inFlight[token] else { continue }
      for (id, before) in entry.before where found[id] == entry.after[id] { found[id] = before }
    }
    return found
  }

  mutating func publishNode() {
    let document = nodeDocument()
    guard isConnected, document != publishedNode else { return }
    publishedNode = document
    publish(.node(document))
  }

  /// The activity of an alarm whose state changed, together with the tick that falls on the same moment.
  mutating func publishActivity(_ id: String, withZero: Bool = false) {
    guard let record = records[id] else { return }
    if let tick = record.dueTick(at: present) {
      publishTick(tick, of: id)
      return
    }
    publish(.activity(id: id, record.activity(at: present, configuration.context)))
    if withZero { publish(.remaining(id: id, 0)) }
  }
}
