import CivilTime

/// One moment on both clocks.
package struct Present: Hashable, Sendable {
  /// What the wall clock says; it may be set.
  package var wall: Instant
  /// Milliseconds since the machine was booted (`CLOCK_BOOTTIME`); never set.
  package var elapsed: Int64

  package init(wall: Instant, elapsed: Int64) {
    self.wall = wall
    self.elapsed = elapsed
  }
}

/// A moment to come, on the clock that it follows.
package enum Deadline: Hashable, Sendable {
  case wall(Instant)
  case elapsed(Int64)

  /// Milliseconds since the deadline; negative before it.
  func lateness(at present: Present) -> Int64 {
    switch self {
    case .wall(let instant): present.wall - instant
    case .elapsed(let milliseconds): present.elapsed - milliseconds
    }
  }

  /// The same clock's moment so many milliseconds earlier.
  func earlier(by milliseconds: Int64) -> Deadline {
    switch self {
    case .wall(let instant): .wall(instant - milliseconds)
    case .elapsed(let elapsed): .elapsed(elapsed - milliseconds)
    }
  }
}
