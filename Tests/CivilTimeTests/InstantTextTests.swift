import Testing

@testable import CivilTime

@Suite("Instants as text")
struct InstantTextTests {
  @Test(
    "Text with an offset is a point on the time line",
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00z", 0), ("1970-01-01 00:00:00.000+00:00", 0), ("1970-01-01t01:00+01", 0),
      ("1969-12-31T23:30-0030", 0), ("1970-01-01T05:45:00.5+05:45", 500), ("1970-01-01T00:00:00.001Z", 1),
      ("1970-01-01T00:00:00.123456789Z", 123),
      ("1970-01-01T00:00:00.9999Z", 999), ("1970-01-01T00:00:00.05Z", 50), ("1969-12-31T23:59:59.999-00:00", -1),
      ("2026-12-01T18:20:00.000+01:00", 1_796_145_600_000),
      ("0001-01-01T00:00:00+23:59", -62_135_683_140_000), ("9999-12-31T23:59:59.999-23:59", 253_402_387_139_999),
      ("2028-02-29T00:00Z", 1_835_395_200_000),
    ])
  func absolute(text: String, milliseconds: Int64) {
    #expect(InstantText.parse(text) == .absolute(Instant(milliseconds: milliseconds)))
  }

  @Test("Text without an offset is a local time")
  func local() throws {
    let noon = ParsedInstant.local(date("2026-12-01"), time("12:00"), milliseconds: 0)
    #expect(InstantText.parse("2026-12-01T12:00") == noon)
    #expect(InstantText.parse("2026-12-01 12:00:00") == noon)
    #expect(InstantText.parse("2026-12-01t12:00:01.25") == .local(date("2026-12-01"), time("12:00:01"), milliseconds: 250))
  }

  @Test(
    "Anything else is refused",
    arguments: [
      "", "T", "2026-12-01", "2026-12-01T", "12:00", "2026-12-01T12", "2026-12-01T1200", "20261201T120000Z", "2026-12-01  12:00",
      "2026-12-01T 12:00",
      "2026-12-01T12:00 Z", "2026-12-01T12:00:00 +01:00", " 2026-12-01T12:00", "2026-12-01T12:00 ", "2026-12-01T24:00",
      "2026-12-01T23:59:60Z",
      "2026-12-01T23:60Z", "2026-02-29T12:00Z", "2026-13-01T12:00Z", "0000-01-01T00:00Z", "10000-01-01T00:00Z", "-001-01-01T00:00Z",
      "2026-12-01T12:00:00.Z", "2026-12-01T12:00:00.", "2026-12-01T12:00.5Z", "2026-12-01T12:00:00.1234567890Z", "2026-12-01T12:00:00.12x",
      "2026-12-01T12:00:00,5Z", "2026-12-01T12:00+", "2026-12-01T12:00+1", "2026-12-01T12:00+1:00", "2026-12-01T12:00+24:00",
      "2026-12-01T12:00+01:60",
      "2026-12-01T12:00+01:0", "2026-12-01T12:00+01:000", "2026-12-01T12:00+010000", "2026-12-01T12:00ZZ", "2026-12-01T12:00+01:00Z",
      "2026-12-01T12:00+0x:00", "2026-12-01T12:00−01:00", "２０２６-12-01T12:00Z", "2026-12-01T12:00\0", "now", "1796145600",
    ])
  func refused(text: String) {
    #expect(InstantText.parse(text) == nil)
  }

  @Test("A local time is resolved in its zone; in a gap the fraction has no meaning")
  func inZone() throws {
    let berlin = try zone("Europe/Berlin")
    func resolved(_ text: String) throws -> String { try #require(InstantText.parse(text)).instant(in: berlin).formatted(in: berlin) }
    #expect(try resolved("2026-12-01T18:20:00.007") == "2026-12-01T18:20:00.007+01:00")
    #expect(try resolved("2026-03-29T02:30:00.500") == "2026-03-29T03:00:00.000+02:00")
    #expect(try resolved("2026-10-25 02:30:00.500") == "2026-10-25T02:30:00.500+02:00")
    #expect(try resolved("2026-10-25T02:30:00.500+01:00") == "2026-10-25T02:30:00.500+01:00")
    #expect(try resolved("2026-06-30T22:00Z") == "2026-07-01T00:00:00.000+02:00")
  }

  @Test("UTC is written as a numeric offset, and milliseconds always")
  func utc() {
    #expect(Instant(milliseconds: 0).formatted(in: .utc) == "1970-01-01T00:00:00.000+00:00")
    #expect(Instant(milliseconds: -1).formatted(in: .utc) == "1969-12-31T23:59:59.999+00:00")
  }

  @Test("What was written is read back as the same instant, in every kind of zone")
  func roundTrip() throws {
    for name in [
      "UTC", "Europe/Berlin", "Asia/Kathmandu", "America/St_Johns", "Pacific/Kiritimati", "Etc/GMT+12", "Africa/Monrovia", "Europe/London",
    ] {
      let zone = try zone(name)
      for milliseconds in stride(from: -6_000_000_000_123, to: 8_000_000_000_000, by: 7_777_777_777) {
        let instant = Instant(milliseconds: Int64(milliseconds))
        #expect(InstantText.parse(instant.formatted(in: zone)) == .absolute(instant), "\(name) \(milliseconds)")
      }
    }
  }
}
