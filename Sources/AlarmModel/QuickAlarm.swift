import CivilTime
import JSON

/// An alarm in a few words, as somebody types them: `07:00`, `07:00 mon-fri Work`, `in 10m Pasta`, `tomorrow 6:30`, `2026-12-24 08:00`.
public struct QuickAlarm: Hashable, Sendable {
  public enum Time: Hashable, Sendable {
    /// A timer.
    case after(Seconds)
    /// The next time that the clock shows it, or each of some weekdays.
    case clock(LocalTime, weekdays: [Weekday])
    /// A time of a day that is so many days ahead.
    case ahead(days: Int, LocalTime)
    case date(LocalDate, LocalTime)
  }

  public let time: Time
  /// The words that are left over.
  public let title: String?

  /// What to say where the words are not understood.
  static let help =
    "write a time (07:00, 07:00 mon-fri, tomorrow 6:30, 2026-12-24 08:00) or a length (in 10m), and a title after it if you like"

  /// - Throws: a sentence that says what may be written.
  public init(_ text: String) throws(DocumentError.Reason) {
    var words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    var clock: LocalTime?
    var weekdays: Set<Weekday> = []
    var days: Int?
    var date: LocalDate?
    var length: Int64 = 0
    if words.first?.lowercased() == "in" { words.removeFirst() }
    // Whatever is no part of a time begins the title.
    while let word = words.first?.lowercased() {
      if clock == nil, let time = Self.clock(word) {
        clock = time
      } else if length == 0 || clock == nil, let (part, count) = Self.length(words) {
        length += part.milliseconds
        words.removeFirst(count - 1)
      } else if days == nil, date == nil, let ahead = ["today": 0, "tomorrow": 1][word] {
        days = ahead
      } else if date == nil, days == nil, let day = LocalDate(word) {
        date = day
      } else if let found = Self.weekdays(word) {
        weekdays.formUnion(found)
      } else if !["at", "on"].contains(word) {
        break
      }
      words.removeFirst()
    }
    title = words.isEmpty ? nil : words.joined(separator: " ")
    switch (length, clock, weekdays.isEmpty, days, date) {
    case (1..., nil, true, nil, nil): time = .after(Seconds(milliseconds: length))
    case (0, let clock?, _, nil, nil): time = .clock(clock, weekdays: weekdays.sorted())
    case (0, let clock?, true, let days?, nil): time = .ahead(days: days, clock)
    case (0, let clock?, true, nil, let date?): time = .date(date, clock)
    default: throw DocumentError.Reason(Self.help)
    }
  }

  /// The alarm document, its days counted from `now`.
  public func document(id: String?, now: Instant, zone: ZoneRules) -> JSONObject {
    var document: JSONObject = ["id": JSONValue(id), "title": JSONValue(title)]
    func at(_ date: LocalDate, _ time: LocalTime) -> JSONValue { ["at": .string("\(date)T\(time)")] }
    switch time {
    case .after(let length): document["duration"] = length.json
    case .clock(let time, let weekdays):
      var schedule: JSONObject = ["time": .string(time.description)]
      if !weekdays.isEmpty { schedule["weekdays"] = .array(weekdays.map { .string($0.word) }) }
      document["schedule"] = .object(schedule)
    case .ahead(let days, let time): document["schedule"] = at(zone.local(at: now).date.adding(days: days), time)
    case .date(let date, let time): document["schedule"] = at(date, time)
    }
    return document
  }

  /// `7:00`, `07:00`, `07:00:30`.
  private static func clock(_ word: String) -> LocalTime? {
    LocalTime(word.firstIndex(of: ":") == word.index(after: word.startIndex) ? "0" + word : word)
  }

  /// `10m`, `1h30m`, or `10 minutes`; with the number of words.
  private static func length(_ words: [String]) -> (Seconds, Int)? {
    let units = [
      "s": "s", "sec": "s", "second": "s", "m": "m", "min": "m", "minute": "m", "h": "h", "hr": "h", "hour": "h", "d": "d", "day": "d",
    ]
    let word = words[0].lowercased()
    var candidates: [(String, Int)] = []
    let digits = word.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let joined = word.dropFirst(digits.count)
    if digits.isEmpty { return nil }
    if joined.isEmpty, words.count > 1 {
      if let unit = units[String(singular(words[1].lowercased()))] { candidates.append((digits + unit, 2)) }
    } else if let unit = units[String(singular(String(joined)))] {
      candidates.append((digits + unit, 1))
    } else if !joined.isEmpty {
      candidates.append((word, 1))
    }
    for (text, count) in candidates {
      do throws(DocumentError.Reason) {
        let seconds = try Seconds(parsing: .string(text))
        if seconds > 0 { return (seconds, count) }
      } catch { continue }
    }
    return nil
  }

  private static func singular(_ word: String) -> Substring { word.count > 1 && word.last == "s" ? word.dropLast() : word[...] }

  private static func weekdays(_ word: String) -> Set<Weekday>? {
    var found: Set<Weekday> = []
    for part in word.split(separator: ",") {
      guard let days = Weekday.parse(String(part)) else { return nil }
      found.formUnion(days)
    }
    return found.isEmpty ? nil : found
  }
}
