import JSON

/// A length of time in whole milliseconds; outside the node always written as seconds.
public struct Seconds: Hashable, Comparable, Sendable, ExpressibleByIntegerLiteral {
  public var milliseconds: Int64

  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  public init(integerLiteral value: Int64) { milliseconds = value * 1000 }

  /// The longest length that a document may hold: 366 days.
  public static let longest = Seconds(milliseconds: 366 * 86_400_000)

  /// Whole seconds, rounded up: what a countdown shows.
  public var roundedUp: Int64 { milliseconds > 0 ? (milliseconds + 999) / 1000 : 0 }

  /// The number of seconds, as documents have it.
  public var json: JSONValue {
    milliseconds % 1000 == 0 ? .integer(milliseconds / 1000) : .number(Double(milliseconds) / 1000)
  }

  public static func < (left: Seconds, right: Seconds) -> Bool { left.milliseconds < right.milliseconds }

  /// Reads `90`, `"90"`, `"1h30m"`, `"00:10:00"` and ISO 8601's `"PT10M"`.
  ///
  /// - Throws: a sentence that says what is wrong. `"10:00"` is refused, since it may mean minutes or hours.
  public init(parsing value: JSONValue) throws(DocumentError.Reason) {
    let seconds: Double
    switch value {
    case .integer(let number): seconds = Double(number)
    case .number(let number): seconds = number
    case .string(let text): seconds = try Self.seconds(in: text)
    default: throw DocumentError.Reason("a duration is a number of seconds, \"10m\", \"00:10:00\" or \"PT10M\", not \(value.kind)")
    }
    guard seconds.isFinite, abs(seconds) <= 366 * 86_400 else {
      throw DocumentError.Reason("a duration is more than 0 and at most 366 days")
    }
    self.init(milliseconds: Int64((seconds * 1000).rounded()))
  }

  private static func seconds(in text: String) throws(DocumentError.Reason) -> Double {
    let trimmed = text.trimmingSpaces().lowercased()
    if let seconds = decimalNumber(trimmed) { return seconds }
    let unreadable = DocumentError.Reason(
      "\"\(text.prefix(40))\" is no duration: write seconds, \"10m\", \"1h30m\", \"00:10:00\" or \"PT10M\"")
    guard trimmed.contains(":") else {
      guard let sum = sumOfUnits(trimmed) else { throw unreadable }
      return sum
    }
    let fields = trimmed.split(separator: ":", omittingEmptySubsequences: false).map { decimalNumber(String($0)) }
    guard fields.count != 2 else {
      throw DocumentError.Reason("\"\(text.prefix(40))\" may mean minutes or hours: write \"10m\", \"10h\" or \"00:10:00\"")
    }
    guard fields.count == 3, let hours = fields[0], let minutes = fields[1], let rest = fields[2], minutes < 60, rest < 60 else {
      throw unreadable
    }
    return hours * 3600 + minutes * 60 + rest
  }

  /// `1d2h3m4s` or `p1dt2h3m4s`: numbers with units, each unit once and in falling order.
  private static func sumOfUnits(_ text: String) -> Double? {
    var rest = text[...]
    var units: [(letter: Character, factor: Double)] = [("d", 86_400), ("h", 3600), ("m", 60), ("s", 1)]
    let isISO = rest.first == "p"
    if isISO { rest.removeFirst() }
    var isAfterT = !isISO
    var sum: Double?
    while !rest.isEmpty {
      if isISO, !isAfterT, rest.first == "t" {
        rest.removeFirst()
        isAfterT = true
        units.removeAll { $0.letter == "d" }
        if rest.isEmpty { return nil }
        continue
      }
      let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      guard let number = decimalNumber(String(digits)), let letter = rest.dropFirst(digits.count).first,
        let index = units.firstIndex(where: { $0.letter == letter }), isAfterT || letter == "d"
      else { return nil }
      sum = (sum ?? 0) + number * units[index].factor
      units.removeFirst(index + 1)
      rest = rest.dropFirst(digits.count + 1)
      if !isISO { rest = rest.drop { $0 == " " } }
    }
    return sum
  }
}

/// A non-negative decimal number in plain digits: no sign, exponent, `inf` or `nan`.
func decimalNumber(_ text: String) -> Double? {
  guard !text.isEmpty, text.count <= 15, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2e }), text.first != ".",
    text.last != "."
  else { return nil }
  return Double(text)
}

extension String {
  func trimmingSpaces() -> String {
    var text = self[...]
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
