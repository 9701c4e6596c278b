import Synchronization

/// A service manager's socket, as Python keeps it, and what a service has sent there.
package final class NotifySocket: Sendable {
  private let process: Subprocess
  /// How many messages were answered so far.
  private let taken = Mutex(0)
  /// What the service gets in its environment.
  package let environment: [String]

  package init(_ path: String) throws {
    environment = ["NOTIFY_SOCKET=\(path)"]
    let program = """
      import socket
      listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
      listener.bind(\("\"\(path)\""))
      print("listening", flush=True)
      while True:
          print(listener.recv(4096).decode().replace("\\n", " "), flush=True)
      """
    process = try Subprocess(["python3", "-c", program])
    guard process.output.first(where: { $0 == "listening" }) != nil else { throw TestSupportError("python3: \(process.errors.all)") }
  }

  /// Waits for the next message, of those after the one answered before, that fits; the lines of a message are parted by spaces.
  package func first(where fits: @escaping @Sendable (String) -> Bool) async throws -> String {
    let start = taken.withLock { $0 }
    let output = process.output
    let found = try await blocking {
      output.wait(within: MQTTListener.patience) { lines in
        lines.indices.dropFirst(start).first { fits(lines[$0]) }.map { ($0, lines[$0]) }
      }
    }
    guard let (index, message) = found else { throw TestSupportError("waited in vain; the service has sent: \(output.all)") }
    taken.withLock { $0 = index + 1 }
    return message
  }
}
