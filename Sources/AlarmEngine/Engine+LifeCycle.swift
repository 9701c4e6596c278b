import AlarmModel
import CivilTime
import JSON

extension Engine {
  /// The pre-alert of a scheduled occurrence begins, on the wall clock.
  mutating func begin(_ id: String, _ occurrence: Occurrence, lateness: Int64) {
    guard let total = records[id]?.alarm.countdownDuration.preAlert else { return }
    var countdown = AlarmRecord.Countdown(
      phase: .preAlert, total: total, startDate: occurrence.due - total.milliseconds, fireDate: occurrence.due,
      deadline: .wall(occurrence.due))
    if lateness > Self.tickTolerance { countdown.enterLate(at: present) }
    update(id) { $0.begin(occurrence, .countdown(countdown)) }
    noteStarted(id)
  }

  /// A timer starts, or starts anew; the event of what made it start comes first.
  mutating func startTimer(_ id: String, after kind: Event.Kind) {
    guard let total = records[id]?.alarm.countdownDuration.preAlert else { return }
    let occurrence = Occurrence(key: present.wall.formatted(in: .utc), date: nil, due: present.wall + total.milliseconds)
    let live = AlarmRecord.Live(occurrence: occurrence, stage: .countdown(countdown(.preAlert, total: total, left: total)))
    update(id) { $0.live = live }
    if let record = records[id] { noteNext(kind, record) }
    noteStarted(id)
  }

  /// A countdown that follows elapsed time.
  func countdown(_ phase: CountdownPhase, total: Seconds, left: Seconds) -> AlarmRecord.Countdown {
    AlarmRecord.Countdown(
      phase: phase, total: total, startDate: present.wall, fireDate: present.wall + left.milliseconds,
      deadline: .elapsed(present.elapsed + left.milliseconds),
      previouslyElapsed: Seconds(milliseconds: total.milliseconds - left.milliseconds))
  }

  private mutating func noteStarted(_ id: String) {
    guard let record = records[id], case .countdown(let countdown) = record.live?.stage else { return }
    note(.started, record, ["total": countdown.total.json, "fireDate": text(countdown.fireDate)])
  }

  /// The alarm alerts: a ring begins, of `occurrence` or of the one that is live already.
  mutating func alert(_ id: String, _ occurrence: Occurrence? = nil, due: Instant, lateness: Int64, afterCountdown: Bool) {
    let ring = nextRing
    nextRing += 1
    let alerting = AlarmRecord.Alerting(since: present.wall, sinceElapsed: present.elapsed, due: due, ring: ring, lateness: lateness)
    update(id) { record in
      if let occurrence {
        record.begin(occurrence, .alerting(alerting))
      } else {
        record.live?.stage = .alerting(alerting)
        record.live?.receipt = JSONObject()
      }
      record.adjusted = nil
    }
    if afterCountdown, lateness <= Self.tickTolerance { changes.zeroTicks.insert(id) }
    guard let record = records[id] else { return }
    note(
      .alerting, record,
      ["due": text(due), "lateness": .number(Double(lateness) / 1000), "muted": JSONValue(settings.quiet(record.alarm.interruptionLevel))])
  }

  /// Back to counting down, for a while.
  mutating func snooze(_ id: String, for requested: Seconds?, by: String) {
    guard let alarm = records[id]?.alarm else { return }
    let length =
      requested ?? alarm.countdownDuration.postAlert ?? (alarm.isTimer ? alarm.countdownDuration.preAlert : nil) ?? settings.snooze
    let countdown = countdown(.postAlert, total: length, left: length)
    update(id) { record in
      record.live?.stage = .countdown(countdown)
      record.live?.snoozes += 1
      if by == "timeout" { record.live?.automaticSnoozes += 1 }
      record.lastOutcome = nil
    }
    guard let record = records[id], let live = record.live else { return }
    note(
      .snoozed, record,
      [
        "by": .string(by), "duration": length.json, "fireDate": text(present.wall + length.milliseconds),
        "snoozes": JSONValue(live.snoozes),
      ])
  }

  mutating func ringTimeout(_ id: String) {
    guard let record = records[id], let live = record.live else { return }
    switch record.alarm.onRingTimeout {
    case .stop: end(id, stoppedBy: "timeout")
    case .snooze:
      let isAllowed = record.alarm.maximumSnoozes.map { live.snoozes < $0 } ?? (live.automaticSnoozes < 3)
      if isAllowed { snooze(id, for: nil, by: "timeout") } else { end(id, missed: "unanswered", due: record.alerting?.due) }
    }
  }

  /// Ends the live occurrence as stopped: a one-shot is removed, a repeating alarm is scheduled again.
  mutating func end(_ id: String, stoppedBy by: String, outcome: AlarmOutcome = .stopped) {
    guard let record = records[id], let live = record.live else { return }
    note(.stopped, record, receipt(of: record, by: by))
    update(id) { record in
      record.live = nil
      record.adjusted = nil
      record.lastOutcome = outcome
      if let date = live.occurrence.date { record.mark = max(record.mark ?? date, date) }
    }
    if outcome == .stopped, !record.alarm.isRepeating { remove(id, outcome: outcome) }
  }

  /// Ends the live occurrence as missed: a one-shot stays, disabled.
  mutating func end(_ id: String, missed reason: String, due: Instant?) {
    guard let record = records[id], record.live != nil else { return }
    var details = receipt(of: record, by: nil)
    details.merge(missedDetails(reason, due: due))
    details["by"] = nil
    note(.missed, record, details)
    update(id) { record in
      record.live = nil
      record.adjusted = nil
      record.lastOutcome = .missed
    }
    if !record.alarm.isRepeating { retire(id) }
  }

  /// A one-shot that was missed stays to be seen, disabled.
  mutating func retire(_ id: String) {
    let now = present.wall
    update(id) { record in
      record.alarm.isEnabled = false
      record.missedAt = now
    }
  }

  /// What is to be said of an occurrence at its end.
  private func receipt(of record: AlarmRecord, by: String?) -> JSONObject {
    guard let live = record.live else { return JSONObject() }
    var details: JSONObject = ["by": JSONValue(by), "state": .string(record.state.rawValue), "snoozes": JSONValue(live.snoozes)]
    if let alerting = record.alerting {
      details["due"] = text(alerting.due)
      details["alertedAt"] = text(alerting.since)
      details["lateness"] = .number(Double(alerting.lateness) / 1000)
      details["rang"] = .number(Double(max(present.elapsed - alerting.sinceElapsed, 0)) / 1000)
      details.merge(live.receipt)
    }
    return details
  }

  /// An instant in the node's zone.
  func text(_ instant: Instant?) -> JSONValue { JSONValue(instant, in: configuration.context.localZone) }
}
