import Glibc

@testable import CivilTime

/// Python's zoneinfo, run by `Tests/civil-time`, as a judge that shares nothing with this code but the database.
struct Judge {
  struct Failure: Error {
    let reason: String
  }

  let arguments: [String]

  /// Hands over the fields of each line as it comes, and returns once the process has ended well.
  func forEachLine(_ body: ([String]) -> Void) throws {
    let script = #filePath.split(separator: "/").dropLast(2).map { "/" + $0 }.joined() + "/civil-time"
    let words = ([script] + arguments).map { "'\($0)'" }.joined(separator: " ")
    guard let stream = popen("exec python3 \(words)", "r") else { throw Failure(reason: "popen: \(String(cString: strerror(errno)))") }
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    while getline(&line, &capacity, stream) > 0, let line {
      body(String(cString: line).split(whereSeparator: { $0 == " " || $0 == "\n" }).map(String.init))
    }
    free(line)
    let status = pclose(stream)
    guard status == 0 else { throw Failure(reason: "\(words) ended with status \(status)") }
  }
}

/// CRC-32 as zlib has it, over 64-bit numbers in little-endian order.
struct Checksum {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320 }
  }

  private var state = UInt32.max
  private let table = Self.table

  var hex: String {
    let digits = String(~state, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  mutating func add(_ value: Int) {
    var rest = UInt64(bitPattern: Int64(value))
    for _ in 0..<8 {
      state = state &>> 8 ^ table[Int(UInt8(truncatingIfNeeded: state) ^ UInt8(truncatingIfNeeded: rest))]
      rest &>>= 8
    }
  }
}

extension ZoneRules {
  /// For every day and time of a year: the second times 8, plus the kind times 2, plus 1 where the date exists.
  func forEachValue(ofYear year: Int, times: [LocalTime], _ body: (LocalDate, LocalTime, Int) -> Void) {
    guard var date = LocalDate(year: year, month: 1, day: 1) else { return }
    while date.year == year {
      let exists = exists(date) ? 1 : 0
      for time in times {
        let resolution = resolve(date, time)
        let kind =
          switch resolution.kind {
          case .exact: 0
          case .gap: 1
          case .overlap: 2
          }
        body(date, time, Int(resolution.instant.milliseconds) / 1000 * 8 + kind * 2 + exists)
      }
      date = date.adding(days: 1)
    }
  }
}
