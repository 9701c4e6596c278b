import AlarmModel
import CivilTime

/// One time that an alarm is due.
package struct Occurrence: Hashable, Sendable {
  /// Its name: the intended local date, or the instant of a fixed alarm or timer.
  package var key: String
  /// The intended local date; `nil` for fixed alarms and timers.
  package var date: LocalDate?
  /// When it alerts.
  package var due: Instant
  /// Whether a clock change moved it.
  package var kind: Resolution.Kind = .exact
}

/// When a wall-clock alarm is due: its local time on each of its dates, by the gap and overlap rules of `ZoneRules.resolve`.
package struct OccurrenceRule: Sendable {
  let time: LocalTime
  /// Empty: every day.
  let weekdays: Set<Weekday>
  let exceptDates: [Alarm.DateRange]
  let zone: ZoneRules

  /// How many dates are looked at before a pattern counts as having no further occurrence: eleven years, more than any leap day needs.
  private static let horizon = 4018

  /// The first occurrence on a date after `date` that is due after `instant`; `nil` where the pattern has none in the years that count.
  package func first(after date: LocalDate?, dueAfter instant: Instant, excluding excluded: LocalDate? = nil) -> Occurrence? {
    // One day back, since a gap may carry a date's occurrence into the next day.
    var candidate = zone.local(at: instant).date.adding(days: -1)
    if let date, date >= candidate { candidate = date.adding(days: 1) }
    for _ in 0..<Self.horizon {
      if let range = exceptDates.first(where: { $0.contains(candidate) }) {
        if candidate == range.last.adding(days: 1) { return nil }
        candidate = range.last.adding(days: 1)
        continue
      }
      if weekdays.isEmpty || weekdays.contains(candidate.weekday), candidate != excluded, zone.exists(candidate) {
        let resolution = zone.resolve(candidate, time)
        if resolution.instant > instant {
          return Occurrence(key: candidate.description, date: candidate, due: resolution.instant, kind: resolution.kind)
        }
      }
      let next = candidate.adding(days: 1)
      if next == candidate { return nil }
      candidate = next
    }
    return nil
  }
}
