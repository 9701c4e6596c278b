/// The options that make an alarm document.
enum AlarmOptions {
  static let id = Command.Option(name: "--id", value: "ID", summary: "its id; one is made if left out", key: "id")
  static let occurrence = Command.Option(
    name: "--occurrence", value: "NAME", summary: "only if this is the present or next occurrence", key: "occurrence")

  static let file = Command.Option(name: "--file", value: "FILE", summary: "an alarm document to begin with, as JSON; - is standard input")

  private static let weekdays = Command.Option(
    name: "--weekdays", value: "DAYS", summary: "such as mon-fri, sat,sun, weekdays, weekend, daily",
    choices: ["mon-fri", "weekdays", "weekend", "daily"], key: "schedule.weekdays")
  private static let zone = Command.Option(
    name: "--zone", value: "ZONE", summary: "the time zone of its times; else the node's", key: "schedule.timeZone")
  private static let preAlert = Command.Option(
    name: "--pre-alert", value: "DURATION", summary: "count down for so long before it", key: "countdown.preAlert")

  private static let values = [
    Command.Option(name: "--title", value: "TEXT", summary: "what it is called", key: "title"),
    Command.Option(name: "--body", value: "TEXT", summary: "a longer text", key: "body"),
    Command.Option(name: "--snooze", value: "DURATION", summary: "how long a snooze takes", key: "countdown.postAlert"),
    Command.Option(name: "--reminder", value: "DURATION", summary: "chime so long before", isRepeatable: true, key: "reminders"),
    Command.Option(name: "--sound", value: "NAME", summary: "what sounds", key: "sound"),
    Command.Option(name: "--volume", value: "1-100", summary: "how loud", key: "volume"),
    Command.Option(name: "--fade-in", value: "DURATION", summary: "until it is so loud", key: "fadeIn"),
    Command.Option(name: "--ring-for", value: "DURATION", summary: "how long to ring without an answer", key: "ringFor"),
    Command.Option(
      name: "--on-timeout", value: "WHAT", summary: "and then: snooze or stop", choices: ["snooze", "stop"], key: "onRingTimeout"),
    Command.Option(name: "--maximum-snoozes", value: "N", summary: "how often it may be snoozed", key: "maximumSnoozes"),
    Command.Option(
      name: "--level", value: "LEVEL", summary: "active, timeSensitive or critical", choices: ["active", "timeSensitive", "critical"],
      key: "interruptionLevel"),
    Command.Option(
      name: "--missed", value: "WHAT", summary: "when it is late: ring or miss", choices: ["ring", "miss"], key: "missedPolicy"),
    Command.Option(name: "--missed-grace", value: "DURATION", summary: "how late it may still ring", key: "missedGrace"),
    Command.Option(
      name: "--except", value: "DATE", summary: "a day, or days from/to, without it", isRepeatable: true, key: "exceptDates"),
    Command.Option(name: "--tint", value: "#RRGGBB", summary: "its colour on displays", key: "tint"),
    Command.Option(name: "--icon", value: "NAME", summary: "its icon on displays, such as mdi:alarm", key: "icon"),
    Command.Option(name: "--if-revision", value: "N", summary: "only if the stored alarm has this revision", key: "ifRevision"),
    file,
  ]

  private static let disabled = Command.Option(name: "--disabled", value: nil, summary: "do not let it ring yet", key: "enabled")

  /// Those of a timer.
  static let all = [id] + values + [disabled]
  /// Those of an alarm at a time.
  static let scheduled = [id, weekdays, zone, preAlert] + values + [disabled]
  /// Those of a change.
  static let update =
    [
      Command.Option(name: "--time", value: "HH:MM", summary: "a time of day", key: "schedule.time"),
      Command.Option(name: "--at", value: "INSTANT", summary: "an instant", key: "schedule.at"),
      Command.Option(name: "--duration", value: "DURATION", summary: "a timer's length", key: "countdown.preAlert"),
      weekdays, zone, preAlert,
    ] + values
}
