import AlarmModel
import CivilTime
import JSON

extension AlarmRecord {
  /// The whole alarm document as it is published at a moment.
  func document(at present: Present, _ context: DocumentContext) -> JSONObject {
    let zone = zone(context)
    var document = alarm.document(in: zone)
    document["state"] = .string(state.rawValue)
    document["revision"] = JSONValue(revision)
    let next = next(context)
    document["occurrence"] = JSONValue(alarm.isEnabled ? live?.occurrence.key ?? next?.key : nil)
    document["nextAlert"] = JSONValue(nextAlert(next: next), in: zone)
    var fireDate: Instant?
    var total: Seconds?
    var remaining: Int64?
    if alarm.isEnabled {
      switch live?.stage {
      case .countdown(let countdown):
        fireDate = countdown.fireDate
        total = countdown.total
        remaining = countdown.left(at: present).roundedUp
      case .paused(let paused):
        total = paused.total
        remaining = paused.left.roundedUp
      case .alerting, nil: break
      }
    }
    document["fireDate"] = JSONValue(fireDate, in: zone)
    document["total"] = total?.json ?? .null
    document["remaining"] = remaining.map(JSONValue.integer) ?? .null
    document["snoozes"] = JSONValue(live?.snoozes ?? 0)
    document["skipped"] = JSONValue(skipped?.description)
    document["adjusted"] = JSONValue(adjusted?.at, in: zone)
    document["lastOutcome"] = JSONValue(lastOutcome?.rawValue)
    return document
  }

  /// When it alerts next, as things stand: the end of its countdown, else its next occurrence. `nil` while disabled, and where there is none.
  func nextAlert(next: Occurrence?) -> Instant? {
    guard alarm.isEnabled else { return nil }
    if case .countdown(let countdown) = live?.stage { return countdown.fireDate }
    return next?.due
  }

  /// The Live Activity's document at a moment. `remaining` is given for a tick, which shows its own whole number.
  func activity(at present: Present, remaining tick: Int64? = nil, _ context: DocumentContext) -> JSONObject {
    let zone = zone(context)
    var remaining: Int64 = 0
    var total: Seconds?
    var previouslyElapsed: Seconds?
    var phase: CountdownPhase?
    var startDate: Instant?
    var fireDate: Instant?
    switch live?.stage {
    case .countdown(let countdown):
      phase = countdown.phase
      total = countdown.total
      remaining = tick ?? countdown.left(at: present).roundedUp
      previouslyElapsed = countdown.previouslyElapsed
      startDate = countdown.startDate
      fireDate = countdown.fireDate
    case .paused(let paused):
      phase = paused.phase
      total = paused.total
      remaining = paused.left.roundedUp
      previouslyElapsed = Seconds(milliseconds: paused.total.milliseconds - paused.left.milliseconds)
    case .alerting(let alerting): fireDate = alerting.due
    case nil: break
    }
    let counts = total != nil
    let elapsed = Double(total?.milliseconds ?? 0) / 1000 - Double(remaining)
    let state = state
    return [
      "id": .string(alarm.id), "state": .string(state.rawValue), "phase": JSONValue(phase?.rawValue),
      "title": JSONValue(alarm.title(in: state)), "body": JSONValue(alarm.body),
      "remaining": counts || state == .alerting ? .integer(remaining) : .null,
      "elapsed": counts ? .number(max(elapsed, 0)) : .null,
      "previouslyElapsed": previouslyElapsed?.json ?? .null,
      "total": total?.json ?? .null,
      "progress": total.map { .number(Self.progress(elapsed: elapsed, of: $0)) } ?? (state == .alerting ? 1 : .null),
      "formatted": counts || state == .alerting ? .string(Self.formatted(remaining)) : .null,
      "startDate": JSONValue(startDate, in: zone),
      "fireDate": JSONValue(fireDate, in: zone),
      "buttons": .array(alarm.buttons(in: state).map(JSONValue.string)),
      "tint": JSONValue(alarm.tint), "icon": JSONValue(alarm.icon), "metadata": .object(alarm.metadata),
    ]
  }

  /// The elapsed share, 0…1, to four decimals.
  private static func progress(elapsed: Double, of total: Seconds) -> Double {
    let share = elapsed * 1000 / Double(max(total.milliseconds, 1))
    return (min(max(share, 0), 1) * 10_000).rounded() / 10_000
  }

  /// `MM:SS`, from one hour on `H:MM:SS`.
  static func formatted(_ seconds: Int64) -> String {
    func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let minutes = seconds / 60 % 60
    return seconds < 3600 ? "\(two(minutes)):\(two(seconds % 60))" : "\(seconds / 3600):\(two(minutes)):\(two(seconds % 60))"
  }
}

extension JSONValue {
  /// An instant as documents have it; `null` where it is absent.
  init(_ instant: Instant?, in zone: ZoneRules) { self.init(instant.map { $0.formatted(in: zone) }) }
}

extension AlarmRecord.Countdown {
  /// What is left of it, never negative.
  func left(at present: Present) -> Seconds { Seconds(milliseconds: max(-deadline.lateness(at: present), 0)) }
}
