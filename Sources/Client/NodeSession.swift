import JSON
import LinuxSupport
import MQTTTransport

/// One connection to the broker, for one command.
final class NodeSession {
  let settings: ClientSettings
  private let mailbox: Mailbox<MQTTEvent>
  private let client: MQTTClient
  private var pending: [MQTTEvent] = []
  private(set) var session: UInt64 = 0
  /// Availability by node, as the broker keeps it.
  private(set) var nodes: [String: String] = [:]
  /// Payloads by topic, of all that came retained.
  private var kept: [String: [UInt8]] = [:]
  /// Filters that the broker refused.
  private(set) var refusedFilters: [String] = []
  private let ownTopic: String

  /// Where this run wants its replies: below the prefix, and no node's own topic.
  private static func replyTopic(_ settings: ClientSettings) -> String { "\(settings.prefix)/clients/\(settings.clientID)" }

  /// Connects and subscribes to replies, the availability of all nodes and `filters`.
  init(_ settings: ClientSettings, filters: [String] = []) throws(ClientError) {
    self.settings = settings
    ownTopic = Self.replyTopic(settings)
    let configuration = try settings.transport()
    var all = ["\(settings.prefix)/+/availability", settings.topics.response("+")]
    if settings.mqtt.protocolVersion == .v5 { all.append(ownTopic) }
    do throws(SystemCallError) { mailbox = try Mailbox() } catch { throw .noAnswer("\(error)") }
    let mailbox = mailbox
    do throws(MQTTError) {
      client = try MQTTClient(configuration: configuration, subscriptions: (all + filters).map { MQTTSubscription(filter: $0) }) {
        mailbox.post($0)
      }
      try client.start()
    } catch { throw .usage(error.message) }
  }

  /// Says goodbye to the broker.
  func close() { client.stop(last: [], within: 500) }

  /// The descriptor that is readable when `next` has something.
  var descriptor: Int32 { mailbox.descriptor }

  /// Waits until the broker has accepted connection and subscriptions.
  func connect() throws(ClientError) {
    if let reason = connectionFailure() { throw .noAnswer(Self.explain(reason, settings)) }
  }

  /// Waits until the broker has accepted connection and subscriptions; answers the first failure, which is final.
  func connectionFailure() -> MQTTError? {
    let deadline = SystemClock.elapsedMilliseconds() + settings.timeout
    while let event = next(until: deadline) {
      switch event {
      case .connected: return nil
      case .disconnected(_, let reason, _): return reason
      default: continue
      }
    }
    return MQTTError(
      code: .timedOut, operation: "connect",
      message: "\(settings.broker) does not answer within \(Self.seconds(settings.timeout)); check the address and the network")
  }

  private static func explain(_ reason: MQTTError, _ settings: ClientSettings) -> String {
    let isDefault = settings.file == nil && settings.mqtt.host == "127.0.0.1" && reason.code == .connectionRefused
    return reason.message + (isDefault ? "; REVEILLE_HOST or a configuration file (--config) names a broker elsewhere" : "")
  }

  static func seconds(_ milliseconds: Int64) -> String { milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms" }

  /// The next event, noting what it says about the session; `nil` when the elapsed clock has passed `deadline` (milliseconds).
  func next(until deadline: Int64) -> MQTTEvent? {
    repeat {
      if pending.isEmpty { pending = mailbox.drain() }
      if !pending.isEmpty {
        let event = pending.removeFirst()
        note(event)
        return event
      }
      mailbox.wait(until: deadline)
    } while SystemClock.elapsedMilliseconds() < deadline
    return nil
  }

  /// All events that are there; does not wait.
  func take() -> [MQTTEvent] {
    let events = pending + mailbox.drain()
    pending = []
    events.forEach(note)
    return events
  }

  private func note(_ event: MQTTEvent) {
    switch event {
    case .connected(let number): session = number
    case .subscriptionRefused(let filter, _, _): refusedFilters.append(filter)
    case .message(let message, _):
      if message.retain { kept[message.topic] = message.payload }
      let levels = message.topic.split(separator: "/").map(String.init)
      if levels.count == 3, levels[0] == settings.prefix, levels[2] == "availability" {
        nodes[levels[1]] = String(decoding: message.payload, as: UTF8.self)
      }
    default: break
    }
  }

  func publish(_ topic: String, _ payload: String, token: UInt64? = nil, correlation: String? = nil) {
    let isReplied = correlation != nil
    client.publish(
      MQTTPublication(
        topic: topic, payload: Array(payload.utf8), responseTopic: isReplied ? ownTopic : nil,
        correlationData: correlation.map { Array($0.utf8) }), token: token, session: session)
  }

  /// Sends a request and waits for its reply, which is known by its transaction or its correlation data.
  ///
  /// - Returns: the `data` of the reply; where it has a warning, that is told on standard error.
  func request(_ operation: String, _ body: JSONObject) throws(ClientError) -> JSONValue {
    let transaction = Token.make(bytes: 16)
    var body = body
    body["transaction"] = .string(transaction)
    let topic = "\(settings.topics.base)/request/\(operation)"
    publish(topic, body.description, token: 1, correlation: transaction)
    let reply: JSONObject = try answer(topic) { [ownTopic, settings] message in
      guard message.topic == ownTopic || message.topic == settings.topics.response(operation) else { return nil }
      let document: JSONObject
      do throws(JSONError) { document = try JSONValue(parsing: message.payload).object ?? JSONObject() } catch { return nil }
      let isOurs = document["transaction"]?.string == transaction || message.correlationData == Array(transaction.utf8)
      return isOurs ? document : nil
    }
    if reply["status"]?.string == "ok" { return reply["data"] ?? .null }
    throw .refused(reply["error"]?.object ?? JSONObject())
  }

  /// Sets a setting and waits until the node publishes it or refuses.
  ///
  /// - Returns: the value in force.
  func set(_ setting: String, to value: String) throws(ClientError) -> String {
    let topic = "\(settings.topics.base)/set/\(setting)"
    publish(topic, value, token: 1)
    let answer: (value: String, error: JSONObject?) = try answer(topic) { [topics = settings.topics] message in
      let text = String(decoding: message.payload, as: UTF8.self)
      if message.topic == topics.setting(setting), !message.retain { return (text, nil) }
      guard message.topic == topics.response("set-\(setting)") || message.topic == topics.response("unknown") else { return nil }
      do throws(JSONError) { return (text, try JSONValue(parsing: message.payload).object?["error"]?.object) } catch { return nil }
    }
    if let error = answer.error { throw .refused(error) }
    return answer.value
  }

  /// Waits until all that the broker has retained has come: it is sent before the answer to a later subscription or publication (MQTT 5 §4.6
  /// orders each topic only, but brokers keep one queue for each client).
  func settle() throws(ClientError) {
    let mark = Token.make(bytes: 16)
    client.publish(MQTTPublication(topic: ownTopic, payload: Array(mark.utf8)), token: 2, session: session)
    let deadline = SystemClock.elapsedMilliseconds() + settings.timeout
    while let event = next(until: deadline) {
      switch event {
      case .acknowledged(2, _, _): return
      case .disconnected(_, let reason, _): throw .noAnswer(reason.message)
      default: continue
      }
    }
    throw .noAnswer("\(settings.broker) does not acknowledge a message within \(Self.seconds(settings.timeout))")
  }

  /// A retained JSON document.
  func retained(_ topic: String) throws(ClientError) -> JSONValue {
    try settle()
    guard let payload = kept[topic], !payload.isEmpty else { throw .noAnswer(silence("nothing on \(topic)")) }
    do throws(JSONError) { return try JSONValue(parsing: payload) } catch { throw .noAnswer("\(topic) has no JSON: \(error)") }
  }

  /// Retained payloads by the last level of their topics.
  func retained(below start: String) throws(ClientError) -> [String: String] {
    try settle()
    let found = kept.filter { $0.key.hasPrefix(start) && !$0.value.isEmpty }
    guard !found.isEmpty else { throw .noAnswer(silence("nothing below \(start)")) }
    return Dictionary(
      uniqueKeysWithValues: found.map { (String($0.key.dropFirst(start.count)), String(decoding: $0.value, as: UTF8.self)) })
  }

  /// Waits for the message that `read` understands, after a publication with the token 1 on `topic`.
  private func answer<Answer>(_ topic: String, _ read: (MQTTMessage) -> Answer?) throws(ClientError) -> Answer {
    let limit = SystemClock.elapsedMilliseconds() + settings.timeout
    var deadline = limit
    while let event = next(until: deadline) {
      switch event {
      case .message(let message, _): if let answer = read(message) { return answer }
      case .acknowledged(_, _, let code) where code >= 0x80:
        throw .noAnswer(
          "the broker does not take messages on \(topic) (\(Self.hexadecimal(code))); its access rules must let this user write there")
      // MQTT 5 §3.4.2.1: no matching subscribers.
      case .acknowledged(_, _, 0x10): throw .noAnswer(silence("nobody listens on \(topic)"))
      // Taken by the broker, but the node is not there: whoever else listens will not answer. A node that is about to say that it is online may.
      case .acknowledged where nodes[settings.node] != "online": deadline = min(deadline, SystemClock.elapsedMilliseconds() + Self.grace)
      case .disconnected(_, let reason, _): throw .noAnswer(reason.message)
      default: continue
      }
    }
    throw .noAnswer(silence(deadline < limit ? "no answer" : "no answer within \(Self.seconds(settings.timeout))"))
  }

  /// Milliseconds to wait for a node that is not online.
  private static let grace: Int64 = 2_000

  static func hexadecimal(_ code: UInt8) -> String { "0x" + String(code, radix: 16, uppercase: true) }

  /// Why a node may not answer, and what to do.
  private func silence(_ what: String) -> String {
    let node = settings.node
    let others = nodes.filter { $0.value == "online" }.map(\.key).sorted().filter(Names.isLevel)
    switch nodes[node] {
    case "online":
      return
        "node \(node) is online, but there is \(what); check that the broker's access rules let this user read \(settings.topics.base)/# and the node read its requests"
    case .some: return "node \(node) is offline: \(what); start it, or look into its log (journalctl -u reveille)"
    case nil where nodes.isEmpty:
      return
        "node \(node): \(what), and \(settings.broker) knows no node below \(settings.prefix)/; check the broker's name, the topic prefix, and that the node runs"
    case nil:
      let list = others.isEmpty ? "no node is online" : "nodes online: \(others.joined(separator: ", "))"
      return "there is no node \(node) at \(settings.broker): \(what); \(list); choose one with --node or REVEILLE_NODE"
    }
  }
}
