import Glibc

/// Tells the service manager how this process is, as `sd_notify(3)` describes it: one datagram to the socket that `NOTIFY_SOCKET` names.
///
/// Without a service manager every call does nothing.
package struct ServiceManager: Sendable {
  private let socketPath: String?
  /// How often the manager wants to hear `ping()`, in milliseconds: half of what it tolerates, as `sd_watchdog_enabled(3)` advises. `nil`: it
  /// does not watch.
  package let watchdogInterval: Int64?

  /// Takes the manager's words from the environment.
  package init() {
    self.init { name in getenv(name).map { String(cString: $0) } }
  }

  init(environment: (String) -> String?) {
    socketPath = environment("NOTIFY_SOCKET")
    let isMeant = environment("WATCHDOG_PID").map { Int32($0) == getpid() } ?? true
    watchdogInterval = isMeant ? environment("WATCHDOG_USEC").flatMap(Int64.init).flatMap { $0 > 0 ? max($0 / 2000, 1) : nil } : nil
  }

  /// It does its work.
  package func ready(_ status: String) { send("READY=1\nSTATUS=\(status)") }

  /// It reads its configuration anew, until `ready`.
  package func reloading() {
    // The time lets Type=notify-reload tell this reload from an earlier one; it is CLOCK_MONOTONIC in microseconds.
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    send("RELOADING=1\nMONOTONIC_USEC=\(Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)")
  }

  /// It ends.
  package func stopping() { send("STOPPING=1") }

  /// It is alive: for the loop that is watched, never for another thread.
  package func ping() { send("WATCHDOG=1") }

  private func send(_ message: String) {
    guard let socketPath, !socketPath.isEmpty else { return }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var path = Array(socketPath.utf8)
    guard path.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
    // The name of an abstract socket begins with a zero byte, written @.
    if path[0] == UInt8(ascii: "@") { path[0] = 0 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let bytes = Array(message.utf8)
    _ = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        // A manager that does not listen must not hold up a ring. What is lost here it finds out by the watchdog.
        sendto(descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL), address, length)
      }
    }
  }
}
