/// A point on the time line: whole milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted (POSIX time).
public struct Instant: Hashable, Comparable, Codable, Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z; negative before.
  public var milliseconds: Int64

  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  public init(from decoder: any Decoder) throws {
    milliseconds = try decoder.singleValueContainer().decode(Int64.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(milliseconds)
  }

  public static func < (left: Instant, right: Instant) -> Bool { left.milliseconds < right.milliseconds }

  /// The instant so many milliseconds later.
  public static func + (left: Instant, milliseconds: Int64) -> Instant { Instant(milliseconds: left.milliseconds + milliseconds) }

  /// The instant so many milliseconds earlier.
  public static func - (left: Instant, milliseconds: Int64) -> Instant { Instant(milliseconds: left.milliseconds - milliseconds) }

  /// Milliseconds from `right` to `left`.
  public static func - (left: Instant, right: Instant) -> Int64 { left.milliseconds - right.milliseconds }
}
