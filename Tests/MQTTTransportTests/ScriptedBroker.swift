import Glibc
import LinuxSupport
import TestSupport

/// A listener that answers each connection with prepared bytes: for what no real broker can be made to say.
final class ScriptedBroker: Sendable {
  static let accept: [UInt8] = [0x20, 3, 0, 0, 0]

  let port: UInt16
  private let listener: Int32

  /// - Parameter script: sent one after the other, each after something was received; then the connection is closed.
  init(_ script: [[UInt8]]) throws {
    let (listener, port) = try listen(backlog: 5)
    self.port = port
    self.listener = listener
    _ = try WorkerThread(name: "scripted") {
      while true {
        let connection = Glibc.accept(listener, nil, nil)
        // The thread that uses the descriptor closes it: its number may be another's right afterwards.
        guard connection >= 0 else {
          close(listener)
          return
        }
        var buffer = [UInt8](repeating: 0, count: 4096)
        for answer in script {
          guard recv(connection, &buffer, buffer.count, 0) > 0 else { break }
          _ = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
        }
        close(connection)
      }
    }
  }

  deinit {
    // Wakes the thread out of accept.
    shutdown(listener, Int32(SHUT_RDWR))
  }
}

/// A listener whose queue is full: connecting to it blocks.
final class FullListener: Sendable {
  let port: UInt16
  private let descriptors: [Int32]

  init() throws {
    let (listener, port) = try listen(backlog: 0)
    // One connection fills a queue of length 0.
    let filler = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    descriptors = [listener, filler]
    self.port = port
    let result = withLoopbackAddress(port: port) { connect(filler, $0, $1) }
    guard result == 0 else { throw TestSupportError("connect: \(String(cString: strerror(errno)))") }
  }

  /// Waits until somebody hangs in `connect`. Nothing reports that; the kernel's list of connections (state 02: SYN_SENT) shows it.
  func waitForAttempt() throws {
    let pattern = ":\(String(port, radix: 16, uppercase: true)) 02 "
    let search = try Subprocess(["timeout", "20", "sh", "-c", "until grep -q '\(pattern)' /proc/net/tcp; do sleep 0.05; done"])
    guard search.wait(within: 30_000) == 0 else { throw TestSupportError("nobody connects to port \(port)") }
  }

  deinit { for descriptor in descriptors { close(descriptor) } }
}

private func listen(backlog: Int32) throws(TestSupportError) -> (descriptor: Int32, port: UInt16) {
  let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
  var bound = sockaddr_in()
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  var result = withLoopbackAddress(port: 0) { bind(descriptor, $0, $1) }
  if result == 0 { result = Glibc.listen(descriptor, backlog) }
  if result == 0 {
    result = withUnsafeMutablePointer(to: &bound) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
  }
  guard result == 0 else { throw TestSupportError("listen: \(String(cString: strerror(errno)))") }
  return (descriptor, UInt16(bigEndian: bound.sin_port))
}

private func withLoopbackAddress<Result>(port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  return withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
  }
}
