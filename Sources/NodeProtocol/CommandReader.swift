import AlarmEngine
import AlarmModel
import CivilTime
import JSON

/// Reads messages on command topics into the engine's inputs. A fault becomes the request's body, so that it is answered like any other.
package struct CommandReader: Sendable {
  /// The largest payload of a command.
  package static let maximumPayload = 65_536
  private static let maximumTransaction = 128

  package let topics: Topics
  package var context: DocumentContext
  /// Below which response topics may lie, besides the node's first level.
  package let responsePrefixes: [String]
  /// The outputs that the node has.
  package let outputs: Set<String>
  /// What may be asked for; anything else is `not_authorized`.
  package let operations: Set<Operation>

  package init(
    topics: Topics, context: DocumentContext, responsePrefixes: [String] = [], outputs: Set<String> = ["speaker"],
    operations: [Operation] = Operation.allCases
  ) {
    self.topics = topics
    self.context = context
    self.responsePrefixes = responsePrefixes
    self.outputs = outputs
    self.operations = Set(operations)
  }

  /// A message as it came.
  package struct Message: Sendable {
    package var topic: String
    package var payload: [UInt8]
    package var isRetained: Bool
    package var responseTopic: String?
    package var correlationData: [UInt8]?

    package init(topic: String, payload: [UInt8], isRetained: Bool = false, responseTopic: String? = nil, correlationData: [UInt8]? = nil) {
      self.topic = topic
      self.payload = payload
      self.isRetained = isRetained
      self.responseTopic = responseTopic
      self.correlationData = correlationData
    }
  }

  /// The engine's input; `nil` where the message is no command.
  package func read(_ message: Message) -> EngineInput? {
    switch topics.meaning(of: message.topic) {
    case nil: return nil
    case .alarmState(let id): return message.payload.isEmpty ? nil : .foundRetained(id: id)
    case .setting(let name):
      let value = String(decoding: message.payload.prefix(256), as: UTF8.self)
      return .setting(name: name, value: Self.trimmed(value), isRetained: message.isRetained)
    case .word(let id): return .request(word(message, id: id))
    case .request(let operation): return .request(request(message, operation: operation))
    }
  }

  private func address(_ message: Message) -> ReplyAddress {
    guard let topic = message.responseTopic else { return ReplyAddress(correlationData: message.correlationData) }
    if let refusal = topics.refusal(ofResponseTopic: topic, extraPrefixes: responsePrefixes) {
      return ReplyAddress(correlationData: message.correlationData, warning: refusal)
    }
    return ReplyAddress(responseTopic: topic, correlationData: message.correlationData)
  }

  /// The name that a reply repeats: `unknown` where it is no safe topic level.
  private static func safe(_ operation: String) -> String { Identifier.isValid(operation) ? operation : "unknown" }

  private static func trimmed(_ text: String) -> String {
    var text = text[...]
    while let last = text.last, last.isWhitespace { text.removeLast() }
    while let first = text.first, first.isWhitespace { text.removeFirst() }
    return String(text)
  }

  // MARK: Set words

  private func word(_ message: Message, id: String) -> Request {
    let text = Self.trimmed(String(decoding: message.payload.prefix(64), as: UTF8.self)).lowercased()
    let words: [String: AlarmOperation] = [
      "pause": .pause, "resume": .resume, "stop": .stop, "snooze": .snooze(nil), "countdown": .snooze(nil), "cancel": .cancel,
      "enable": .enable,
      "disable": .disable, "skip": .skip, "unskip": .unskip,
    ]
    let body: Result<RequestBody, RequestError>
    if message.isRetained {
      body = .failure(Self.retained)
    } else if let operation = words[text], !operations.contains(operation.operation) {
      body = .failure(Self.forbidden(operation.operation))
    } else if let operation = words[text] {
      body =
        Identifier.isValid(id)
        ? .success(.change(operation, id: id, occurrence: nil)) : .failure(RequestError(.notFound, "there is no such alarm", field: "id"))
    } else {
      body = .failure(
        RequestError(.unknownOperation, "no such word; there are pause, resume, stop, snooze, cancel, enable, disable, skip and unskip"))
    }
    return Request(name: Self.safe(text), body: body, address: address(message))
  }

  private static let retained = RequestError(
    .retainedRequest, "a command must not be retained, or it would come back after a restart; publish it without the retain flag")

  private static func forbidden(_ operation: Operation) -> RequestError {
    RequestError(.notAuthorized, "this node's configuration (limits.operations) does not allow \(operation.rawValue)")
  }

  // MARK: Requests

  private func request(_ message: Message, operation: String) -> Request {
    var request = Request(
      name: Self.safe(operation), body: .failure(RequestError(.malformedJSON, "")), address: address(message))
    do throws(RequestError) {
      guard message.payload.count <= Self.maximumPayload else {
        throw RequestError(.tooLarge, "a request is at most 64 KiB; this one has \(message.payload.count) bytes")
      }
      let value: JSONValue
      do throws(JSONError) { value = try JSONValue(parsing: message.payload) } catch {
        if message.isRetained { throw Self.retained }
        throw RequestError(.malformedJSON, message.payload.isEmpty ? "the payload is empty; write at least {}" : error.description)
      }
      guard let object = value.object else {
        if message.isRetained { throw Self.retained }
        throw RequestError(.invalidArgument, "a request is a JSON object, not \(value.kind)")
      }
      request.digest = Self.digest(value.canonicalDescription)
      var reader = DocumentReader(object)
      do throws(DocumentError) {
        request.transaction = try reader.string("transaction", maximum: Self.maximumTransaction)
        request.notAfter = try reader.instant("notAfter", in: context.localZone)
      } catch { throw RequestError(error) }
      if message.isRetained { throw Self.retained }
      guard let known = operation == "countdown" ? .snooze : Operation(rawValue: operation) else {
        throw RequestError(.unknownOperation, "no such operation; there are \(Operation.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      guard operations.contains(known) else { throw Self.forbidden(known) }
      do throws(DocumentError) {
        request.body = .success(try body(of: known, &reader))
        try reader.finish()
      } catch { throw RequestError(error) }
    } catch {
      request.body = .failure(error)
    }
    return request
  }

  private func body(of operation: Operation, _ reader: inout DocumentReader) throws(DocumentError) -> RequestBody {
    switch operation {
    case .schedule:
      let revision = try reader.integer("ifRevision", in: 0...Int(Int32.max))
      return .schedule(try Alarm(reader: &reader, context: context), ifRevision: revision)
    case .preview:
      let from = try reader.instant("from", in: context.localZone)
      let count = try reader.integer("count", in: 1...1000) ?? 10
      return .preview(try Alarm(reader: &reader, context: context), from: from, count: count)
    case .update:
      guard let id = try reader.string("id", maximum: 64) else { throw reader.error("id", "is needed") }
      let revision = try reader.integer("ifRevision", in: 0...Int(Int32.max))
      return .update(id: id, members: reader.rest(), ifRevision: revision)
    case .quick:
      guard let text = try reader.string("text") else { throw reader.error("text", "is needed, such as 07:00 mon-fri") }
      let id = try reader.string("id", maximum: 64)
      if text.lowercased() == "off", let id { return .change(.cancel, id: id, occurrence: nil) }
      do throws(DocumentError.Reason) { return .quick(try QuickAlarm(text), id: id) } catch { throw reader.error("text", error.message) }
    case .siren: return .siren(try siren(&reader))
    case .list: return .list
    case .get:
      guard let id = try reader.string("id", maximum: 64) else { throw reader.error("id", "is needed") }
      return .get(id: id)
    case .test:
      let test = RequestBody.Test(
        sound: try reader.string("sound", maximum: 64), volume: try reader.integer("volume", in: 1...100),
        duration: try reader.seconds("duration", maximum: 60) ?? 3, outputs: try outputs(&reader))
      return .test(test)
    case .snooze: return try change(.snooze(try reader.seconds("duration")), &reader)
    case .adjust: return try change(.adjust(try adjustment(&reader)), &reader)
    case .cancel: return try change(.cancel, &reader)
    case .pause: return try change(.pause, &reader)
    case .resume: return try change(.resume, &reader)
    case .stop: return try change(.stop, &reader)
    case .enable: return try change(.enable, &reader)
    case .disable: return try change(.disable, &reader)
    case .skip: return try change(.skip, &reader)
    case .unskip: return try change(.unskip, &reader)
    }
  }

  /// Names of outputs that this node has, as a list or one name.
  private func outputs(_ reader: inout DocumentReader) throws(DocumentError) -> Set<String>? {
    guard let items = try reader.list("outputs", maximum: 8) else { return nil }
    let names = items.map { $0.string ?? $0.description }
    if let unknown = names.first(where: { !outputs.contains($0) }) {
      let known = outputs.isEmpty ? "it has none" : "it has \(outputs.sorted().joined(separator: ", "))"
      throw reader.error("outputs", "this node has no output \(unknown); \(known)")
    }
    return names.isEmpty ? nil : Set(names)
  }

  /// Home Assistant's words for a siren.
  private func siren(_ reader: inout DocumentReader) throws(DocumentError) -> RequestBody.Siren? {
    guard let isOn = try reader.bool("state") else { throw reader.error("state", "is needed: ON or OFF") }
    let level = try reader.number("volume_level", in: 0...1)
    let siren = RequestBody.Siren(
      sound: try reader.string("tone", maximum: 64), volume: level.map { max(Int(($0 * 100).rounded()), 1) },
      duration: try reader.seconds("duration", maximum: 86_400))
    return isOn ? siren : nil
  }

  private func change(_ operation: AlarmOperation, _ reader: inout DocumentReader) throws(DocumentError) -> RequestBody {
    .change(operation, id: try reader.string("id", maximum: 64), occurrence: try reader.string("occurrence", maximum: 64))
  }

  /// `at` must be there: null, which means absent elsewhere, is the word for "restore" here.
  private func adjustment(_ reader: inout DocumentReader) throws(DocumentError) -> Instant? {
    guard reader.contains("at") else { throw reader.error("at", "is needed: an instant, or null to restore") }
    return try reader.instant("at", in: context.localZone)
  }

  /// FNV-1a, 64 bits: tells an accidental difference, which is all that is asked.
  private static func digest(_ text: String) -> UInt64 {
    text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
