import CLinux
import Glibc

/// An `eventfd`: any thread signals, one thread polls and drains.
package final class EventDescriptor: Sendable {
  /// The descriptor to poll for reading.
  package let descriptor: Int32

  package init() throws(SystemCallError) {
    descriptor = try retrying("eventfd") { eventfd(0, reveille_EFD_CLOEXEC | reveille_EFD_NONBLOCK) }
  }

  deinit { close(descriptor) }

  /// Makes the descriptor readable until it is drained.
  package func signal() {
    var one: UInt64 = 1
    // EAGAIN means that the counter is full: it is readable, which is all that a signal promises.
    while write(descriptor, &one, 8) == -1 && errno == EINTR {}
  }

  /// Waits for a signal, or until the elapsed clock shows `deadline` (milliseconds; `nil` for never). It may wake early.
  ///
  /// - Returns: whether there is a signal.
  @discardableResult
  package func wait(until deadline: Int64? = nil) -> Bool {
    var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let timeout = deadline.map { Int32(clamping: max(0, $0 - SystemClock.elapsedMilliseconds())) } ?? -1
    // An interruption (EINTR) is an early wake; nothing else can fail with one valid descriptor.
    return poll(&watched, 1, timeout) > 0
  }

  /// Takes all signals so far; does not block.
  package func drain() {
    var count: UInt64 = 0
    while read(descriptor, &count, 8) == -1 && errno == EINTR {}
  }
}
