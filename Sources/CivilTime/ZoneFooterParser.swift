extension ZoneFooter {
  /// Reads a POSIX TZ string with the extension of RFC 9636 §3.3.2 (hours from -167 to 167 in a rule); `nil` where it is none.
  ///
  /// A string with daylight saving time but without rules for it is none: POSIX leaves its meaning to each system.
  init?(_ text: some Collection<UInt8>) {
    var parser = ZoneFooterParser(rest: ArraySlice(text))
    guard parser.name(), let west = parser.time(hours: 0...24) else { return nil }
    standard = -west
    if parser.rest.isEmpty {
      daylight = nil
      return
    }
    guard parser.name() else { return nil }
    var offset = standard + 3600
    if parser.rest.first != UInt8(ascii: ",") {
      guard let west = parser.time(hours: 0...24) else { return nil }
      offset = -west
    }
    guard parser.skip(","), let start = parser.moment(), parser.skip(","), let end = parser.moment(), parser.rest.isEmpty else {
      return nil
    }
    daylight = Daylight(offset: offset, start: start, end: end)
  }
}

/// Reads the pieces of a POSIX TZ string from the front.
private struct ZoneFooterParser {
  var rest: ArraySlice<UInt8>

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  /// Skips an abbreviation: three or more letters, or `<…>` with three or more letters, digits and signs.
  mutating func name() -> Bool {
    let quoted = skip("<")
    let name = rest.prefix { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"): quoted
      default: false
      }
    }
    rest = rest.dropFirst(name.count)
    return name.count >= 3 && (!quoted || skip(">"))
  }

  mutating func number(in range: ClosedRange<Int>) -> Int? {
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    rest = rest.dropFirst(digits.count)
    guard let value = decimal(digits), range.contains(value) else { return nil }
    return value
  }

  /// Reads `[+-]hh[:mm[:ss]]`, in seconds.
  mutating func time(hours: ClosedRange<Int>) -> Int? {
    let negative = skip("-")
    if !negative { _ = skip("+") }
    guard var seconds = number(in: hours).map({ $0 * 3600 }) else { return nil }
    for unit in [60, 1] where skip(":") {
      guard let value = number(in: 0...59) else { return nil }
      seconds += value * unit
    }
    return negative ? -seconds : seconds
  }

  /// Reads a day and its time: `Mm.w.d`, `Jn` or `n`, and `/time`, by default two o'clock.
  mutating func moment() -> ZoneFooter.Moment? {
    let day: ZoneFooter.Day
    if skip("M") {
      guard let month = number(in: 1...12), skip("."), let week = number(in: 1...5), skip("."), let weekday = number(in: 0...6) else {
        return nil
      }
      day = .weekday(month: month, week: week, weekday: weekday)
    } else if skip("J") {
      guard let number = number(in: 1...365) else { return nil }
      day = .julian(number)
    } else {
      guard let number = number(in: 0...365) else { return nil }
      day = .zeroBased(number)
    }
    guard skip("/") else { return ZoneFooter.Moment(day: day, second: 7200) }
    guard let second = time(hours: 0...167) else { return nil }
    return ZoneFooter.Moment(day: day, second: second)
  }
}
