import Glibc
import Testing

@testable import LinuxSupport

@Suite struct EventDescriptorTests {
  @Test("Many signals are one wake-up, and draining takes them all")
  func signalAndDrain() throws {
    let event = try EventDescriptor()
    #expect(!isReadable(event.descriptor))
    for _ in 0..<1000 { event.signal() }
    #expect(isReadable(event.descriptor))
    event.drain()
    #expect(!isReadable(event.descriptor))
  }

  @Test("Draining without a signal does not block")
  func drainEmpty() throws {
    let event = try EventDescriptor()
    event.drain()
    event.signal()
    #expect(isReadable(event.descriptor))
  }

  @Test("A full counter neither blocks the signaller nor loses readiness")
  func fullCounter() throws {
    let event = try EventDescriptor()
    var most: UInt64 = .max - 1
    try #require(write(event.descriptor, &most, 8) == 8)
    event.signal()
    #expect(isReadable(event.descriptor))
    event.drain()
    #expect(!isReadable(event.descriptor))
  }

  @Test("A child process does not inherit descriptors")
  func closeOnExec() throws {
    let event = try EventDescriptor()
    let timer = try TimerDescriptor(clock: .elapsed)
    for descriptor in [event.descriptor, timer.descriptor] {
      #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
      #expect(fcntl(descriptor, F_GETFL) & O_NONBLOCK != 0)
    }
  }
}
