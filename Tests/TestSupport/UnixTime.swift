import Glibc

/// Instants as ISO 8601, by the C library: a judge that knows nothing of the node's own code.
package enum UnixTime {
  /// Seconds since 1970.
  package static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// `2026-12-01T18:20:00Z`, without the fraction.
  package static func text(_ seconds: Double) -> String {
    var time = time_t(seconds)
    var parts = tm()
    gmtime_r(&time, &parts)
    var buffer = [CChar](repeating: 0, count: 32)
    let count = strftime(&buffer, buffer.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
    return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Reads `2026-12-01T18:20:00.000+01:00`, exactly as the contract has it: milliseconds and an offset.
  package static func seconds(of text: String) -> Double? {
    let form = /(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)\.(\d{3})(Z|([+-])(\d\d):(\d\d))/
    guard let match = text.wholeMatch(of: form) else { return nil }
    let numbers = [match.1, match.2, match.3, match.4, match.5, match.6].compactMap { Int32($0) }
    guard numbers.count == 6, let milliseconds = Double(match.7) else { return nil }
    var parts = tm()
    parts.tm_year = numbers[0] - 1900
    parts.tm_mon = numbers[1] - 1
    parts.tm_mday = numbers[2]
    parts.tm_hour = numbers[3]
    parts.tm_min = numbers[4]
    parts.tm_sec = numbers[5]
    var offset = 0.0
    if let sign = match.9, let hours = match.10.flatMap({ Double($0) }), let minutes = match.11.flatMap({ Double($0) }) {
      offset = (sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
    }
    return Double(timegm(&parts)) + milliseconds / 1000 - offset
  }
}
