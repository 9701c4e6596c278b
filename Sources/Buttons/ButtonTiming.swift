/// The times by which buttons act, in milliseconds; tests shorten the long ones.
struct ButtonTiming: Sendable {
  /// A button that is down for so long is held; one released before was pressed.
  var hold: Int64 = 1_000
  /// A contact that is made for less than this was no finger: a spike on the line, which must not snooze an alarm.
  var shortest: Int64 = 5
  /// A button that is down for so long is stuck.
  var stuck: Int64 = 30_000
  /// How often a line that failed is requested again, and one that tells nothing is looked at.
  var retry: Int64 = 10_000
}
