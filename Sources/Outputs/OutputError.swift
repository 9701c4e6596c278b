import Glibc

/// A failure of an output or a sound.
package struct OutputError: Error, Hashable, CustomStringConvertible {
  /// What kind of failure; the raw values are stable.
  package enum Code: String, Sendable, Hashable {
    /// There is no sound of that name.
    case soundUnknown = "sound_unknown"
    /// The file cannot be opened or decoded.
    case soundUnreadable = "sound_unreadable"
    /// The file holds less than 10 ms of sound.
    case soundEmpty = "sound_empty"
    /// The PCM cannot be opened.
    case deviceUnavailable = "device_unavailable"
    /// The PCM is there but takes no 16-bit stereo at the sound's rate.
    case deviceUnsuitable = "device_unsuitable"
    /// The PCM failed while playing; as a rule it was unplugged.
    case deviceLost = "device_lost"
    /// The PCM took nothing for a second.
    case deviceStalled = "device_stalled"
    /// The card's mixer cannot be read or set.
    case mixerUnavailable = "mixer_unavailable"
    /// The GPIO or PWM chip cannot be opened.
    case chipUnavailable = "chip_unavailable"
    /// The line or channel cannot be requested.
    case lineUnavailable = "line_unavailable"
    /// The PWM channel's files may not be written.
    case accessDenied = "access_denied"
    /// The line or channel could not be set.
    case lineLost = "line_lost"
  }

  package let code: Code
  /// The C function that failed.
  package let operation: String
  /// The `errno` it left; 0 where it leaves none.
  package let errno: Int32
  /// A sentence that says what to do.
  package let message: String

  package init(code: Code, operation: String, errno: Int32 = 0, message: String) {
    self.code = code
    self.operation = operation
    self.errno = errno
    self.message = message
  }

  package var description: String {
    let reason = errno == 0 ? "" : ": \(String(cString: strerror(errno))) (errno \(errno))"
    return "\(code.rawValue): \(message) [\(operation)\(reason)]"
  }

  /// Whether other sounds would fail on the same device too.
  var concernsDevice: Bool { code == .deviceUnavailable || code == .deviceLost || code == .deviceStalled }
}
