/// Lets through 100 requests a second, and 500 at once after a rest.
struct RateLimit: Sendable {
  /// Milliseconds that each request costs.
  private static let cost: Int64 = 10
  /// How far the debt may grow: 500 requests.
  private static let burst: Int64 = 5000

  /// When all requests so far are paid off (elapsed milliseconds).
  private var settledAt: Int64 = 0

  /// Whether one more request may pass now; it is counted if so.
  mutating func take(at elapsed: Int64) -> Bool {
    let next = max(settledAt, elapsed) + Self.cost
    guard next - elapsed <= Self.burst else { return false }
    settledAt = next
    return true
  }
}
