/// Why a time zone could not be had.
public struct ZoneError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Code: String, Hashable, Sendable {
    /// There is no zone of this name.
    case unknownZone = "unknown_zone"
    /// The zone's file is there, but the system refuses to read it.
    case unreadable
    /// The zone's file is damaged, or counts leap seconds.
    case malformed
  }

  public let code: Code
  /// The name that was asked for, as it was given.
  public let zone: String
  /// A sentence for people: what is wrong, and what to do.
  public let message: String
  /// The system's error number, where a system call failed.
  public let errno: Int32?

  init(_ code: Code, zone: String, errno: Int32? = nil, message: String) {
    self.code = code
    self.zone = zone
    self.errno = errno
    self.message = message
  }

  public var description: String { "\(code.rawValue): \(message)" }
}
