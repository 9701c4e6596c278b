import Glibc

/// The two clocks of the node, in milliseconds.
package enum SystemClock {
  /// `CLOCK_REALTIME`: milliseconds since 1970-01-01T00:00:00Z. May be set, may be wrong.
  package static func wallMilliseconds() -> Int64 { milliseconds(of: CLOCK_REALTIME) }

  /// `CLOCK_BOOTTIME`: milliseconds since the machine was booted, time asleep included. Never set.
  package static func elapsedMilliseconds() -> Int64 { milliseconds(of: CLOCK_BOOTTIME) }

  private static func milliseconds(of clock: clockid_t) -> Int64 {
    var time = timespec()
    // Cannot fail: both clocks exist in every Linux since 2.6.39 and the pointer is valid.
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// The kernel's identity of this boot (`/proc/sys/kernel/random/boot_id`): elapsed times are comparable only within one. `nil` where `/proc`
  /// is not mounted.
  package static func bootIdentifier() -> String? {
    let descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &buffer, buffer.count)
    guard count > 0 else { return nil }
    return String(decoding: buffer[..<count].filter { $0 > 0x20 }, as: UTF8.self)
  }
}
