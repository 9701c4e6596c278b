import AlarmModel
import CivilTime
import JSON

extension Engine {
  /// Creates or replaces an alarm, and answers its id.
  mutating func schedule(_ alarm: Alarm, ifRevision: Int?) throws(RequestError) -> String {
    let existing = records[alarm.id]
    if let ifRevision, ifRevision != existing?.revision {
      let now = existing.map { "it is at \($0.revision)" } ?? "there is no such alarm"
      throw RequestError(.conflict, "the alarm is not at revision \(ifRevision): \(now)", field: "ifRevision")
    }
    if existing?.alarm == alarm { return alarm.id }
    if existing == nil, records.count >= configuration.maximumAlarms {
      throw RequestError(.limitReached, "there are \(records.count) alarms already, as many as this node keeps; cancel one first")
    }
    var record = AlarmRecord(alarm: alarm, judgedFrom: present.wall)
    try judgeAfresh(&record)
    if let existing, existing.live != nil { end(alarm.id, stoppedBy: "replaced", outcome: .replaced) }
    record.revision = (existing?.revision ?? 0) + 1
    record.lastOutcome = records[alarm.id]?.lastOutcome
    put(record)
    let kind: Event.Kind = existing == nil ? .scheduled : .updated
    if alarm.isTimer, alarm.isEnabled { startTimer(alarm.id, after: kind) } else { noteNext(kind, record) }
    return alarm.id
  }

  /// Changes some members of an alarm's document, as if it were read, edited and scheduled again.
  mutating func update(_ id: String, _ members: JSONObject, ifRevision: Int?) throws(RequestError) -> String {
    guard let record = records[id] else { throw RequestError(.notFound, "there is no alarm \(id)", field: "id") }
    var document = record.alarm.document(in: record.zone(configuration.context))
    var members = members
    if let duration = members["duration"] {
      // Short for this one.
      members["duration"] = nil
      members.patch(with: ["countdown": ["preAlert": duration]])
    }
    if let schedule = members["schedule"]?.object {
      // The other kind of schedule takes the place of the present one.
      let isFixed = (schedule["at"] ?? .null) != .null
      let others = isFixed ? ["time", "weekdays"] : (schedule["time"] ?? .null) != .null ? ["at"] : []
      document.patch(with: ["schedule": .object(JSONObject(others.map { ($0, .null) }))])
    }
    document.patch(with: members)
    document["id"] = .string(id)
    return try schedule(try read(document), ifRevision: ifRevision)
  }

  func read(_ document: JSONObject) throws(RequestError) -> Alarm {
    do throws(DocumentError) { return try Alarm(document: document, context: configuration.context) } catch { throw RequestError(error) }
  }

  /// Sounds the siren, anew if it sounds already.
  mutating func sound(_ siren: RequestBody.Siren) throws(RequestError) -> String {
    if let sound = siren.sound, !configuration.context.isKnownSound(sound) {
      throw RequestError(.invalidArgument, DocumentContext.unknownSound, field: "tone")
    }
    return try schedule(siren.alarm, ifRevision: nil)
  }

  /// Makes a record look ahead from now on: nothing before counts.
  private func judgeAfresh(_ record: inout AlarmRecord) throws(RequestError) {
    record.judgedFrom = present.wall
    record.provisional = trust == .untrusted ? AlarmRecord.Provisional(elapsed: present.elapsed, boot: configuration.boot) : nil
    record.missedAt = nil
    record.skipped = nil
    record.adjusted = nil
    switch record.alarm.schedule {
    case nil: break
    case .fixed(let at, _):
      guard at > present.wall else { throw RequestError(.invalidArgument, "is past", field: "schedule.at") }
    case .relative(_, let weekdays, _) where weekdays.isEmpty:
      guard let first = record.rule(configuration.context)?.first(after: nil, dueAfter: present.wall) else {
        throw RequestError(.invalidArgument, "leaves no day for the alarm", field: "exceptDates")
      }
      record.onceDate = first.date
    case .relative: break
    }
  }

  /// An event that tells when the alarm alerts next; it is about the present or next occurrence unless another one is given.
  mutating func noteNext(_ kind: Event.Kind, _ record: AlarmRecord, occurrence: String? = nil) {
    let next = record.next(configuration.context)
    note(
      kind, record, ["nextAlert": JSONValue(record.nextAlert(next: next), in: record.zone(configuration.context))],
      occurrence: occurrence ?? record.live?.occurrence.key ?? next?.key)
  }

  /// Performs one operation on one alarm, or changes nothing.
  mutating func apply(_ operation: AlarmOperation, to id: String, by origin: RequestOrigin) throws(RequestError) {
    guard let record = records[id] else { throw RequestError(.notFound, "there is no alarm \(id)", field: "id") }
    switch operation {
    case .cancel:
      note(.cancelled, record)
      remove(id)
    case .pause: try pause(id, record)
    case .resume: try resume(id, record)
    case .stop:
      guard record.live != nil, record.alarm.isEnabled else { throw invalid(operation, record) }
      end(id, stoppedBy: origin.rawValue)
    case .snooze(let length):
      guard let live = record.live, record.state == .alerting else { throw invalid(operation, record) }
      if let maximum = record.alarm.maximumSnoozes, live.snoozes >= maximum {
        throw RequestError(.limitReached, "this occurrence was snoozed \(live.snoozes) times, as often as maximumSnoozes allows")
      }
      snooze(id, for: length, by: origin.rawValue)
    case .enable: try enable(id, record)
    case .disable:
      guard record.alarm.isEnabled else { return }
      if record.live != nil { end(id, stoppedBy: "disabled", outcome: .disabled) }
      update(id) { record in
        record.alarm.isEnabled = false
        record.revision += 1
      }
      note(.disabled, records[id])
    case .skip:
      let next = try nextOfRepeating(operation, record)
      if record.skipped != nil { return }
      update(id, activity: false) { record in
        record.skipped = next.date
        record.revision += 1
      }
      if let record = records[id] { noteNext(.skipped, record, occurrence: next.key) }
    case .unskip:
      _ = try nextOfRepeating(operation, record)
      guard let skipped = record.skipped else { return }
      update(id, activity: false) { record in
        record.skipped = nil
        record.revision += 1
      }
      if let record = records[id] { noteNext(.updated, record, occurrence: skipped.description) }
    case .adjust(let at): try adjust(id, record, to: at)
    }
  }

  private func invalid(_ operation: AlarmOperation, _ record: AlarmRecord) -> RequestError {
    RequestError(.invalidTransition, "\(operation.operation.rawValue) is not allowed while the alarm is \(record.state.rawValue)")
  }

  private mutating func pause(_ id: String, _ record: AlarmRecord) throws(RequestError) {
    guard record.alarm.isEnabled, case .countdown(let countdown) = record.live?.stage else { throw invalid(.pause, record) }
    let left = countdown.left(at: present)
    update(id) { $0.live?.stage = .paused(AlarmRecord.Paused(phase: countdown.phase, total: countdown.total, left: left)) }
    note(.paused, records[id], ["remaining": .integer(left.roundedUp)])
  }

  private mutating func resume(_ id: String, _ record: AlarmRecord) throws(RequestError) {
    guard record.alarm.isEnabled, case .paused(let paused) = record.live?.stage else { throw invalid(.resume, record) }
    var resumed = countdown(paused.phase, total: paused.total, left: paused.left)
    resumed.enterLate(at: present)
    update(id) { $0.live?.stage = .countdown(resumed) }
    note(.resumed, records[id], ["remaining": .integer(paused.left.roundedUp), "fireDate": text(resumed.fireDate)])
  }

  private mutating func enable(_ id: String, _ record: AlarmRecord) throws(RequestError) {
    guard !record.alarm.isEnabled else { return }
    var enabled = record
    enabled.alarm.isEnabled = true
    try judgeAfresh(&enabled)
    enabled.revision += 1
    put(enabled)
    if enabled.alarm.isTimer { startTimer(id, after: .enabled) } else { noteNext(.enabled, enabled) }
  }

  /// The occurrence that `skip` and `adjust` mean: the next one, whether it is skipped already or not.
  private func nextOfRepeating(_ operation: AlarmOperation, _ record: AlarmRecord) throws(RequestError) -> Occurrence {
    guard record.alarm.isRepeating, record.state == .scheduled else {
      if record.alarm.isRepeating { throw invalid(operation, record) }
      throw RequestError(.invalidTransition, "\(operation.operation.rawValue) is for repeating alarms; this one fires once")
    }
    guard let next = record.next(configuration.context) else {
      throw RequestError(.invalidTransition, "the alarm has no next occurrence")
    }
    return next
  }

  private mutating func adjust(_ id: String, _ record: AlarmRecord, to at: Instant?) throws(RequestError) {
    let operation = AlarmOperation.adjust(at)
    let next = try nextOfRepeating(operation, record)
    if at == record.adjusted?.at { return }
    if let at {
      guard at > present.wall else { throw RequestError(.invalidArgument, "is past", field: "at") }
      if let following = record.following(after: next.date, dueAfter: record.judgedFrom, configuration.context), at >= following.due {
        throw RequestError(.invalidArgument, "lies beyond the occurrence after the next", field: "at")
      }
    }
    update(id, activity: false) { record in
      record.adjusted = at.flatMap { at in next.date.map { AlarmRecord.Adjustment(date: $0, at: at) } }
      record.revision += 1
    }
    if let record = records[id] { noteNext(.adjusted, record, occurrence: next.key) }
  }

  /// Why a test is not heard; `nil`: it is.
  var testQuiet: String? { settings.isMuted ? "muted" : settings.isSilent ? "silent" : nil }

  /// Sounds a short test.
  mutating func sound(_ test: RequestBody.Test) throws(RequestError) {
    if let sound = test.sound, !configuration.context.isKnownSound(sound) {
      throw RequestError(.invalidArgument, DocumentContext.unknownSound, field: "sound")
    }
    guard testQuiet == nil || test.outputs == ["light"] else { return }
    soundShortly(test.sound, volume: test.volume, for: test.duration, outputs: test.outputs)
  }
}
