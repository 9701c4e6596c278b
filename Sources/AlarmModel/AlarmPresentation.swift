import JSON

/// AlarmKit's `AlarmPresentation`: what a display shows in each mode.
public struct AlarmPresentation: Hashable, Sendable {
  public var alert: Alert?
  public var countdown: Countdown?
  public var paused: Paused?

  public init() {}

  public struct Alert: Hashable, Sendable {
    public var title: String?
    public var stopButton: AlarmButton?
    public var secondaryButton: AlarmButton?
    public var secondaryButtonBehavior: SecondaryButtonBehavior?
  }

  /// What the secondary button does: snooze, or something of the sender's own.
  public enum SecondaryButtonBehavior: String, CaseIterable, Sendable { case countdown, custom }

  public struct Countdown: Hashable, Sendable {
    public var title: String?
    public var pauseButton: AlarmButton?
  }

  public struct Paused: Hashable, Sendable {
    public var title: String?
    public var resumeButton: AlarmButton?
  }
}

/// AlarmKit's `AlarmButton`.
public struct AlarmButton: Hashable, Sendable {
  public var text: String
  /// `#RRGGBB`.
  public var textColor: String?
  /// A Material Design icon such as `mdi:sleep`.
  public var icon: String?
}

extension Alarm {
  /// The title to show in a state: that of its presentation, else the alarm's own.
  public func title(in state: AlarmState) -> String? {
    switch state {
    case .alerting: presentation?.alert?.title ?? title
    case .countdown: presentation?.countdown?.title ?? title ?? presentation?.alert?.title
    case .paused: presentation?.paused?.title ?? title ?? presentation?.alert?.title
    case .scheduled, .disabled: title ?? presentation?.alert?.title
    }
  }

  /// The texts of the buttons to show in a state. Where the presentation says nothing of a mode, its usual buttons stand in.
  public func buttons(in state: AlarmState) -> [String] {
    switch state {
    case .alerting:
      guard let alert = presentation?.alert else { return ["Stop", "Snooze"] }
      return [alert.stopButton?.text ?? "Stop"] + (alert.secondaryButton.map { [$0.text] } ?? [])
    case .countdown:
      guard let countdown = presentation?.countdown else { return ["Pause"] }
      return countdown.pauseButton.map { [$0.text] } ?? []
    case .paused: return [presentation?.paused?.resumeButton?.text ?? "Resume"]
    case .scheduled, .disabled: return []
    }
  }
}
