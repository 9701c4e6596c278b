import Glibc
import Testing

@testable import LinuxSupport

@Suite struct MailboxTests {
  @Test("Messages come out in the order in which they were put in")
  func order() throws {
    let mailbox = try Mailbox<Int>()
    for number in 0..<100 { mailbox.post(number) }
    #expect(mailbox.drain() == Array(0..<100))
    #expect(mailbox.drain() == [])
  }

  @Test("The descriptor is readable exactly while messages wait")
  func readiness() throws {
    let mailbox = try Mailbox<String>()
    #expect(!isReadable(mailbox.descriptor))
    mailbox.post("a")
    mailbox.post("b")
    #expect(isReadable(mailbox.descriptor))
    _ = mailbox.drain()
    #expect(!isReadable(mailbox.descriptor))
    mailbox.post("c")
    #expect(isReadable(mailbox.descriptor))
  }

  @Test("From several threads nothing is lost or doubled, each thread's order is kept, and the sleeping receiver wakes")
  func threads() throws {
    struct Message: Sendable {
      var sender: Int
      var number: Int
    }
    let (senders, count) = (4, 5000)
    let mailbox = try Mailbox<Message>()
    let threads = try (0..<senders).map { sender in
      try WorkerThread(name: "sender-\(sender)") {
        for number in 0..<count { mailbox.post(Message(sender: sender, number: number)) }
      }
    }
    let poller = try Poller()
    try poller.add(mailbox.descriptor, identifier: 1)
    var next = [Int](repeating: 0, count: senders)
    while next.contains(where: { $0 < count }) {
      // Sleeps until a message comes: were a wake-up lost, this would not return.
      #expect(try poller.wait() == [1])
      for message in mailbox.drain() {
        #expect(message.number == next[message.sender])
        next[message.sender] = message.number + 1
      }
    }
    for thread in threads { thread.join() }
    #expect(next == [Int](repeating: count, count: senders))
    #expect(mailbox.drain().isEmpty)
  }
}
