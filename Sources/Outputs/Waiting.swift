import Glibc
import LinuxSupport

/// Waits until the descriptor is readable or the elapsed clock shows `deadline` (milliseconds; `nil` for never). It may wake early.
/// Answers whether the descriptor is readable.
@discardableResult
func wait(for descriptor: Int32, until deadline: Int64?) -> Bool {
  var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  let timeout = deadline.map { Int32(clamping: max(0, $0 - SystemClock.elapsedMilliseconds())) } ?? -1
  // An interruption (EINTR) is an early wake; nothing else can fail with one valid descriptor.
  return poll(&watched, 1, timeout) > 0
}
