import Glibc
import JSON

/// A running `mosquitto_sub` that keeps every message in the order in which it came.
package final class MQTTListener: Sendable {
  /// One message as an independent client has seen it.
  package struct Message: Sendable, CustomStringConvertible {
    /// When it arrived, in seconds since 1970.
    package let time: Double
    /// Whether the broker had kept it from before.
    package let isRetained: Bool
    package let quality: Int
    package let topic: String
    package let correlationData: String
    /// The Message Expiry Interval in seconds, if there is one.
    package let expiry: Int?
    package let payload: String

    fileprivate static let format = "%U\t%r\t%q\t%t\t%D\t%E\t%p"

    fileprivate init?(line: String) {
      let parts = line.split(separator: "\t", maxSplits: 6, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 7, let time = Double(parts[0]), let quality = Int(parts[2]) else { return nil }
      self.time = time
      isRetained = parts[1] == "1"
      self.quality = quality
      topic = parts[3]
      correlationData = parts[4]
      expiry = Int(parts[5])
      payload = parts[6]
    }

    /// The payload as JSON; `null` where it is none.
    package var json: JSONValue {
      do { return try JSONValue(parsing: payload.utf8) } catch { return .null }
    }

    package var description: String { "\(topic)\(isRetained ? " (retained)" : "") \(payload)" }
  }

  /// How long a test waits for what must come; a shared machine may stand still for a while (milliseconds).
  package static let patience = 40_000

  private let process: Subprocess

  /// Subscribes, and returns once the broker has confirmed it.
  ///
  /// At QoS 0 the broker passes messages of either quality on in the order in which they were published; at QoS 1 it may hold some back.
  package init(_ broker: BrokerProcess, topic: String = "#", quality: Int = 0) throws {
    process = try broker.subscribe("-V", "5", "-q", String(quality), "-F", Message.format, "-t", topic)
  }

  /// A place in the list of messages: what has come so far lies before it.
  package var mark: Int { process.output.all.count }

  /// The messages that came after a mark.
  package func messages(after mark: Int = 0) -> [Message] { Self.messages(process.output.all, after: mark) }

  private static func messages(_ lines: [String], after mark: Int) -> [Message] {
    lines.dropFirst(mark).compactMap(Message.init(line:))
  }

  /// Waits until `answer` finds what it looks for among the messages after a mark.
  package func wait<Answer: Sendable>(
    after mark: Int = 0, for what: String, _ answer: @escaping @Sendable ([Message]) -> Answer?
  ) async throws -> Answer {
    let lines = process.output
    let found = try await blocking { lines.wait(within: Self.patience) { answer(Self.messages($0, after: mark)) } }
    if let found { return found }
    let came = messages(after: mark).suffix(30).map(\.description).joined(separator: "\n")
    throw TestSupportError("waited in vain for \(what); after the mark came:\n\(came)\n\(process.errors.all.joined(separator: "\n"))")
  }

  /// Waits for the first message after a mark that fits.
  package func first(
    after mark: Int = 0, _ what: String, where fits: @escaping @Sendable (Message) -> Bool
  ) async throws -> Message {
    try await wait(after: mark, for: what) { $0.first(where: fits) }
  }

  /// Waits for the first message after a mark that fits; answers it and all before it.
  package func all(
    after mark: Int = 0, until what: String, where fits: @escaping @Sendable (Message) -> Bool
  ) async throws -> [Message] {
    try await wait(after: mark, for: what) { messages in messages.firstIndex(where: fits).map { Array(messages[...$0]) } }
  }
}

extension JSONValue {
  /// The member at a path of keys.
  package subscript(path: String...) -> JSONValue? {
    path.reduce(self) { value, key in value?.object?[key] }
  }

  /// The number as seconds or the like, whole or not.
  package var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }
}
