import AlarmModel
import CivilTime

/// What time alone does to an alarm.
enum Transition: Hashable, Sendable {
  /// The pre-alert of an occurrence begins.
  case begin(Occurrence)
  case remind(Seconds, occurrence: String)
  /// A scheduled occurrence is due.
  case due(Occurrence)
  /// A countdown has run out.
  case countdownEnd
  /// The next occurrence is due to begin while one is unfinished.
  case overlap
  /// Nobody answered.
  case ringTimeout
  /// A skipped occurrence is past.
  case skipPast(LocalDate)
  /// A missed one-shot is old.
  case forget
}

extension AlarmRecord {
  /// What time does to it, and when: of each kind the next one. Where a scheduled occurrence is due by `now`, what would have come before it
  /// is left out.
  func transitions(
    next: Occurrence?, by now: Instant = Instant(milliseconds: .min), _ context: DocumentContext
  ) -> [(deadline: Deadline, transition: Transition)] {
    if !alarm.isEnabled {
      return missedAt.map { [(.wall($0 + Engine.missedLifetime), .forget)] } ?? []
    }
    var found: [(deadline: Deadline, transition: Transition)] = []
    if let skipped, let rule = rule(context) {
      found.append((.wall(rule.zone.resolve(skipped, rule.time).instant), .skipPast(skipped)))
    }
    switch live?.stage {
    case nil:
      guard let next else { break }
      found.append((.wall(next.due), .due(next)))
      guard next.due > now else { break }
      if let preAlert = alarm.countdownDuration.preAlert { found.append((.wall(next.due - preAlert.milliseconds), .begin(next))) }
      if let reminder = nextReminder(of: next.key) {
        found.append((.wall(next.due - reminder.milliseconds), .remind(reminder, occurrence: next.key)))
      }
    case .countdown(let countdown):
      found.append((countdown.deadline, .countdownEnd))
      if countdown.phase == .preAlert, let key = live?.occurrence.key, let reminder = nextReminder(of: key) {
        found.append((countdown.deadline.earlier(by: reminder.milliseconds), .remind(reminder, occurrence: key)))
      }
    case .paused: break
    case .alerting(let alerting): found.append((.elapsed(alerting.sinceElapsed + alarm.ringFor.milliseconds), .ringTimeout))
    }
    if live != nil, let next {
      found.append((.wall(next.due - (alarm.countdownDuration.preAlert?.milliseconds ?? 0)), .overlap))
    }
    return found
  }

  private func nextReminder(of occurrence: String) -> Seconds? {
    let done = reminded.flatMap { $0.occurrence == occurrence ? $0.length : nil }
    return alarm.reminders.first { $0 < done ?? Seconds(milliseconds: .max) }
  }
}
