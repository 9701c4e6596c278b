import AlarmModel

/// What holds for the whole node until it is changed.
package struct NodeSettings: Hashable, Sendable {
  /// 1 to 100.
  package var volume = 80
  package var sound = "default"
  package var snooze: Seconds = 540
  /// Everything is quiet, alarms included.
  package var isMuted = false
  /// Reminders, tests and confirmations are quiet.
  package var isSilent = false
  /// `off`, `do-not-disturb`, or any other focus.
  package var focus = "off"

  package static let names = ["volume", "sound", "snooze", "muted", "silent", "focus"]

  package init() {}

  /// The value in force as its topic has it.
  package func value(of name: String) -> String? {
    switch name {
    case "volume": String(volume)
    case "sound": sound
    case "snooze": snooze.json.description
    case "muted": isMuted ? "ON" : "OFF"
    case "silent": isSilent ? "ON" : "OFF"
    case "focus": focus
    default: nil
    }
  }

  /// Sets a value as its topic has it.
  mutating func set(_ name: String, to text: String, context: DocumentContext) throws(RequestError) {
    func refuse(_ message: String) -> RequestError { RequestError(.invalidArgument, message, field: name) }
    func flag() throws(RequestError) -> Bool {
      switch text.lowercased() {
      case "on", "true", "1", "yes": return true
      case "off", "false", "0", "no": return false
      default: throw refuse("must be ON or OFF")
      }
    }
    switch name {
    case "volume":
      guard let number = Double(text), number == number.rounded(), (1...100).contains(number) else {
        throw refuse("must be a whole number from 1 to 100")
      }
      volume = Int(number)
    case "sound":
      guard context.isKnownSound(text) else { throw refuse(DocumentContext.unknownSound) }
      sound = text
    case "snooze":
      let length: Seconds
      do throws(DocumentError.Reason) { length = try Seconds(parsing: .string(text)) } catch { throw refuse(error.message) }
      guard length > 0 else { throw refuse("must be more than 0 seconds") }
      snooze = length
    case "muted": isMuted = try flag()
    case "silent": isSilent = try flag()
    case "focus":
      let word = text.lowercased()
      guard (1...32).contains(word.utf8.count),
        word.utf8.allSatisfy({ (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2d })
      else { throw refuse("must be off, do-not-disturb or another word of a-z, 0-9 and -") }
      focus = word
    default: throw RequestError(.unknownOperation, "no such setting; there are \(Self.names.joined(separator: ", "))", field: name)
    }
  }

  /// Why an alarm of this level makes no sound; `nil`: it does.
  func quiet(_ level: Alarm.InterruptionLevel) -> String? {
    if isMuted { return "muted" }
    return switch level {
    case .critical: nil
    case .timeSensitive: focus == "do-not-disturb" ? "focus" : nil
    case .active: focus == "off" ? nil : "focus"
    }
  }
}
