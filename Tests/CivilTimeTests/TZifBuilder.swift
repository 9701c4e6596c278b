import Glibc
import Testing

@testable import CivilTime

/// Writes TZif files, whole or wrong in one respect (RFC 9636 §3).
struct TZifBuilder {
  var version: UInt8 = UInt8(ascii: "2")
  var magic = "TZif"
  var transitions: [Int64] = []
  var types: [UInt8] = []
  var offsets: [Int32] = [0]
  /// Each record after the leap second count is 12 bytes, 8 in version 1.
  var leapSeconds = 0
  var standardIndicators = 0
  var utIndicators = 0
  var abbreviations = "LMT\0"
  var footer = "\n\n"
  /// Takes the place of counts in the header, by their position.
  var claimedCounts: [Int: UInt32] = [:]

  var bytes: [UInt8] {
    guard version != 0 else { return block(width: 4) }
    // As zic writes them, the 32-bit block says nothing.
    var empty = TZifBuilder()
    empty.version = version
    return empty.block(width: 4) + block(width: 8) + Array(footer.utf8)
  }

  private func block(width: Int) -> [UInt8] {
    let counts = [utIndicators, standardIndicators, leapSeconds, transitions.count, offsets.count, abbreviations.utf8.count]
    var bytes = Array(magic.utf8) + [version] + [UInt8](repeating: 0, count: 15)
    for (position, count) in counts.enumerated() { bytes += bigEndian(claimedCounts[position] ?? UInt32(count)) }
    for second in transitions { bytes += width == 8 ? bigEndian(second) : bigEndian(Int32(truncatingIfNeeded: second)) }
    bytes += types
    for offset in offsets { bytes += bigEndian(offset) + [0, 0] }
    bytes += Array(abbreviations.utf8)
    return bytes + [UInt8](repeating: 0, count: leapSeconds * (width + 4) + standardIndicators + utIndicators)
  }

  func rules() throws(ZoneError) -> ZoneRules { try ZoneRules(identifier: "Test/Zone", tzif: bytes) }
}

private func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value.bigEndian, Array.init) }

/// A zone of the system's database.
func zone(_ name: String) throws -> ZoneRules { try sharedDatabase.zone(named: name) }

private let sharedDatabase = ZoneDatabase()

/// A zone's file as it is on this system.
func systemFile(_ name: String) throws -> [UInt8] { try ZoneFile(path: "/usr/share/zoneinfo/\(name)").bytes }

/// What a text that is right must say: a wrong one is the test's own mistake, which fails it.
private func expected<Value>(_ text: String, _ value: Value?, orElse substitute: Value) -> Value {
  if value == nil { Issue.record("the test's own text is wrong: \(text)") }
  return value ?? substitute
}

func date(_ text: String) -> LocalDate { expected(text, LocalDate(text), orElse: LocalDate(dayNumber: 0)) }

func time(_ text: String) -> LocalTime { expected(text, LocalTime(text), orElse: LocalTime(secondOfDay: 0)) }

/// An instant, from text with an offset.
func instant(_ text: String) -> Instant {
  let instant: Instant? = if case .absolute(let instant) = InstantText.parse(text) { instant } else { nil }
  return expected(text, instant, orElse: Instant(milliseconds: 0))
}

/// The error that something must fail with; `nil`, and a failed test, where it does not.
func failure(_ body: () throws(ZoneError) -> ZoneRules) -> ZoneError? {
  do {
    _ = try body()
    Issue.record("nothing was refused")
    return nil
  } catch {
    return error
  }
}
