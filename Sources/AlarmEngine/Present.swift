import CivilTime

/// One moment on both clocks.
package struct Present: Hashable, Sendable {
  /// What the wall clock says; it may be set.
  package var wall: Instant
  /// Milliseconds since the machine was booted (`CLOCK_BOOTTIME`); never set.
  package var elapsed: Int64
  /// Whether the time service vouches for the wall clock.
  package var isSynchronized: Bool

  package init(wall: Instant, elapsed: Int64, isSynchronized: Bool = true) {
    self.wall = wall
    self.elapsed = elapsed
    self.isSynchronized = isSynchronized
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

  var isOnWall: Bool { if case .wall = self { true } else { false } }

  /// The same clock's moment so many milliseconds earlier.
  func earlier(by milliseconds: Int64) -> Deadline {
    switch self {
    case .wall(let instant): .wall(instant - milliseconds)
    case .elapsed(let elapsed): .elapsed(elapsed - milliseconds)
    }
  }
}

/// How far the wall clock is believed.
package enum ClockTrust: String, Sendable {
  /// The time service vouches for it.
  case synced
  /// Not known to be wrong.
  case plausible
  /// It is before the last time that this node has stored.
  case untrusted
}
