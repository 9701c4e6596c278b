/// How long to wait before the next connection attempt.
///
/// 0.5 s, doubling to 60 s, each ±20 % so that the clients of a broker that comes back do not all connect at once. Two clients with the same
/// id throw each other out for ever if both come back at once, hence at least 32 s after a take-over or when connections keep
/// dropping soon after they were made, which is all that a take-over shows under MQTT 3.1.1 and with mosquitto before 2.0.15.
struct ReconnectDelay {
  /// Milliseconds after which a session counts as stable and all is forgotten.
  static let stableAfter: Int64 = 30_000
  /// That many sessions in a row that were not stable are "repeatedly dropped".
  static let quickDropLimit = 3
  private static let first: Int64 = 500
  private static let longest: Int64 = 60_000
  private static let hard: Int64 = 40_000

  private var failures = 0
  private var quickDrops = 0

  /// Whether the last sessions all ended soon after they began.
  var isRepeatedlyDropped: Bool { quickDrops >= Self.quickDropLimit }

  /// Milliseconds until the next attempt.
  ///
  /// - Parameters:
  ///   - uptime: how long the session had been connected, in milliseconds; `nil` if it never was.
  ///   - jitter: −1…1.
  mutating func next(uptime: Int64?, takenOver: Bool, jitter: Double) -> Int64 {
    if let uptime {
      if uptime >= Self.stableAfter {
        self = ReconnectDelay()
      } else {
        quickDrops += 1
      }
    }
    var delay = min(Self.first << min(failures, 16), Self.longest)
    if takenOver || isRepeatedlyDropped { delay = max(delay, Self.hard) }
    failures += 1
    return delay + Int64(Double(delay) * 0.2 * min(max(jitter, -1), 1))
  }
}
