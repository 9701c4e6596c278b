import Testing

@testable import CivilTime

@Suite("The rule after the last transition")
struct ZoneFooterTests {
  private func footer(_ text: String) throws -> ZoneFooter { try #require(ZoneFooter(Array(text.utf8)), "\(text)") }

  @Test(
    "A zone without daylight saving time has one offset, east where POSIX says minus",
    arguments: [
      ("UTC0", 0), ("EST5", -18_000), ("EST+5", -18_000), ("<+03>-3", 10_800), ("<-00>0", 0), ("<+1245>-12:45", 45_900),
      ("IST-5:30", 19_800),
      ("LMT0:53:28", -3208), ("XYZ24:59:59", -89_999), ("abc-24", 86_400),
    ])
  func fixed(text: String, offset: Int) throws {
    #expect(try footer(text) == ZoneFooter(standard: offset, daylight: nil))
  }

  @Test("Each form of a day and time is understood")
  func forms() throws {
    let daylight = try #require(try footer("AAA3BBB1:30,J60/-167,365/+167:59:59").daylight)
    #expect(daylight.offset == -5400)
    #expect(daylight.start == ZoneFooter.Moment(day: .julian(60), second: -167 * 3600))
    #expect(daylight.end == ZoneFooter.Moment(day: .zeroBased(365), second: 167 * 3600 + 3599))
    let ordinary = try #require(try footer("AAA3BBB,M3.2.0,M11.5.6/0").daylight)
    #expect(ordinary.offset == -7200)
    #expect(ordinary.start == ZoneFooter.Moment(day: .weekday(month: 3, week: 2, weekday: 0), second: 7200))
    #expect(ordinary.end == ZoneFooter.Moment(day: .weekday(month: 11, week: 5, weekday: 6), second: 0))
  }

  @Test(
    "Anything else is refused",
    arguments: [
      "", "U", "UT0", "UTC", "UTC0 ", "UTC25", "UTC1:60", "UTC1:", "UTC--1", "<UTC0", "<+3>3", "U+C0", "AAA3BBB", "AAA3BBB,",
      "AAA3BBB,M3.2.0",
      "AAA3BBB,M3.2.0,", "AAA3BBB,M0.1.0,M3.1.0", "AAA3BBB,M13.1.0,M3.1.0", "AAA3BBB,M1.0.0,M3.1.0", "AAA3BBB,M1.6.0,M3.1.0",
      "AAA3BBB,M1.1.7,M3.1.0",
      "AAA3BBB,M1.1,M3.1.0", "AAA3BBB,J0,J60", "AAA3BBB,J366,J60", "AAA3BBB,366,60", "AAA3BBB,1/168,60", "AAA3BBB,1/,60", "AAA3BBB,1,60/",
      "AAA3BBB,1,60x",
      "AAA99999999999999999999", "AAA3BBB,1/9999999999999999999,60", ":Europe/Berlin",
    ])
  func refused(text: String) {
    #expect(ZoneFooter(Array(text.utf8)) == nil)
  }

  @Test("Day 60 is 1 March under J, and the 61st day without it")
  func days() {
    func text(_ day: ZoneFooter.Day, _ year: Int) -> String { LocalDate(dayNumber: day.dayNumber(inYear: year)).description }
    #expect(text(.julian(60), 2027) == "2027-03-01")
    #expect(text(.julian(60), 2028) == "2028-03-01")
    #expect(text(.julian(59), 2028) == "2028-02-28")
    #expect(text(.zeroBased(60), 2027) == "2027-03-02")
    #expect(text(.zeroBased(60), 2028) == "2028-03-01")
    #expect(text(.weekday(month: 2, week: 5, weekday: 2), 2028) == "2028-02-29")
    #expect(text(.weekday(month: 2, week: 5, weekday: 2), 2027) == "2027-02-23")
    #expect(text(.weekday(month: 3, week: 1, weekday: 0), 2026) == "2026-03-01")
    #expect(text(.weekday(month: 3, week: 2, weekday: 6), 2026) == "2026-03-14")
  }

  @Test("Daylight saving time all the year never changes the clock")
  func allYear() throws {
    let footer = try footer("EST5EDT4,0/0,J365/25")
    for second in stride(from: 1_700_000_000, to: 2_000_000_000, by: 3_600_007) {
      #expect(footer.offset(at: second) == -14_400)
      #expect(footer.change(after: second, before: second + 63_000_000) == nil)
    }
  }

  @Test("Changes are found in order, south of the equator and across the turn of the year")
  func order() throws {
    let southern = try footer("AEST-10AEDT,M10.1.0,M4.1.0/3")
    let newYear = instant("2026-01-01T00:00Z").second
    let autumn = try #require(southern.change(after: newYear, before: .max))
    #expect(Instant(second: autumn) == instant("2026-04-05T03:00+11:00"))
    let spring = try #require(southern.change(after: autumn, before: .max))
    #expect(Instant(second: spring) == instant("2026-10-04T02:00+10:00"))
    #expect([newYear, autumn - 1, autumn, spring - 1, spring].map(southern.offset) == [39_600, 39_600, 36_000, 36_000, 39_600])

    // Begins 100 hours before 1 January, which is still in the old year.
    let early = try footer("AAA0BBB,J1/-100,J60")
    #expect(early.offset(at: instant("2025-12-27T20:00Z").second) == 3600)
    #expect(early.offset(at: instant("2025-12-27T19:59:59Z").second) == 0)
    // Ends 100 hours after the end of 31 December.
    let late = try footer("AAA0BBB,J300,J365/124")
    #expect(late.offset(at: instant("2026-01-05T02:59:59Z").second) == 3600)
    #expect(late.offset(at: instant("2026-01-05T03:00Z").second) == 0)
  }

  @Test("A footer alone says the same as the table of years that it stands for")
  func footerAlone() throws {
    let table = try zone("Europe/Berlin")
    let alone = try TZifBuilder(footer: "\nCET-1CEST,M3.5.0,M10.5.0/3\n").rules()
    for year in [1997, 2011, 2026, 2037, 2100, 2400] {
      alone.forEachValue(ofYear: year, times: [LocalTime(secondOfDay: 0), LocalTime(secondOfDay: 9000)]) { date, time, value in
        #expect(alone.resolve(date, time) == table.resolve(date, time))
      }
    }
  }
}
