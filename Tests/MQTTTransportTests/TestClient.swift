import MQTTTransport
import TestSupport
import Testing

/// An `MQTTClient` whose events are recorded.
final class TestClient: Sendable {
  let events = Recorder<MQTTEvent>()
  let client: MQTTClient

  init(
    _ configuration: MQTTConfiguration, subscriptions: [MQTTSubscription] = [], start: Bool = true
  ) throws {
    client = try MQTTClient(configuration: configuration, subscriptions: subscriptions) { [events] in events.append($0) }
    if start { try client.start() }
  }

  deinit { client.stop(last: [], within: 2000) }

  /// Waits until connected for the `count`th time; answers the session.
  func session(_ count: Int = 1, within milliseconds: Int = 20_000) throws -> UInt64 {
    let session = events.wait(within: milliseconds) { events -> UInt64? in
      let sessions = events.compactMap { if case .connected(let session) = $0 { session } else { nil } }
      return sessions.count >= count ? sessions[count - 1] : nil
    }
    return try #require(session, "not connected; events: \(events.all)")
  }

  /// Waits for the first `disconnected`.
  func disconnection(
    within milliseconds: Int = 20_000, where fits: @escaping (MQTTError) -> Bool = { _ in true }
  ) throws -> (session: UInt64?, reason: MQTTError, retryMilliseconds: Int64) {
    let found = events.wait(within: milliseconds) { events in
      events.lazy.compactMap { event -> (UInt64?, MQTTError, Int64)? in
        guard case .disconnected(let session, let reason, let retry) = event, fits(reason) else { return nil }
        return (session, reason, retry)
      }.first
    }
    return try #require(found, "not disconnected; events: \(events.all)")
  }

  /// Waits for the answer to the publication with this token.
  func reasonCode(of token: UInt64, within milliseconds: Int = 20_000) throws -> UInt8 {
    let code = events.wait(within: milliseconds) { events in
      events.lazy.compactMap { event -> UInt8? in
        guard case .acknowledged(token, _, let reasonCode) = event else { return nil }
        return reasonCode
      }.first
    }
    return try #require(code, "no acknowledgement for \(token)")
  }

  /// The messages so far, once there are `count` of them.
  func messages(_ count: Int, within milliseconds: Int = 20_000) throws -> [MQTTMessage] {
    let messages = events.wait(within: milliseconds) { events -> [MQTTMessage]? in
      let messages = events.compactMap { if case .message(let message, _) = $0 { message } else { nil } }
      return messages.count >= count ? messages : nil
    }
    return try #require(messages, "fewer than \(count) messages; events: \(events.all)")
  }
}

extension MQTTConfiguration {
  /// For a broker of a test.
  static func test(_ broker: BrokerProcess, id: String = "node", _ change: (inout MQTTConfiguration) -> Void = { _ in })
    -> MQTTConfiguration
  {
    var configuration = MQTTConfiguration(host: "127.0.0.1", port: broker.port, clientID: id)
    change(&configuration)
    return configuration
  }
}

extension [UInt8] {
  init(_ text: String) { self = Array(text.utf8) }
}
