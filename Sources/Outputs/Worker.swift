import LinuxSupport

/// A thread with a mailbox and an end that can be waited for.
struct Worker<Message: Sendable>: Sendable {
  let mailbox: Mailbox<Message>
  private let thread: WorkerThread
  private let finished: EventDescriptor

  init(name: String, mailbox: Mailbox<Message>, _ body: @escaping @Sendable () -> Void) throws(SystemCallError) {
    let finished = try EventDescriptor()
    self.mailbox = mailbox
    self.finished = finished
    thread = try WorkerThread(name: name) {
      body()
      finished.signal()
    }
  }

  /// Waits for the thread's end, but not beyond a deadline on the elapsed clock: one that hangs in a driver is left behind.
  func join(until deadline: Int64) {
    while true {
      if wait(for: finished.descriptor, until: deadline) { return thread.join() }
      if SystemClock.elapsedMilliseconds() >= deadline { return }
    }
  }
}
