import CivilTime
import JSON

/// One alarm or timer as its sender defined it: what `schedule` takes. Named after AlarmKit's `Alarm` and `AlarmManager.AlarmConfiguration`.
public struct Alarm: Hashable, Sendable {
  /// `[A-Za-z0-9_-]{1,64}`.
  public var id: String
  public var title: String?
  public var body: String?
  public var isEnabled = true
  /// `nil`: a timer, which counts down `countdownDuration.preAlert` from the moment it is scheduled.
  public var schedule: Schedule?
  public var countdownDuration = CountdownDuration()
  /// How long before the alert to remind, longest first.
  public var reminders: [Seconds] = []
  public var presentation: AlarmPresentation?
  /// `#RRGGBB`.
  public var tint: String?
  /// A Material Design icon such as `mdi:alarm`.
  public var icon: String?
  /// Any JSON object up to 4 KiB, handed back unchanged.
  public var metadata = JSONObject()
  /// A built-in tone or user sound; `nil`: the node's setting.
  public var sound: String?
  /// 1 to 100; `nil`: the node's setting.
  public var volume: Int?
  /// How long the sound takes to reach its volume; 0: at once.
  public var fadeIn: Seconds = 0
  public var interruptionLevel = InterruptionLevel.critical
  /// `nil`: any number by hand, three automatic ones.
  public var maximumSnoozes: Int?
  public var ringFor: Seconds = 600
  public var onRingTimeout = RingTimeout.snooze
  public var missedPolicy = MissedPolicy.ring
  /// An alert that is later than this is missed.
  public var missedGrace: Seconds = 900
  public var exceptDates: [DateRange] = []

  public init(id: String) { self.id = id }

  /// AlarmKit's `Alarm.CountdownDuration`.
  public struct CountdownDuration: Hashable, Sendable {
    /// Before the alert: a timer's whole duration, or the part before a schedule's time that counts down.
    public var preAlert: Seconds?
    /// After a snooze.
    public var postAlert: Seconds?

    public init(preAlert: Seconds? = nil, postAlert: Seconds? = nil) {
      self.preAlert = preAlert
      self.postAlert = postAlert
    }
  }

  /// AlarmKit's `Alarm.Schedule`.
  public enum Schedule: Hashable, Sendable {
    /// An instant, unmoved by zone changes; the zone is that of its published text.
    case fixed(Instant, timeZone: String?)
    /// A wall-clock time. No weekdays: the next time that the clock shows it, once.
    case relative(LocalTime, weekdays: [Weekday], timeZone: String?)

    /// The zone that the document names; `nil`: the node's.
    public var timeZone: String? {
      switch self {
      case .fixed(_, let zone), .relative(_, _, let zone): zone
      }
    }
  }

  public enum InterruptionLevel: String, CaseIterable, Sendable { case active, timeSensitive, critical }
  /// What follows when nobody answered for `ringFor`.
  public enum RingTimeout: String, CaseIterable, Sendable { case snooze, stop }
  public enum MissedPolicy: String, CaseIterable, Sendable { case ring, miss }

  /// Days without an occurrence, both ends included.
  public struct DateRange: Hashable, Sendable {
    public let first: LocalDate
    public let last: LocalDate

    public init?(first: LocalDate, last: LocalDate) {
      guard first <= last else { return nil }
      self.first = first
      self.last = last
    }

    public func contains(_ date: LocalDate) -> Bool { first <= date && date <= last }

    var description: String { first == last ? first.description : "\(first)/\(last)" }
  }
}

extension Alarm {
  /// Whether it has no schedule.
  public var isTimer: Bool { schedule == nil }

  /// Whether it has weekdays: a one-shot is removed after its occurrence.
  public var isRepeating: Bool {
    if case .relative(_, let weekdays, _) = schedule { !weekdays.isEmpty } else { false }
  }
}
