/// The rule for all time after a zone's last transition: a POSIX TZ string (RFC 9636 §3.3.1, POSIX.1-2017 §8.3).
struct ZoneFooter: Hashable, Sendable {
  /// Daylight saving time, which may well be behind standard time (Europe/Dublin).
  struct Daylight: Hashable, Sendable {
    /// Seconds east of UTC.
    let offset: Int
    /// When it begins, on the clock of standard time.
    let start: Moment
    /// When it ends, on the clock of daylight saving time.
    let end: Moment
  }

  /// A time of some day of every year.
  struct Moment: Hashable, Sendable {
    let day: Day
    /// Seconds after that day's midnight, from -167 to 167 hours.
    let second: Int

    /// Seconds from 1970-01-01 to the moment in a year, both on the same local clock.
    func localSecond(inYear year: Int) -> Int { day.dayNumber(inYear: year) * 86_400 + second }
  }

  /// A day of every year.
  enum Day: Hashable, Sendable {
    /// `Jn`: 1 to 365; 29 February is never counted.
    case julian(Int)
    /// `n`: 0 to 365; 29 February is counted.
    case zeroBased(Int)
    /// `Mm.w.d`: the w-th such weekday of month m, the last one where w is 5; Sunday is 0.
    case weekday(month: Int, week: Int, weekday: Int)

    func dayNumber(inYear year: Int) -> Int {
      switch self {
      case .julian(let day):
        return LocalDate.dayNumber(year: year, month: 1, day: day) + (day >= 60 && LocalDate.isLeap(year) ? 1 : 0)
      case .zeroBased(let day):
        return LocalDate.dayNumber(year: year, month: 1, day: 1) + day
      case .weekday(let month, let week, let weekday):
        let first = LocalDate.dayNumber(year: year, month: month, day: 1)
        // 1970-01-01 was a Thursday, day 4.
        let day = floorDivide(weekday - (first + 4), by: 7).remainder + (week - 1) * 7
        return first + (day < LocalDate.length(ofMonth: month, year: year) ? day : day - 7)
      }
    }
  }

  /// Seconds east of UTC.
  let standard: Int
  /// `nil` where the clock never changes.
  let daylight: Daylight?

  /// Keeps sums with an offset or a year's length within the range of `Int`, whatever a damaged file says.
  private static let limit = 1 << 60

  /// The offset in force, in seconds east of UTC.
  func offset(at second: Int) -> Int {
    guard let daylight else { return standard }
    let second = min(max(second, -Self.limit), Self.limit)
    let year = year(of: second)
    // A moment can lie a week outside its year, and daylight saving time can begin in the year before.
    for candidate in [year, year - 1, year + 1, year - 2] {
      let start = start(of: daylight, inYear: candidate)
      guard start <= second else { continue }
      var end = end(of: daylight, inYear: candidate)
      if end <= start { end = self.end(of: daylight, inYear: candidate + 1) }
      if second < end { return daylight.offset }
    }
    return standard
  }

  /// The first change of the offset that lies strictly between two moments, in seconds since 1970.
  func change(after second: Int, before end: Int) -> Int? {
    guard let daylight else { return nil }
    let second = min(max(second, -Self.limit), Self.limit)
    let year = year(of: second)
    var first: Int?
    for candidate in year - 1...year + 2 {
      for moment in [start(of: daylight, inYear: candidate), self.end(of: daylight, inYear: candidate)]
      where moment > second && moment < first ?? end && offset(at: moment - 1) != offset(at: moment) {
        first = moment
      }
    }
    return first
  }

  private func year(of second: Int) -> Int {
    LocalDate.fields(ofDayNumber: floorDivide(second + standard, by: 86_400).quotient).year
  }

  private func start(of daylight: Daylight, inYear year: Int) -> Int { daylight.start.localSecond(inYear: year) - standard }

  private func end(of daylight: Daylight, inYear year: Int) -> Int { daylight.end.localSecond(inYear: year) - daylight.offset }
}
