/// A day of the week, numbered as ISO 8601 does: Monday is 1.
public enum Weekday: Int, CaseIterable, Comparable, Hashable, Codable, Sendable {
  case monday = 1
  case tuesday, wednesday, thursday, friday, saturday, sunday

  public static func < (left: Weekday, right: Weekday) -> Bool { left.rawValue < right.rawValue }
}
