import Testing

@testable import CivilTime

@Suite("Dates and times of day")
struct CalendarTests {
  @Test("Every date follows the one before, over more than the calendar's cycle of 400 years", arguments: [1, 1700, 9500])
  func everyDay(firstYear: Int) throws {
    let lastYear = min(firstYear + 450, 9999)
    let first = LocalDate.dayNumber(year: firstYear, month: 1, day: 1)
    var expected = (year: firstYear, month: 1, day: 1)
    for number in first... {
      let fields = LocalDate.fields(ofDayNumber: number)
      guard fields == expected, LocalDate.dayNumber(year: fields.year, month: fields.month, day: fields.day) == number else {
        Issue.record("day \(number) is \(fields), expected \(expected)")
        return
      }
      expected.day += 1
      if expected.day > LocalDate.length(ofMonth: expected.month, year: expected.year) { expected = (expected.year, expected.month + 1, 1) }
      if expected.month > 12 { expected = (expected.year + 1, 1, 1) }
      if expected.year > lastYear { break }
    }
  }

  @Test(
    "Weekdays are those of the calendar",
    arguments: [
      ("0001-01-01", Weekday.monday), ("1969-12-31", .wednesday), ("1970-01-01", .thursday), ("2028-02-29", .tuesday),
      ("9999-12-31", .friday),
    ])
  func weekdays(text: String, weekday: Weekday) throws {
    #expect(date(text).weekday == weekday)
  }

  @Test("Day numbers beyond the calendar are clamped")
  func clamped() throws {
    #expect(LocalDate(dayNumber: .min) == date("0001-01-01"))
    #expect(LocalDate(dayNumber: .max) == date("9999-12-31"))
  }

  @Test("A second of a day is taken modulo a day")
  func secondOfDay() throws {
    #expect([0, 86_399, 86_400, -1].map { LocalTime(secondOfDay: $0).description } == ["00:00", "23:59:59", "00:00", "23:59:59"])
  }

  @Test(
    "Only the formats that are documented are read",
    arguments: ["2026-1-01", "2026-12-1", "2026/12/01", "2026-02-29", "2026-12-01 ", "+026-12-01"])
  func dates(text: String) {
    #expect(LocalDate(text) == nil)
  }

  @Test(
    "A time of day ends before 24:00", arguments: ["24:00", "23:60", "23:59:60", "7:00", "07:0", "07", "07:00:", "07:00:00.0", "-7:00"])
  func times(text: String) {
    #expect(LocalTime(text) == nil)
  }
}
