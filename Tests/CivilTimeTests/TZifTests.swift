import Testing

@testable import CivilTime

@Suite("TZif files")
struct TZifTests {
  @Test("Version 1 has 32-bit times and no rule after them")
  func versionOne() throws {
    let rules = try TZifBuilder(version: 0, transitions: [-1_000, 1_000], types: [1, 0], offsets: [3600, 7200]).rules()
    #expect([-1_001, -1_000, 999, 1_000, 4_000_000_000].map { rules.offset(at: Instant(second: $0)) } == [3600, 7200, 7200, 3600, 3600])
  }

  @Test(
    "Version 2 and later are read from the 64-bit block",
    arguments: [UInt8(ascii: "2"), UInt8(ascii: "3"), UInt8(ascii: "4"), UInt8(ascii: "9")])
  func laterVersions(version: UInt8) throws {
    let rules = try TZifBuilder(version: version, transitions: [-5_000_000_000, 5_000_000_000], types: [1, 0], offsets: [3600, 7200])
      .rules()
    #expect([-5_000_000_001, 0, 5_000_000_000].map { rules.offset(at: Instant(second: $0)) } == [3600, 7200, 3600])
  }

  @Test("Type 0 is in force before the first transition, the footer from the last one on")
  func ends() throws {
    let rules = try TZifBuilder(
      transitions: [0], types: [1], offsets: [-600, 3600], footer: "\nCET-1CEST,M3.5.0,M10.5.0/3\n"
    ).rules()
    #expect(rules.offset(at: Instant(milliseconds: -1)) == -600)
    #expect(rules.offset(at: Instant(milliseconds: 0)) == 3600)
    #expect(rules.offset(at: instant("2026-07-01T00:00Z")) == 7200)
  }

  @Test("Without transitions the footer is always in force, and type 0 where it is empty")
  func withoutTransitions() throws {
    #expect(try TZifBuilder(offsets: [60], footer: "\nIST-5:30\n").rules().offset(at: Instant(milliseconds: .min)) == 19_800)
    #expect(try TZifBuilder(offsets: [60], footer: "\n\n").rules().offset(at: Instant(milliseconds: .max)) == 60)
  }

  @Test("What is no whole and consistent file is refused", arguments: malformed)
  func refused(builder: TZifBuilder, reason: String) {
    let error = failure(builder.rules)
    #expect(error?.code == .malformed)
    #expect(error?.zone == "Test/Zone")
    #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
  }

  static let malformed: [(TZifBuilder, String)] = [
    (TZifBuilder(magic: "TZxf"), "not a TZif file"),
    (TZifBuilder(version: UInt8(ascii: "1")), "version"),
    (TZifBuilder(offsets: []), "counts"),
    (TZifBuilder(abbreviations: ""), "counts"),
    (TZifBuilder(offsets: [0, 60], standardIndicators: 1), "counts"),
    (TZifBuilder(offsets: [0, 60], utIndicators: 3), "counts"),
    (TZifBuilder(leapSeconds: 27), "right/"),
    (TZifBuilder(version: 0, leapSeconds: 27), "right/"),
    (TZifBuilder(offsets: [93_600]), "more than a day"),
    (TZifBuilder(offsets: [.min]), "more than a day"),
    (TZifBuilder(transitions: [0], types: [1]), "not there"),
    (TZifBuilder(transitions: [1, 0], types: [0, 0]), "ascending"),
    (TZifBuilder(transitions: [7, 7], types: [0, 0]), "ascending"),
    (TZifBuilder(footer: ""), "cut short"),
    (TZifBuilder(footer: "\n"), "last line"),
    (TZifBuilder(footer: "UTC0\n"), "last line"),
    (TZifBuilder(footer: "\nUTC0"), "last line"),
    (TZifBuilder(footer: "\nUTC\n"), "rule"),
    (TZifBuilder(footer: "\n\u{0}\n"), "rule"),
    (TZifBuilder(claimedCounts: [3: .max]), "cut short"),
    (TZifBuilder(claimedCounts: [0: .max, 1: .max, 2: .max, 3: .max, 4: .max, 5: .max]), "counts"),
  ]

  @Test("A file cut at any byte is refused", arguments: ["Europe/Berlin", "UTC", "Africa/Casablanca"])
  func truncated(name: String) throws {
    let bytes = try systemFile(name)
    for count in 0..<bytes.count {
      #expect(throws: ZoneError.self, "\(count) bytes") { try ZoneRules(identifier: name, tzif: Array(bytes[..<count])) }
    }
  }

  @Test("Damaged bytes never trap, neither when read nor when asked", arguments: ["Europe/Dublin", "Australia/Lord_Howe", "Pacific/Apia"])
  func damaged(name: String) throws {
    let original = try systemFile(name)
    let dates = [date("0001-01-01"), date("2011-12-30"), date("9999-12-31")]
    var random = UInt64(name.utf8.count)
    func next(_ bound: Int) -> Int {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(random >> 33) % bound
    }
    var survivors = 0
    for _ in 0..<500 {
      var bytes = original
      for _ in 0...next(3) { bytes[next(bytes.count)] = [0, 0x7F, 0x80, 0xFF, UInt8(next(256))][next(5)] }
      let rules: ZoneRules
      do {
        rules = try ZoneRules(identifier: name, tzif: bytes)
      } catch {
        continue
      }
      survivors += 1
      for milliseconds in [Int64.min, -1, 0, 1_325_203_200_000, .max] {
        _ = rules.local(at: Instant(milliseconds: milliseconds))
        _ = Instant(milliseconds: milliseconds).formatted(in: rules)
      }
      for date in dates {
        _ = rules.resolve(date, LocalTime(secondOfDay: 9000))
        _ = rules.exists(date)
      }
    }
    #expect(survivors > 10)
  }

  @Test("Transitions at the ends of the 64-bit range are taken in stride", arguments: ["\n\n", "\nEST5EDT,M3.2.0,M11.1.0\n"])
  func extremes(footer: String) throws {
    let rules = try TZifBuilder(transitions: [.min, 0, .max], types: [1, 0, 1], offsets: [0, 3600], footer: footer).rules()
    #expect(rules.offset(at: Instant(milliseconds: .min)) == 3600)
    #expect(rules.offset(at: Instant(milliseconds: .max)) == 0)
    #expect(rules.resolve(date("9999-12-31"), time("23:59:59")).kind == .exact)
    #expect(rules.resolve(date("0001-01-01"), time("00:00")).kind == .exact)
  }
}
