import Testing

@testable import CivilTime

@Suite("Local times in a zone")
struct ZoneRulesTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let zone: String
    let local: String
    let kind: Resolution.Kind
    let instant: String

    init(_ zone: String, _ local: String, _ kind: Resolution.Kind, _ instant: String) {
      self.zone = zone
      self.local = local
      self.kind = kind
      self.instant = instant
    }

    var testDescription: String { "\(zone) \(local)" }
  }

  @Test("A skipped time is left at the end of its gap, a repeated one is the first", arguments: cases)
  func resolved(example: Case) throws {
    let zone = try zone(example.zone)
    let fields = example.local.split(separator: " ").map(String.init)
    let resolution = zone.resolve(date(fields[0]), time(fields[1]))
    #expect(resolution.kind == example.kind)
    #expect(resolution.instant.formatted(in: zone) == example.instant)
    #expect(resolution.instant == instant(example.instant))
  }

  static let cases = [
    Case("Europe/Berlin", "2026-03-29 01:59:59", .exact, "2026-03-29T01:59:59.000+01:00"),
    Case("Europe/Berlin", "2026-03-29 02:00", .gap, "2026-03-29T03:00:00.000+02:00"),
    Case("Europe/Berlin", "2026-03-29 02:30", .gap, "2026-03-29T03:00:00.000+02:00"),
    Case("Europe/Berlin", "2026-03-29 03:00", .exact, "2026-03-29T03:00:00.000+02:00"),
    Case("Europe/Berlin", "2026-10-25 01:59:59", .exact, "2026-10-25T01:59:59.000+02:00"),
    Case("Europe/Berlin", "2026-10-25 02:00", .overlap, "2026-10-25T02:00:00.000+02:00"),
    Case("Europe/Berlin", "2026-10-25 02:59:59", .overlap, "2026-10-25T02:59:59.000+02:00"),
    Case("Europe/Berlin", "2026-10-25 03:00", .exact, "2026-10-25T03:00:00.000+01:00"),
    // Far beyond the table: 28 March 2100 and 30 March 2200 are the last Sundays.
    Case("Europe/Berlin", "2100-03-28 02:30", .gap, "2100-03-28T03:00:00.000+02:00"),
    Case("Europe/Berlin", "2200-03-30 02:30", .gap, "2200-03-30T03:00:00.000+02:00"),
    Case("Europe/Berlin", "2200-10-26 02:30", .overlap, "2200-10-26T02:30:00.000+02:00"),
    // Half an hour.
    Case("Australia/Lord_Howe", "2026-10-04 02:15", .gap, "2026-10-04T02:30:00.000+11:00"),
    Case("Australia/Lord_Howe", "2026-04-05 01:45", .overlap, "2026-04-05T01:45:00.000+11:00"),
    Case("Australia/Lord_Howe", "2026-04-05 02:00", .exact, "2026-04-05T02:00:00.000+10:30"),
    // Two hours.
    Case("Antarctica/Troll", "2026-03-29 01:00", .gap, "2026-03-29T03:00:00.000+02:00"),
    Case("Antarctica/Troll", "2026-10-25 01:30", .overlap, "2026-10-25T01:30:00.000+02:00"),
    // A whole day.
    Case("Pacific/Apia", "2011-12-29 23:59:59", .exact, "2011-12-29T23:59:59.000-10:00"),
    Case("Pacific/Apia", "2011-12-30 00:00", .gap, "2011-12-31T00:00:00.000+14:00"),
    Case("Pacific/Apia", "2011-12-30 23:59:59", .gap, "2011-12-31T00:00:00.000+14:00"),
    Case("Pacific/Apia", "2011-12-31 00:00", .exact, "2011-12-31T00:00:00.000+14:00"),
    Case("Pacific/Kwajalein", "1993-08-21 12:00", .gap, "1993-08-22T00:00:00.000+12:00"),
    Case("Pacific/Kiritimati", "1994-12-31 07:00", .gap, "1995-01-01T00:00:00.000+14:00"),
    Case("Pacific/Kiritimati", "2026-01-01 00:00", .exact, "2026-01-01T00:00:00.000+14:00"),
    // A whole day twice.
    Case("Pacific/Kwajalein", "1969-09-30 12:00", .overlap, "1969-09-30T12:00:00.000+11:00"),
    // Winter time is the deviation from standard time.
    Case("Europe/Dublin", "2026-03-29 01:30", .gap, "2026-03-29T02:00:00.000+01:00"),
    Case("Europe/Dublin", "2026-10-25 01:30", .overlap, "2026-10-25T01:30:00.000+01:00"),
    Case("Europe/Dublin", "2060-10-31 01:30", .overlap, "2060-10-31T01:30:00.000+01:00"),
    // Changes that follow the moon.
    Case("Africa/Casablanca", "2026-02-15 02:30", .overlap, "2026-02-15T02:30:00.000+01:00"),
    Case("Africa/Casablanca", "2026-03-22 02:30", .gap, "2026-03-22T03:00:00.000+01:00"),
    // At midnight.
    Case("America/Santiago", "2026-09-06 00:00", .gap, "2026-09-06T01:00:00.000-03:00"),
    Case("America/Santiago", "2026-04-04 23:30", .overlap, "2026-04-04T23:30:00.000-03:00"),
    Case("America/Santiago", "2026-04-05 00:00", .exact, "2026-04-05T00:00:00.000-04:00"),
    // The day before the end of a month, by a rule with a negative hour.
    Case("America/Nuuk", "2026-03-28 23:30", .gap, "2026-03-29T00:00:00.000-01:00"),
  ]

  @Test("Offsets with seconds are exact")
  func localMeanTime() throws {
    let berlin = try zone("Europe/Berlin")
    // 53 min 28 s until 1 April 1893.
    #expect(berlin.offset(at: instant("1893-03-31T00:00Z")) == 3208)
    let gap = berlin.resolve(date("1893-04-01"), time("00:03"))
    #expect(gap.kind == .gap)
    #expect(gap.instant == instant("1893-03-31T23:06:32Z"))
    #expect((gap.instant - 1).formatted(in: berlin) == "1893-03-31T23:59:31.999+00:53")
    #expect(instant("1893-03-31T23:59:31.999+00:53") == gap.instant - 1)
    let monrovia = try zone("Africa/Monrovia")
    let noon = monrovia.resolve(date("1960-01-01"), time("12:00")).instant
    #expect(noon.formatted(in: monrovia) == "1960-01-01T12:00:30.000-00:44")
    #expect(instant("1960-01-01T12:44:30Z") == noon)
  }

  @Test("A date exists unless the clocks skip all of it")
  func existence() throws {
    let apia = try zone("Pacific/Apia")
    #expect(["2011-12-29", "2011-12-30", "2011-12-31"].compactMap(LocalDate.init).map(apia.exists) == [true, false, true])
    let kiritimati = try zone("Pacific/Kiritimati")
    #expect(["1994-12-30", "1994-12-31", "1995-01-01"].compactMap(LocalDate.init).map(kiritimati.exists) == [true, false, true])
    #expect(try zone("America/Santiago").exists(date("2026-09-06")))
    #expect(ZoneRules.utc.exists(date("0001-01-01")))
    #expect(ZoneRules.utc.exists(date("9999-12-31")))
  }

  @Test("What the clocks show is resolved to the first instant at which they show it")
  func roundTrip() throws {
    for name in ["Europe/Berlin", "Australia/Lord_Howe", "Pacific/Apia", "Asia/Gaza", "America/St_Johns"] {
      let zone = try zone(name)
      for second in stride(from: 631_152_000, to: 4_000_000_000, by: 7_654_321) {
        let shown = Instant(second: second)
        let (date, time) = zone.local(at: shown)
        let resolution = zone.resolve(date, time)
        #expect(resolution.kind != .gap)
        #expect(resolution.instant == shown || (resolution.kind == .overlap && resolution.instant < shown), "\(name) \(second)")
      }
    }
  }

  @Test("Local time is cut to the second below, before 1970 too")
  func floor() throws {
    #expect(ZoneRules.utc.local(at: Instant(milliseconds: -1)) == (date("1969-12-31"), time("23:59:59")))
    #expect(ZoneRules.utc.local(at: Instant(milliseconds: 999)) == (date("1970-01-01"), time("00:00")))
    let change = instant("2026-03-29T01:00Z")
    #expect(try zone("Europe/Berlin").local(at: change - 1).time == time("01:59:59"))
    #expect(try zone("Europe/Berlin").local(at: change).time == time("03:00"))
  }

  @Test("Several changes within a day are each taken into account")
  func crowdedDay() throws {
    // 1970-01-02, all times UTC: 06:00 +2 h, 07:00 back, 12:00 -1 h, 12:30 +1 h (to +0), 18:00 +5 h.
    let hour: Int64 = 3600
    let day: Int64 = 86_400
    let zone = try TZifBuilder(
      transitions: [day + 6 * hour, day + 7 * hour, day + 12 * hour, day + 12 * hour + 1800, day + 18 * hour], types: [1, 0, 2, 0, 3],
      offsets: [0, 7200, -3600, 18_000]
    ).rules()
    func resolved(_ text: String) -> Resolution { zone.resolve(date("1970-01-02"), time(text)) }
    func expected(_ text: String, _ kind: Resolution.Kind) -> Resolution {
      Resolution(instant: instant("1970-01-02T\(text)Z"), kind: kind)
    }
    #expect(resolved("05:59:59") == expected("05:59:59", .exact))
    // Skipped at 06:00, but shown when the clock goes back.
    #expect(resolved("07:30") == expected("07:30", .exact))
    #expect(resolved("08:30") == expected("06:30", .overlap))
    #expect(resolved("09:00") == expected("09:00", .exact))
    #expect(resolved("06:30") == expected("06:00", .gap))
    #expect(resolved("11:15") == expected("11:15", .overlap))
    #expect(resolved("11:45") == expected("11:45", .exact))
    #expect(resolved("12:15") == expected("12:30", .gap))
    #expect(resolved("20:00") == expected("18:00", .gap))
  }

  @Test("A time that is skipped twice and never shown is left at the end of the first gap")
  func skippedTwice() throws {
    // Forward two hours at 00:00 UTC, back three at 00:10, forward three at 00:20: 00:30 is passed over each time.
    let zone = try TZifBuilder(transitions: [0, 600, 1200], types: [1, 2, 1], offsets: [0, 7200, -3600]).rules()
    let resolution = zone.resolve(date("1970-01-01"), time("00:30"))
    #expect(resolution == Resolution(instant: Instant(milliseconds: 0), kind: .gap))
  }

  @Test("Where the footer contradicts the last transition, the clock changes there")
  func contradiction() throws {
    let zone = try TZifBuilder(transitions: [0], types: [0], offsets: [0], footer: "\nXXX-2\n").rules()
    #expect([-1, 0].map { zone.offset(at: Instant(second: $0)) } == [0, 7200])
    #expect(zone.resolve(date("1970-01-01"), time("01:00")) == Resolution(instant: Instant(milliseconds: 0), kind: .gap))
    #expect(zone.resolve(date("1970-01-01"), time("02:00")) == Resolution(instant: Instant(milliseconds: 0), kind: .exact))
  }

  @Test("Rules are equal where name and content are")
  func equality() throws {
    let bytes = try systemFile("Europe/Berlin")
    let berlin = try ZoneRules(identifier: "A", tzif: bytes)
    let again = try ZoneRules(identifier: "A", tzif: bytes)
    let renamed = try ZoneRules(identifier: "B", tzif: bytes)
    let changed = try ZoneRules(identifier: "A", tzif: systemFile("Europe/Dublin"))
    #expect(berlin == again)
    #expect(berlin != renamed)
    #expect(berlin != changed)
    let one = try TZifBuilder(footer: "\nCET-1CEST,M3.5.0,M10.5.0/3\n").rules()
    let other = try TZifBuilder(footer: "\nCET-1CEST,M3.5.0,M10.4.0/3\n").rules()
    #expect(one != other)
  }
}
