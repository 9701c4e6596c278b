/// AlarmKit's `Alarm.State`, and `disabled`, which a phone shows as a switch that is off.
public enum AlarmState: String, Sendable, CaseIterable {
  case disabled, scheduled, countdown, paused, alerting
}

/// Which of an alarm's two countdowns runs or is paused.
public enum CountdownPhase: String, Sendable, CaseIterable {
  /// Before the alert.
  case preAlert
  /// After it was snoozed.
  case postAlert
}

/// How an alarm's latest occurrence ended.
public enum AlarmOutcome: String, Sendable, CaseIterable {
  case stopped, missed, replaced, disabled
}
