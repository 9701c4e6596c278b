/// A time of day without a date or zone: 00:00:00 to 23:59:59.
public struct LocalTime: Hashable, Comparable, Codable, Sendable, LosslessStringConvertible {
  /// 0 to 23.
  public let hour: Int
  /// 0 to 59.
  public let minute: Int
  /// 0 to 59.
  public let second: Int

  /// `nil` where the clock has no such time.
  public init?(hour: Int, minute: Int, second: Int = 0) {
    guard (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second) else { return nil }
    self.hour = hour
    self.minute = minute
    self.second = second
  }

  /// The time so many seconds after midnight, taken modulo a day.
  public init(secondOfDay: Int) {
    let second = floorDivide(secondOfDay, by: 86_400).remainder
    hour = second / 3600
    minute = second / 60 % 60
    self.second = second % 60
  }

  /// Reads `HH:MM` or `HH:MM:SS` and nothing else.
  public init?(_ description: String) {
    let fields = description.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map { Array($0)[...] }
    guard fields.count == 2 || fields.count == 3, fields.allSatisfy({ $0.count == 2 }),
      let hour = decimal(fields[0]), let minute = decimal(fields[1]), let second = fields.count == 3 ? decimal(fields[2]) : 0
    else { return nil }
    self.init(hour: hour, minute: minute, second: second)
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let time = LocalTime(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a time of day: \(text)")
    }
    self = time
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  /// `HH:MM`, or `HH:MM:SS` where there are seconds.
  public var description: String {
    "\(padded(hour, to: 2)):\(padded(minute, to: 2))" + (second == 0 ? "" : ":\(padded(second, to: 2))")
  }

  /// Seconds since midnight on a day without clock changes.
  public var secondOfDay: Int { hour * 3600 + minute * 60 + second }

  public static func < (left: LocalTime, right: LocalTime) -> Bool { left.secondOfDay < right.secondOfDay }
}
