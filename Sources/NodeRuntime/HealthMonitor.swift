import NodeProtocol

/// Which problems stand: one appears at once, and clears after it has been away for a while.
struct HealthMonitor {
  /// How long a problem stays after it was last seen (milliseconds).
  static let clearing: Int64 = 10_000

  private var seen: [HealthDocument.Problem: Int64] = [:]
  /// Those that were there at the latest look.
  private var present: [HealthDocument.Problem] = []

  /// Takes the problems of this moment.
  mutating func update(_ problems: [HealthDocument.Problem], now: Int64) {
    for problem in problems { seen[problem] = now }
    present = problems
    let codes = Set(problems.map(\.code))
    // A problem whose words changed is the same problem.
    seen = seen.filter { problem, at in
      problems.contains(problem) || (!codes.contains(problem.code) && now - at < Self.clearing)
    }
  }

  var standing: [HealthDocument.Problem] { seen.keys.sorted { ($0.code, $0.message) < ($1.code, $1.message) } }

  /// When a problem may clear that is away; `nil` where none is.
  var nextClearing: Int64? {
    seen.filter { !present.contains($0.key) }.values.min().map { $0 + Self.clearing }
  }
}
