import Glibc
import Testing

@testable import LinuxSupport

@Suite struct PollerTests {
  @Test("Exactly the readable descriptors are answered, by the caller's numbers")
  func identifiers() throws {
    let poller = try Poller()
    let events = try (0..<5).map { _ in try EventDescriptor() }
    let identifiers: [UInt64] = [0, 1, UInt64(UInt32.max) + 7, .max, 42]
    for (event, identifier) in zip(events, identifiers) { try poller.add(event.descriptor, identifier: identifier) }
    events[2].signal()
    #expect(try poller.wait() == [identifiers[2]])
    events[3].signal()
    events[0].signal()
    #expect(try Set(poller.wait()) == [identifiers[0], identifiers[2], identifiers[3]])
    events[2].drain()
    events[0].drain()
    #expect(try poller.wait() == [identifiers[3]])
  }

  @Test("More readable descriptors than one wait answers all get their turn")
  func many() throws {
    let poller = try Poller()
    let events = try (0..<50).map { _ in try EventDescriptor() }
    for (index, event) in events.enumerated() {
      try poller.add(event.descriptor, identifier: UInt64(index))
      event.signal()
    }
    var seen: Set<UInt64> = []
    while seen.count < 50 {
      for identifier in try poller.wait() {
        #expect(seen.insert(identifier).inserted)
        events[Int(identifier)].drain()
      }
    }
  }

  @Test("A signal from another thread ends the wait")
  func wakeUp() throws {
    let poller = try Poller()
    let event = try EventDescriptor()
    try poller.add(event.descriptor, identifier: 9)
    let thread = try WorkerThread(name: "signaller") { event.signal() }
    #expect(try poller.wait() == [9])
    thread.join()
  }

  @Test("A descriptor that cannot be watched is an error that names the call")
  func refused() throws {
    let poller = try Poller()
    let event = try EventDescriptor()
    try poller.add(event.descriptor, identifier: 1)
    #expect(throws: SystemCallError(call: "epoll_ctl", errno: EEXIST)) { try poller.add(event.descriptor, identifier: 2) }
    #expect(throws: SystemCallError(call: "epoll_ctl", errno: EBADF)) { try poller.add(-1, identifier: 2) }
  }
}
