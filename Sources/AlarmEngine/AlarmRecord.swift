import AlarmModel
import CivilTime
import JSON

/// One alarm as the engine keeps it: its definition and where it stands.
package struct AlarmRecord: Hashable, Sendable {
  package var alarm: Alarm
  /// Counts the definitions and changes of this id.
  package var revision = 1
  /// The latest occurrence that is decided (it rang, was missed or skipped), by its date: none up to here comes again.
  package var mark: LocalDate?
  /// Occurrences due at or before this are not this alarm's: it was scheduled or enabled then.
  package var judgedFrom: Instant
  /// The date of a wall-clock alarm without weekdays.
  package var onceDate: LocalDate?
  /// When it was scheduled or enabled, in elapsed time, if the clock was not trusted then: it is computed again once it is.
  package var provisional: Provisional?
  /// The next occurrence, left out.
  package var skipped: LocalDate?
  /// The next occurrence, moved.
  package var adjusted: Adjustment?
  /// The occurrence that is under way; `nil` while scheduled or disabled.
  package var live: Live?
  /// Reminders of the next or present occurrence down to this length before the alert are done.
  package var reminded: Reminded?
  package var lastOutcome: AlarmOutcome?
  /// When a one-shot ended as missed.
  package var missedAt: Instant?

  init(alarm: Alarm, judgedFrom: Instant) {
    self.alarm = alarm
    self.judgedFrom = judgedFrom
  }

  package struct Provisional: Hashable, Sendable {
    var elapsed: Int64
    var boot: String?
  }

  package struct Adjustment: Hashable, Sendable {
    var date: LocalDate
    var at: Instant
  }

  package struct Reminded: Hashable, Sendable {
    var occurrence: String
    var length: Seconds
  }

  package struct Live: Hashable, Sendable {
    package var occurrence: Occurrence
    package var stage: Stage
    package var snoozes = 0
    /// Those of `snoozes` that nobody pressed.
    package var automaticSnoozes = 0
    /// The alarm's mark before this occurrence, for a clock that is set back before it began.
    var previousMark: LocalDate?
    /// The receipt of the latest ring: what the outputs reported.
    var receipt = JSONObject()
  }

  package enum Stage: Hashable, Sendable {
    case countdown(Countdown)
    case paused(Paused)
    case alerting(Alerting)
  }

  package struct Countdown: Hashable, Sendable {
    package var phase: CountdownPhase
    package var total: Seconds
    /// Since when this run of it counts.
    package var startDate: Instant
    package var fireDate: Instant
    /// The moment of the alert on the clock that this countdown follows.
    package var deadline: Deadline
    package var previouslyElapsed: Seconds = 0
    /// The end as it was named before a reboot, while the clock that says how long that took is not synced.
    var anchor: Instant?
    /// The lowest number that was published, or that lay before this run began; not stored.
    var lastTick: Int64?
  }

  package struct Paused: Hashable, Sendable {
    package var phase: CountdownPhase
    package var total: Seconds
    package var left: Seconds
  }

  package struct Alerting: Hashable, Sendable {
    /// When it began to ring.
    package var since: Instant
    package var sinceElapsed: Int64
    /// When it should have.
    package var due: Instant
    package var ring: UInt64
    /// Milliseconds from `due` to `since`.
    package var lateness: Int64
  }
}

extension AlarmRecord {
  package var state: AlarmState {
    guard alarm.isEnabled else { return .disabled }
    return switch live?.stage {
    case nil: .scheduled
    case .countdown: .countdown
    case .paused: .paused
    case .alerting: .alerting
    }
  }

  package var alerting: Alerting? {
    if case .alerting(let alerting) = live?.stage { alerting } else { nil }
  }

  /// Whether it counts down, or is paused, after a snooze.
  var isSnoozing: Bool {
    switch live?.stage {
    case .countdown(let countdown): countdown.phase == .postAlert
    case .paused(let paused): paused.phase == .postAlert
    default: false
    }
  }

  /// An occurrence becomes live, and with that decided.
  mutating func begin(_ occurrence: Occurrence, _ stage: Stage) {
    live = Live(occurrence: occurrence, stage: stage, previousMark: mark)
    mark = occurrence.date ?? mark
  }

  /// The zone that the alarm lives in.
  func zone(_ context: DocumentContext) -> ZoneRules {
    alarm.schedule?.timeZone.flatMap(context.zone) ?? context.localZone
  }

  func rule(_ context: DocumentContext) -> OccurrenceRule? {
    guard case .relative(let time, let weekdays, _) = alarm.schedule else { return nil }
    return OccurrenceRule(time: time, weekdays: Set(weekdays), exceptDates: alarm.exceptDates, zone: zone(context))
  }

  /// The next occurrence that is not begun, skip and adjustment counted in.
  package func next(_ context: DocumentContext) -> Occurrence? {
    following(after: mark, dueAfter: judgedFrom, context)
  }

  func following(after date: LocalDate?, dueAfter instant: Instant, _ context: DocumentContext) -> Occurrence? {
    switch alarm.schedule {
    case nil: return nil
    case .fixed(let at, _):
      return live == nil && at > instant ? Occurrence(key: at.formatted(in: .utc), date: nil, due: at) : nil
    case .relative(let time, _, _):
      guard let rule = rule(context) else { return nil }
      if !alarm.isRepeating {
        guard live == nil, let onceDate else { return nil }
        let resolution = rule.zone.resolve(onceDate, time)
        return Occurrence(key: onceDate.description, date: onceDate, due: resolution.instant, kind: resolution.kind)
      }
      guard var occurrence = rule.first(after: date, dueAfter: instant, excluding: skipped) else { return nil }
      if let adjusted, adjusted.date == occurrence.date { occurrence.due = adjusted.at }
      return occurrence
    }
  }
}
