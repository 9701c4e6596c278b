import Glibc
import Testing

@testable import LinuxSupport

@Suite struct SystemTests {
  @Test("The boot's identity is the kernel's, and stays the same")
  func bootIdentifier() throws {
    let identifier = try #require(SystemClock.bootIdentifier())
    #expect(identifier.utf8.count == 36)
    #expect(identifier.utf8.filter { $0 == UInt8(ascii: "-") }.count == 4)
    #expect(SystemClock.bootIdentifier() == identifier)
  }

  @Test("The clocks are in milliseconds and go forward")
  func clocks() {
    let (wall, elapsed) = (SystemClock.wallMilliseconds(), SystemClock.elapsedMilliseconds())
    let seconds = Int64(time(nil))
    #expect(abs(wall / 1000 - seconds) <= 60)
    var uptime = timespec()
    clock_gettime(CLOCK_BOOTTIME, &uptime)
    #expect(abs(elapsed / 1000 - Int64(uptime.tv_sec)) <= 60)
    #expect(SystemClock.elapsedMilliseconds() >= elapsed)
  }

  @Test("A system call's error says which call and why")
  func error() {
    let error = SystemCallError(call: "timerfd_create", errno: EMFILE)
    #expect(error.description == "timerfd_create: Too many open files (errno \(EMFILE))")
    #expect(error == SystemCallError(call: "timerfd_create", errno: EMFILE))
  }

  @Test("An interrupted call is made again, any other failure is thrown, and zero is a result")
  func retry() throws {
    var calls = 0
    let result: Int32 = try retrying("read") {
      calls += 1
      errno = EINTR
      return calls < 3 ? -1 : 0
    }
    #expect(result == 0 && calls == 3)
    #expect(throws: SystemCallError(call: "read", errno: EIO)) {
      try retrying("read") { () -> Int in
        errno = EIO
        return -1
      }
    }
  }
}
