import LinuxSupport

/// A thread with a mailbox and an end that can be waited for.
struct Worker<Message: Sendable>: Sendable {
  let mailbox: Mailbox<Message>
  private let thread: WorkerThread

  init(name: String, mailbox: Mailbox<Message>, _ body: @escaping @Sendable () -> Void) throws(SystemCallError) {
    self.mailbox = mailbox
    thread = try WorkerThread(name: name, body)
  }

  /// Waits for the thread's end, but not beyond a deadline on the elapsed clock: one that hangs in a driver is left behind.
  func join(until deadline: Int64) { thread.join(until: deadline) }
}
