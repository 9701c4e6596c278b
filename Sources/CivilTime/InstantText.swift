/// Instants as text: ISO 8601's extended format, in the profile of RFC 3339.
public enum InstantText {
  /// Reads `YYYY-MM-DD`, a `T`, `t` or space, `HH:MM[:SS[.fraction]]`, and `Z`, `±HH:MM`, `±HHMM`, `±HH` or nothing.
  ///
  /// A fraction has 1 to 9 digits and is cut to milliseconds. `24:00` and a second 60 are refused.
  public static func parse(_ text: String) -> ParsedInstant? {
    let bytes = ArraySlice(text.utf8)
    guard let split = bytes.firstIndex(where: { [UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: " ")].contains($0) }),
      let date = LocalDate(String(decoding: bytes[..<split], as: UTF8.self))
    else { return nil }
    let rest = bytes[(split + 1)...]
    let offsetStart = rest.firstIndex { [UInt8(ascii: "Z"), UInt8(ascii: "z"), UInt8(ascii: "+"), UInt8(ascii: "-")].contains($0) }
    guard let (time, milliseconds) = clock(rest[..<(offsetStart ?? rest.endIndex)]) else { return nil }
    guard let offsetStart else { return .local(date, time, milliseconds: milliseconds) }
    guard let offset = offset(rest[offsetStart...]) else { return nil }
    let second = date.dayNumber * 86_400 + time.secondOfDay - offset
    return .absolute(Instant(second: second) + Int64(milliseconds))
  }

  /// Reads `HH:MM[:SS[.fraction]]`.
  private static func clock(_ text: ArraySlice<UInt8>) -> (LocalTime, milliseconds: Int)? {
    let parts = text.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let time = LocalTime(String(decoding: first, as: UTF8.self)) else { return nil }
    guard parts.count == 2 else { return (time, 0) }
    // `decimal` takes 1 to 9 digits.
    guard first.count == 8, decimal(parts[1]) != nil else { return nil }
    let thousandths = (Array(parts[1]) + Array("00".utf8)).prefix(3)
    guard let milliseconds = decimal(thousandths) else { return nil }
    return (time, milliseconds)
  }

  /// Reads `Z`, `±HH:MM`, `±HHMM` or `±HH`, in seconds.
  private static func offset(_ text: ArraySlice<UInt8>) -> Int? {
    guard let sign = text.first else { return nil }
    var digits = text.dropFirst()
    if sign == UInt8(ascii: "Z") || sign == UInt8(ascii: "z") { return digits.isEmpty ? 0 : nil }
    if digits.count == 5, digits[digits.startIndex + 2] == UInt8(ascii: ":") { digits.remove(at: digits.startIndex + 2) }
    guard digits.count == 2 || digits.count == 4, let hours = decimal(digits.prefix(2)), hours < 24 else { return nil }
    var minutes = 0
    if digits.count == 4 {
      guard let value = decimal(digits.suffix(2)), value < 60 else { return nil }
      minutes = value
    }
    let seconds = hours * 3600 + minutes * 60
    return sign == UInt8(ascii: "-") ? -seconds : seconds
  }
}

extension Instant {
  /// ISO 8601 to the millisecond with a numeric offset: `2026-12-01T18:20:00.000+01:00`; years are clamped to 1 to 9999.
  ///
  /// An offset with seconds, as local mean time has, is cut to minutes, and the local time goes with what is left: the text is this very instant.
  public func formatted(in zone: ZoneRules) -> String {
    let offset = zone.offset(at: self) / 60
    let (day, secondOfDay) = floorDivide(second + offset * 60, by: 86_400)
    let time = LocalTime(secondOfDay: secondOfDay)
    let clock = [time.hour, time.minute, time.second].map { padded($0, to: 2) }.joined(separator: ":")
    let fraction = padded(floorDivide(Int(milliseconds), by: 1000).remainder, to: 3)
    let (hours, minutes) = abs(offset).quotientAndRemainder(dividingBy: 60)
    return "\(LocalDate(dayNumber: day))T\(clock).\(fraction)\(offset < 0 ? "-" : "+")\(padded(hours, to: 2)):\(padded(minutes, to: 2))"
  }
}
