import LinuxSupport

/// Why an MQTT operation failed, and what to do about it.
package struct MQTTError: Error, Hashable, CustomStringConvertible {
  /// The stable name of what went wrong.
  package enum Code: String, Sendable {
    case badArgument
    case hostNotFound
    /// Nothing listens on the port.
    case connectionRefused
    /// The network has no way to the host.
    case unreachable
    /// The broker did not answer in time.
    case timedOut
    /// The broker does not know this user name and password.
    case badCredentials
    case notAuthorized
    /// The broker refused the connection for another reason; see `reasonCode`.
    case refusedByBroker
    case tlsFailed
    case protocolError
    /// Another client with the same client id has connected.
    case sessionTakenOver
    /// Several connections in a row lasted only seconds.
    case repeatedlyDropped
    case connectionLost
    /// The broker said goodbye; see `reasonCode`.
    case disconnectedByBroker
    /// The system had no memory, thread or descriptor left.
    case systemFailure
  }

  package let code: Code
  /// The step that failed, such as `connect`, or the C function.
  package let operation: String
  /// The broker's CONNACK or DISCONNECT code (MQTT 5 §2.4, MQTT 3.1.1 §3.2.2.3).
  package let reasonCode: UInt8?
  /// libmosquitto's `mosq_err_t`.
  package let libraryCode: Int32?
  package let errno: Int32?
  /// A sentence that says what to do.
  package let message: String

  package init(
    code: Code, operation: String, reasonCode: UInt8? = nil, libraryCode: Int32? = nil, errno: Int32? = nil, message: String
  ) {
    self.code = code
    self.operation = operation
    self.reasonCode = reasonCode
    self.libraryCode = libraryCode
    self.errno = errno
    self.message = message
  }

  package var description: String {
    var details: [String] = [operation]
    if let reasonCode { details.append("reason code \(reasonCode)") }
    if let libraryCode { details.append("libmosquitto \(libraryCode)") }
    if let errno { details.append("errno \(errno)") }
    return "\(code.rawValue): \(message) (\(details.joined(separator: ", ")))"
  }

  static func badArgument(_ message: String) -> MQTTError {
    MQTTError(code: .badArgument, operation: "configure", message: message)
  }

  static func system(_ error: SystemCallError) -> MQTTError {
    MQTTError(
      code: .systemFailure, operation: error.call, errno: error.errno,
      message: "the system is out of threads, descriptors or memory; look for what uses them up")
  }
}
