import AlarmEngine
import CivilTime

/// Both clocks of a simulated machine. True time passes; the wall clock shows it, or something else.
struct VirtualClock {
  /// Milliseconds since the simulation began: the time that nobody can set.
  private(set) var now: Int64 = 0
  private let beginning: Instant
  /// What the wall clock shows too much.
  private(set) var error: Int64 = 0
  private(set) var bootedAt: Int64 = 0
  private(set) var boot = 1
  var isSynchronized = true

  init(beginning: Instant) { self.beginning = beginning }

  var truth: Instant { beginning + now }
  var elapsed: Int64 { now - bootedAt }
  var present: Present { Present(wall: truth + error, elapsed: elapsed, isSynchronized: isSynchronized) }
  var bootIdentifier: String { "boot-\(boot)" }

  mutating func advance(to time: Int64) { now = max(now, time) }
  mutating func step(_ milliseconds: Int64) { error += milliseconds }
  mutating func correct() { error = 0 }

  /// The machine starts anew.
  mutating func reboot() {
    bootedAt = now
    boot += 1
  }
}
