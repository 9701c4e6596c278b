import AlarmModel
import JSON

/// Small readings of what was typed.
enum Names {
  /// Whether it is one safe topic level.
  static func isLevel(_ text: String) -> Bool { Identifier.isValid(text) }

  static func seconds(_ text: String, of what: String) throws(ClientError) -> Seconds {
    do throws(DocumentError.Reason) { return try Seconds(parsing: .string(text)) } catch { throw .usage("\(what): \(error.message)") }
  }
}
