import Glibc
import Synchronization

/// A real mosquitto on a free port of the loopback interface, with nothing kept on disk.
package final class BrokerProcess: Sendable {
  package let port: UInt16
  package let directory: TemporaryDirectory
  private let configurationFile: String
  /// What `mosquitto_pub` and `mosquitto_sub` need to get in.
  package let clientOptions: [String]
  private let process: Mutex<Subprocess>
  private let clients = Mutex(0)

  /// Starts the broker and waits until it listens.
  ///
  /// - Parameters:
  ///   - lines: further lines of mosquitto.conf; those of its listener come first.
  ///   - anonymous: whether clients may connect without a user name.
  ///   - directory: where the configuration goes, if other files were needed beforehand.
  ///   - clientOptions: what `mosquitto_pub` and `mosquitto_sub` need to get in.
  package init(
    _ lines: [String] = [], anonymous: Bool = true, directory: TemporaryDirectory? = nil, clientOptions: [String] = []
  ) throws {
    self.clientOptions = clientOptions
    let directory = try directory ?? TemporaryDirectory()
    var attempts = 0
    while true {
      attempts += 1
      let port = try Self.freePort()
      let content = [
        "listener \(port) 127.0.0.1", "allow_anonymous \(anonymous)", "persistence false", "log_dest stderr", "log_type all",
        geteuid() == 0 ? "user root" : "",
      ]
      let file = try directory.write("mosquitto.conf", (content + lines).joined(separator: "\n") + "\n")
      do {
        let process = try Self.start(file)
        self.port = port
        self.directory = directory
        configurationFile = file
        self.process = Mutex(process)
        return
      } catch {
        // Somebody else may have taken the port meanwhile.
        if attempts == 5 { throw error }
      }
    }
  }

  /// The lines of the running broker's log.
  package var log: Recorder<String> { process.withLock { $0.errors } }

  /// Ends the broker in an orderly way.
  package func stop() { end(SIGTERM) }

  package func kill() { end(SIGKILL) }

  /// Holds the broker: the kernel still accepts connections and data for it, but nothing answers.
  package func freeze() { process.withLock { $0.signal(SIGSTOP) } }

  package func thaw() { process.withLock { $0.signal(SIGCONT) } }

  /// Starts the ended broker again, on the same port.
  package func restart() throws {
    try process.withLock { process in process = try Self.start(configurationFile) }
  }

  /// Runs `mosquitto_pub` with these arguments and waits for its success.
  package func publish(_ arguments: String...) throws {
    let publisher = try Subprocess(["mosquitto_pub", "-h", "127.0.0.1", "-p", String(port)] + clientOptions + arguments)
    guard publisher.wait() == 0 else { throw TestSupportError("mosquitto_pub: \(publisher.errors.all)") }
  }

  /// Starts `mosquitto_sub` with these arguments and waits until it has subscribed.
  package func subscribe(_ arguments: String...) throws -> Subprocess {
    let number = clients.withLock { count in
      count += 1
      return count
    }
    let name = "subscriber-\(number)"
    let command = ["mosquitto_sub", "-h", "127.0.0.1", "-p", String(port), "-i", name] + clientOptions
    let subscriber = try Subprocess(command + arguments)
    guard log.first(where: { $0.contains("Sending SUBACK to \(name)") }) != nil else {
      throw TestSupportError("mosquitto_sub: \(subscriber.errors.all)")
    }
    return subscriber
  }

  private func end(_ signal: Int32) {
    process.withLock { process in
      process.signal(signal)
      _ = process.wait()
    }
  }

  private static func start(_ configurationFile: String) throws -> Subprocess {
    let path = "PATH=/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"
    let process = try Subprocess(["/usr/bin/env", "mosquitto", "-c", configurationFile], environment: [path])
    let isRunning = process.errors.first { $0.contains("mosquitto version") && $0.hasSuffix("running") } != nil
    guard isRunning else { throw TestSupportError("mosquitto did not start: \(process.errors.all.joined(separator: "; "))") }
    return process
  }

  /// A port that nobody uses right now.
  package static func freePort() throws(TestSupportError) -> UInt16 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw TestSupportError("socket: \(String(cString: strerror(errno)))") }
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, length) == 0 ? getsockname(descriptor, address, &length) : -1
      }
    }
    guard result == 0 else { throw TestSupportError("bind: \(String(cString: strerror(errno)))") }
    return UInt16(bigEndian: address.sin_port)
  }
}
