/// Why a document was refused: always `invalid_argument`, with the field at fault.
public struct DocumentError: Error, Hashable, Sendable {
  /// The key's path, such as `schedule.time` or `reminders[1]`.
  public let field: String
  /// A sentence that says what is wrong and what to write instead.
  public let message: String

  public init(field: String, message: String) {
    self.field = field
    self.message = message
  }

  /// The message alone, where the field is not known yet.
  public struct Reason: Error, Hashable, Sendable {
    public let message: String

    public init(_ message: String) { self.message = message }
  }
}
