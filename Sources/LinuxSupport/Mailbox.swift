import Synchronization

/// Messages from any thread to one thread, in order, with a descriptor to poll.
package final class Mailbox<Message: Sendable>: Sendable {
  private let messages = Mutex<[Message]>([])
  private let event: EventDescriptor

  package init() throws(SystemCallError) { event = try EventDescriptor() }

  /// The descriptor that is readable while messages wait.
  package var descriptor: Int32 { event.descriptor }

  /// Appends a message and wakes the receiver. Never blocks on the receiver's work.
  package func post(_ message: sending Message) {
    messages.withLock { $0.append(message) }
    event.signal()
  }

  /// Waits for a message, or until the elapsed clock shows `deadline` (milliseconds; `nil` for never). It may wake early.
  package func wait(until deadline: Int64? = nil) { event.wait(until: deadline) }

  /// Takes all messages that wait, oldest first.
  package func drain() -> [Message] {
    event.drain()
    return messages.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }
}
