import CivilTime

/// The latest time that the node wrote down: the clock cannot truly be before it.
struct StoredTime: Hashable, Sendable {
  var wall: Instant
  var elapsed: Int64
  var boot: String?

  init(wall: Instant, elapsed: Int64, boot: String?) {
    self.wall = wall
    self.elapsed = elapsed
    self.boot = boot
  }

  /// Reads it from the store's values.
  init?(_ values: [String: String]) {
    let parts = (values["time"] ?? "").split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 3, let wall = Int64(parts[0]), let elapsed = Int64(parts[1]) else { return nil }
    self.init(wall: Instant(milliseconds: wall), elapsed: elapsed, boot: parts[2].isEmpty ? nil : String(parts[2]))
  }

  /// The store's value.
  var value: String { "\(wall.milliseconds) \(elapsed) \(boot ?? "")" }

  /// Whether it was written during this boot.
  func isOf(_ boot: String?) -> Bool { boot != nil && boot == self.boot }

  /// The earliest that it can be now.
  func lowerBound(elapsed now: Int64, boot: String?) -> Instant {
    // In another boot all that is known is that the machine has been up for so long.
    let passed = isOf(boot) ? now - elapsed : now
    return wall + max(passed, 0)
  }
}
