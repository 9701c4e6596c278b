import Glibc
import Testing

@testable import LinuxSupport

@Suite("What the service manager is told")
struct ServiceManagerTests {
  /// A socket as systemd's, under a name in the abstract space or a path.
  private func listen(_ name: String) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
    try #require(descriptor >= 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var path = Array(name.utf8)
    if path[0] == UInt8(ascii: "@") { path[0] = 0 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
    let result = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
    }
    try #require(result == 0)
    return descriptor
  }

  /// The next datagram; `nil` if there is none.
  private func receive(_ descriptor: Int32) -> String? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
  }

  private func manager(_ environment: [String: String]) -> ServiceManager { ServiceManager { environment[$0] } }

  @Test("Each word is one datagram, to a path and to an abstract name")
  func words() throws {
    let path = "/tmp/reveille-notify-\(getpid())"
    for name in [path, "@reveille-notify-\(getpid())"] {
      let descriptor = try listen(name)
      defer { close(descriptor) }
      let manager = manager(["NOTIFY_SOCKET": name])
      manager.ready("node pi")
      manager.ping()
      manager.reloading()
      manager.stopping()
      #expect(receive(descriptor) == "READY=1\nSTATUS=node pi")
      #expect(receive(descriptor) == "WATCHDOG=1")
      #expect(receive(descriptor)?.wholeMatch(of: /RELOADING=1\nMONOTONIC_USEC=[0-9]+/) != nil)
      #expect(receive(descriptor) == "STOPPING=1")
      #expect(receive(descriptor) == nil)
    }
    unlink(path)
  }

  @Test("A manager that is away, has no socket, or one with too long a name costs nothing")
  func absent() throws {
    for environment in [
      [:], ["NOTIFY_SOCKET": ""], ["NOTIFY_SOCKET": "/nowhere/notify"], ["NOTIFY_SOCKET": "/" + String(repeating: "x", count: 200)],
    ] { manager(environment).ready("node pi") }
  }

  @Test("A manager that does not read holds nothing up")
  func stuck() throws {
    let name = "@reveille-stuck-\(getpid())"
    let descriptor = try listen(name)
    defer { close(descriptor) }
    let manager = manager(["NOTIFY_SOCKET": name])
    // More than a socket's queue takes (net.unix.max_dgram_qlen).
    for _ in 0..<5000 { manager.ping() }
    #expect(receive(descriptor) == "WATCHDOG=1")
  }

  @Test("The watchdog is fed twice in its time, and only where it is meant for this process")
  func interval() {
    #expect(manager([:]).watchdogInterval == nil)
    #expect(manager(["WATCHDOG_USEC": "10000000"]).watchdogInterval == 5000)
    #expect(manager(["WATCHDOG_USEC": "10000000", "WATCHDOG_PID": String(getpid())]).watchdogInterval == 5000)
    #expect(manager(["WATCHDOG_USEC": "10000000", "WATCHDOG_PID": "1"]).watchdogInterval == nil)
    for wrong in ["", "0", "-5", "soon"] { #expect(manager(["WATCHDOG_USEC": wrong]).watchdogInterval == nil) }
  }
}
