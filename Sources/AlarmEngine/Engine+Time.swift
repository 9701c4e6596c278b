import AlarmModel
import CivilTime
import JSON

extension Engine {
  /// The moments at which the engine must be stepped next, on each clock.
  package var nextDeadlines: (wall: Instant?, elapsed: Int64?) {
    var wall: Instant?
    var elapsed: Int64?
    func consider(_ deadline: Deadline?) {
      switch deadline {
      case .wall where heldUntil != nil: break
      case .wall(let instant): wall = min(wall ?? instant, instant)
      case .elapsed(let milliseconds): elapsed = min(elapsed ?? milliseconds, milliseconds)
      case nil: break
      }
    }
    for outlook in alarms.outlooks {
      if outlook.wall.milliseconds != .max { consider(.wall(outlook.wall)) }
      if outlook.elapsed != .max { consider(.elapsed(outlook.elapsed)) }
    }
    if isConnected { for id in countingDown { consider(records[id]?.nextTick(at: present)) } }
    consider(shortSound.map { .elapsed($0.until) })
    consider(hushed.map { .elapsed($0.until) })
    if let heldUntil {
      // The time service may confirm the clock without a further sign.
      consider(.elapsed(min(heldUntil, present.elapsed + Self.confirmationInterval)))
    }
    if isTimeWorthStoring { consider(timeStoredAt.map { .elapsed($0 + Self.timeStoringInterval) }) }
    consider(journal.flushAt.map(Deadline.elapsed))
    if trust == .untrusted, let lowest = wall {
      // The clock that could wake at this time shows another one.
      elapsed = min(elapsed ?? .max, present.elapsed + (lowest - present.wall))
      wall = nil
    }
    return (wall, elapsed)
  }

  /// Does what is due, in the order in which it was due.
  mutating func evaluate() {
    if let shortSound, shortSound.until <= present.elapsed { self.shortSound = nil }
    if let hushed, hushed.until <= present.elapsed { self.hushed = nil }
    // Each transition moves its alarm on; the bound is for a fault of this code, which must not stop the loop that rings.
    for _ in 0..<10_000 {
      var first: (id: String, lateness: Int64, transition: Transition)?
      for (id, outlook) in zip(alarms.ids, alarms.outlooks)
      where outlook.elapsed <= present.elapsed || (outlook.wall <= present.wall && heldUntil == nil) {
        guard let next = nextTransition(of: id) else { continue }
        let lateness = next.deadline.lateness(at: present)
        if lateness >= 0, lateness > first?.lateness ?? -1 { first = (id, lateness, next.transition) }
      }
      guard let first else { return }
      perform(first.transition, on: first.id, lateness: first.lateness)
    }
  }

  /// The next thing that time does to an alarm; while a large step of the wall clock is unconfirmed, elapsed time alone counts.
  private func nextTransition(of id: String) -> (deadline: Deadline, transition: Transition)? {
    guard let record = records[id] else { return nil }
    return record.transitions(next: record.next(configuration.context), by: present.wall, configuration.context)
      .filter { heldUntil == nil || !$0.deadline.isOnWall }
      .max { $0.deadline.lateness(at: present) < $1.deadline.lateness(at: present) }
  }

  private mutating func perform(_ transition: Transition, on id: String, lateness: Int64) {
    guard let record = records[id] else { return }
    switch transition {
    case .begin(let occurrence): begin(id, occurrence, lateness: lateness)
    case .remind(let length, let occurrence):
      update(id, activity: false) { $0.reminded = AlarmRecord.Reminded(occurrence: occurrence, length: length) }
      if lateness <= Self.punctual, let record = records[id] {
        note(.reminder, record, ["before": length.json], occurrence: occurrence)
        chime(for: record)
      }
    case .due(let occurrence): judge(id, from: occurrence)
    case .countdownEnd:
      guard case .countdown(let countdown) = record.live?.stage else { return }
      let due = countdown.fireDate
      if isTooLate(lateness, record.alarm) {
        end(id, missed: "downtime", due: due)
      } else {
        alert(id, due: due, lateness: lateness, afterCountdown: true)
      }
    case .overlap: end(id, missed: "overlapped", due: record.live?.occurrence.due)
    case .ringTimeout: ringTimeout(id)
    case .skipPast(let date):
      update(id, activity: false) { record in
        record.skipped = nil
        record.mark = max(record.mark ?? date, date)
      }
    case .forget: remove(id)
    }
  }

  /// Whether an alert this late is missed.
  func isTooLate(_ lateness: Int64, _ alarm: Alarm) -> Bool {
    let grace = alarm.missedPolicy == .ring ? alarm.missedGrace.milliseconds : 0
    return lateness >= max(grace, Self.punctual)
  }

  /// Judges an alarm once for all its occurrences that are past: the latest one rings or is missed, earlier ones are missed with one event.
  private mutating func judge(_ id: String, from first: Occurrence) {
    guard let record = records[id] else { return }
    var latest = first
    var previous: Occurrence?
    var passed = 0
    while record.alarm.isRepeating, let date = latest.date,
      let following = record.following(after: date, dueAfter: record.judgedFrom, configuration.context), following.due <= present.wall
    {
      passed += 1
      previous = latest
      latest = following
      // Years of missed days are one decision too; go to the last ones at once.
      if passed == 1000 {
        let recent = present.wall - 8 * 86_400_000
        if recent > latest.due, let jump = record.following(after: date, dueAfter: recent, configuration.context), jump.due <= present.wall
        {
          latest = jump
        }
      }
    }
    let lateness = present.wall - latest.due
    let isMissed = isTooLate(lateness, record.alarm)
    let decided = isMissed ? latest : previous
    if let decided {
      update(id, activity: isMissed) { record in
        record.mark = decided.date ?? record.mark
        record.adjusted = nil
        record.lastOutcome = .missed
      }
      let count = isMissed ? passed + 1 : passed
      note(.missed, records[id], missedDetails("downtime", due: decided.due, count: count), occurrence: decided.key)
      if isMissed, !record.alarm.isRepeating { retire(id) }
    }
    guard !isMissed else { return }
    alert(id, latest, due: latest.due, lateness: lateness, afterCountdown: false)
  }

  func missedDetails(_ reason: String, due: Instant?, count: Int = 1) -> JSONObject {
    [
      "reason": .string(reason), "due": text(due), "count": JSONValue(count),
    ]
  }
}
