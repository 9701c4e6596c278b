import CLinux
import Glibc

/// A thread of its own for work that may block. Swift's cooperative pool is not for that.
package final class WorkerThread: @unchecked Sendable {
  // @unchecked: `handle` is written once, before the value is shared, and only read by `join`.
  private var handle = pthread_t()
  /// Signalled once the body has returned.
  private let finished: EventDescriptor

  /// Starts a thread; `name` (at most 15 bytes) shows in `ps -L` and debuggers.
  package init(name: String, _ body: @escaping @Sendable () -> Void) throws(SystemCallError) {
    finished = try EventDescriptor()
    let start = Unmanaged.passRetained(Start(name: name, body: body, finished: finished))
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    // The default of 8 MiB is address space only, but memory locking and small machines count it.
    pthread_attr_setstacksize(&attributes, 1 << 20)
    let code = pthread_create(&handle, &attributes, runThread, start.toOpaque())
    if code != 0 {
      start.release()
      throw SystemCallError(call: "pthread_create", errno: code)
    }
  }

  /// Waits until the body has returned. Call it once.
  package func join() { pthread_join(handle, nil) }

  /// Waits until the body has returned, but not beyond a deadline on the elapsed clock (milliseconds): a thread that hangs in a driver or in
  /// name look-up is left behind. Once it has ended it is joined, so do not call this or `join()` again.
  ///
  /// - Returns: whether it has ended.
  @discardableResult
  package func join(until deadline: Int64) -> Bool {
    repeat {
      if finished.wait(until: deadline) {
        join()
        return true
      }
    } while SystemClock.elapsedMilliseconds() < deadline
    return false
  }
}

private final class Start: Sendable {
  let name: String
  let body: @Sendable () -> Void
  let finished: EventDescriptor

  init(name: String, body: @escaping @Sendable () -> Void, finished: EventDescriptor) {
    self.name = name
    self.body = body
    self.finished = finished
  }
}

// Global and nonisolated: a closure written in an isolated context would trap on this foreign thread.
private func runThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let argument else { return nil }
  let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
  // pthread_setname_np refuses longer names.
  var name = start.name
  while name.utf8.count > 15 { name.removeLast() }
  reveille_set_thread_name(name)
  start.body()
  start.finished.signal()
  return nil
}
