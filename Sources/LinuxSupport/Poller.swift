import CLinux
import Glibc

/// An `epoll` set for one thread: descriptors to read from, each with a number of the caller's.
package final class Poller {
  private let descriptor: Int32
  private var buffer = [epoll_event](repeating: epoll_event(), count: 16)

  package init() throws(SystemCallError) {
    descriptor = try retrying("epoll_create1") { epoll_create1(reveille_EPOLL_CLOEXEC) }
  }

  deinit { close(descriptor) }

  /// Watches a descriptor for reading; `identifier` is what `wait` answers for it.
  package func add(_ watched: Int32, identifier: UInt64) throws(SystemCallError) {
    var event = epoll_event()
    event.events = reveille_EPOLLIN
    event.data.u64 = identifier
    try retrying("epoll_ctl") { epoll_ctl(descriptor, EPOLL_CTL_ADD, watched, &event) }
  }

  /// Waits until a watched descriptor is readable, and answers the identifiers of all that are.
  package func wait() throws(SystemCallError) -> [UInt64] {
    let count = try retrying("epoll_wait") { epoll_wait(descriptor, &buffer, Int32(buffer.count), -1) }
    return buffer[..<Int(count)].map(\.data.u64)
  }
}
