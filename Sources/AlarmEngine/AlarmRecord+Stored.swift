import AlarmModel
import CivilTime
import JSON

extension AlarmRecord {
  /// The record as the store keeps it. `boot` names the boot within which its elapsed times hold.
  func stored(boot: String?) -> JSONObject {
    var object: JSONObject = [
      "alarm": .object(alarm.document(in: .utc)), "revision": JSONValue(revision), "judgedFrom": .integer(judgedFrom.milliseconds),
    ]
    object["provisional"] = provisional.map { ["elapsed": .integer($0.elapsed), "boot": JSONValue($0.boot)] }
    object["mark"] = mark.map { .string($0.description) }
    object["onceDate"] = onceDate.map { .string($0.description) }
    object["skipped"] = skipped.map { .string($0.description) }
    object["adjusted"] = adjusted.map { ["date": .string($0.date.description), "at": .integer($0.at.milliseconds)] }
    object["reminded"] = reminded.map { ["occurrence": .string($0.occurrence), "length": .integer($0.length.milliseconds)] }
    object["lastOutcome"] = lastOutcome.map { .string($0.rawValue) }
    object["missedAt"] = missedAt.map { .integer($0.milliseconds) }
    object["live"] = live.map { .object($0.stored(boot: boot)) }
    return object
  }

  /// Reads a stored record.
  ///
  /// - Throws: `DocumentError` where it is none of this version's.
  init(stored object: JSONObject, configuration: EngineConfiguration, present: Present) throws(DocumentError) {
    // What was accepted once stays accepted: a sound whose file is gone falls back when it rings, a zone that is gone to the node's own.
    var lenient = configuration.context
    let zones = configuration.context
    lenient.isKnownSound = { _ in true }
    lenient.zone = { name in zones.zone(name) ?? zones.localZone }
    guard let document = object["alarm"]?.object else { throw DocumentError(field: "alarm", message: "is missing") }
    guard let judgedFrom = object.instant("judgedFrom") else { throw DocumentError(field: "judgedFrom", message: "is missing") }
    self.init(alarm: try Alarm(document: document, context: lenient), judgedFrom: judgedFrom)
    revision = object["revision"]?.integer.map(Int.init) ?? 1
    if let stored = object["provisional"]?.object, let elapsed = stored["elapsed"]?.integer {
      provisional = Provisional(elapsed: elapsed, boot: stored["boot"]?.string)
    }
    mark = object.date("mark")
    onceDate = object.date("onceDate")
    skipped = object.date("skipped")
    if let stored = object["adjusted"]?.object, let date = stored.date("date"), let at = stored.instant("at") {
      adjusted = Adjustment(date: date, at: at)
    }
    if let stored = object["reminded"]?.object, let occurrence = stored["occurrence"]?.string, let length = stored.seconds("length") {
      reminded = Reminded(occurrence: occurrence, length: length)
    }
    lastOutcome = object["lastOutcome"]?.string.flatMap(AlarmOutcome.init)
    missedAt = object.instant("missedAt")
    if let stored = object["live"]?.object {
      guard let live = Live(stored: stored, boot: configuration.boot, present: present) else {
        throw DocumentError(field: "live", message: "is incomplete")
      }
      self.live = live
    }
  }
}

extension AlarmRecord.Live {
  fileprivate func stored(boot: String?) -> JSONObject {
    var object: JSONObject = [
      "occurrence": .string(occurrence.key), "due": .integer(occurrence.due.milliseconds), "snoozes": JSONValue(snoozes),
      "automaticSnoozes": JSONValue(automaticSnoozes),
    ]
    object["date"] = occurrence.date.map { .string($0.description) }
    object["previousMark"] = previousMark.map { .string($0.description) }
    if !receipt.members.isEmpty { object["receipt"] = .object(receipt) }
    switch stage {
    case .countdown(let countdown):
      object["stage"] = "countdown"
      object["phase"] = .string(countdown.phase.rawValue)
      object["total"] = .integer(countdown.total.milliseconds)
      object["startDate"] = .integer(countdown.startDate.milliseconds)
      object["fireDate"] = .integer(countdown.fireDate.milliseconds)
      object["previouslyElapsed"] = .integer(countdown.previouslyElapsed.milliseconds)
      object["anchor"] = countdown.anchor.map { .integer($0.milliseconds) }
      if case .elapsed(let deadline) = countdown.deadline {
        object["deadline"] = .integer(deadline)
        object["boot"] = JSONValue(boot)
      }
    case .paused(let paused):
      object["stage"] = "paused"
      object["phase"] = .string(paused.phase.rawValue)
      object["total"] = .integer(paused.total.milliseconds)
      object["left"] = .integer(paused.left.milliseconds)
    case .alerting(let alerting):
      object["stage"] = "alerting"
      object["since"] = .integer(alerting.since.milliseconds)
      object["alertDue"] = .integer(alerting.due.milliseconds)
      object["lateness"] = .integer(alerting.lateness)
    }
    return object
  }

  fileprivate init?(stored object: JSONObject, boot: String?, present: Present) {
    guard let key = object["occurrence"]?.string, let due = object.instant("due") else { return nil }
    occurrence = Occurrence(key: key, date: object.date("date"), due: due)
    snoozes = object["snoozes"]?.integer.map(Int.init) ?? 0
    automaticSnoozes = object["automaticSnoozes"]?.integer.map(Int.init) ?? 0
    previousMark = object.date("previousMark")
    receipt = object["receipt"]?.object ?? JSONObject()
    let phase = object["phase"]?.string.flatMap(CountdownPhase.init)
    switch object["stage"]?.string {
    case "countdown":
      guard let phase, let total = object.seconds("total"), let startDate = object.instant("startDate"),
        let fireDate = object.instant("fireDate"), let previouslyElapsed = object.seconds("previouslyElapsed")
      else { return nil }
      var countdown = AlarmRecord.Countdown(
        phase: phase, total: total, startDate: startDate, fireDate: fireDate, deadline: .wall(fireDate),
        previouslyElapsed: previouslyElapsed)
      if let deadline = object["deadline"]?.integer {
        let isSameBoot = boot != nil && object["boot"]?.string == boot
        // After a reboot the time that passed meanwhile counts, by the wall clock. A clock that went back cannot make it longer than it was.
        let end = object.instant("anchor") ?? fireDate
        let left = min(end - present.wall, total.milliseconds - previouslyElapsed.milliseconds)
        countdown.deadline = .elapsed(isSameBoot ? deadline : present.elapsed + left)
        countdown.anchor = isSameBoot ? object.instant("anchor") : present.isSynchronized ? nil : end
      }
      stage = .countdown(countdown)
    case "paused":
      guard let phase, let total = object.seconds("total"), let left = object.seconds("left") else { return nil }
      stage = .paused(AlarmRecord.Paused(phase: phase, total: total, left: left))
    case "alerting":
      guard let since = object.instant("since"), let alertDue = object.instant("alertDue"), let lateness = object["lateness"]?.integer
      else { return nil }
      stage = .alerting(
        AlarmRecord.Alerting(since: since, sinceElapsed: present.elapsed, due: alertDue, ring: 0, lateness: lateness))
    default: return nil
    }
  }
}

extension JSONObject {
  fileprivate func instant(_ key: String) -> Instant? { self[key]?.integer.map(Instant.init(milliseconds:)) }
  fileprivate func seconds(_ key: String) -> Seconds? { self[key]?.integer.map(Seconds.init(milliseconds:)) }
  fileprivate func date(_ key: String) -> LocalDate? { self[key]?.string.flatMap(LocalDate.init) }
}
