import CLinux
import Glibc
import Synchronization

/// A `timerfd` with absolute deadlines in milliseconds of its clock.
package final class TimerDescriptor: Sendable {
  package enum Clock: Sendable {
    /// `CLOCK_REALTIME`; the timer also wakes when that clock is set (`TFD_TIMER_CANCEL_ON_SET`).
    case wall
    /// `CLOCK_BOOTTIME`.
    case elapsed
  }

  package enum Wakeup: Sendable {
    /// Nothing happened yet.
    case none
    /// The deadline has passed.
    case expired
    /// The wall clock was set (`ECANCELED`); the timer must be armed anew.
    case clockSet
  }

  /// The descriptor to poll for reading.
  package let descriptor: Int32
  private let clock: Clock
  /// A setting of the clock that `timerfd_settime` told of, and `take` not yet.
  private let unreportedSetting = Atomic(false)

  package init(clock: Clock) throws(SystemCallError) {
    self.clock = clock
    let identifier = clock == .wall ? CLOCK_REALTIME : CLOCK_BOOTTIME
    descriptor = try retrying("timerfd_create") { timerfd_create(Int32(identifier), reveille_TFD_CLOEXEC | reveille_TFD_NONBLOCK) }
  }

  deinit { close(descriptor) }

  /// Arms the timer for an absolute time; one in the past expires at once. `nil` stands for "never": a wall timer then still wakes when
  /// the clock is set. If it was set just before this call, the timer wakes at once with `clockSet`.
  package func arm(at milliseconds: Int64?) throws(SystemCallError) {
    // An all-zero it_value disarms, so times at or before the epoch become its first nanosecond; "never" is the year 2243, which is as
    // far as the kernel's own wall timers go.
    let never: Int64 = 8_640_000_000_000
    let target = min(max(milliseconds ?? never, 0), never)
    if unreportedSetting.load(ordering: .acquiring) {
      try set(to: 0)
    } else if try !set(to: target) {
      // The kernel has forgotten the setting now that it has told us, so the timer expires at once to pass it on.
      unreportedSetting.store(true, ordering: .releasing)
      try set(to: 0)
    }
  }

  /// `false`: the clock was set since the last `timerfd_settime` or `read`, and neither told of it yet. The timer is armed all the same.
  @discardableResult
  private func set(to target: Int64) throws(SystemCallError) -> Bool {
    var specification = itimerspec()
    specification.it_value.tv_sec = Int(target / 1000)
    specification.it_value.tv_nsec = max(Int(target % 1000) * 1_000_000, 1)
    var flags = reveille_TFD_TIMER_ABSTIME
    if clock == .wall { flags |= reveille_TFD_TIMER_CANCEL_ON_SET }
    do throws(SystemCallError) {
      try retrying("timerfd_settime") { timerfd_settime(descriptor, flags, &specification, nil) }
      return true
    } catch {
      guard error.errno == ECANCELED else { throw error }
      return false
    }
  }

  /// Takes what happened since the last call; does not block.
  package func take() -> Wakeup {
    var count: UInt64 = 0
    while true {
      if read(descriptor, &count, 8) == 8 {
        return unreportedSetting.exchange(false, ordering: .acquiringAndReleasing) ? .clockSet : .expired
      }
      switch errno {
      case EINTR: continue
      case ECANCELED:
        unreportedSetting.store(false, ordering: .releasing)
        return .clockSet
      default: return .none
      }
    }
  }
}
