import AlarmEngine
import JSON

/// One message of the node, without the transport's words for it.
package struct NodeMessage: Hashable, Sendable {
  package var topic: String
  package var payload: String
  package var isRetained: Bool
  /// The 1 Hz topics are QoS 0, everything else is QoS 1.
  package var isTick: Bool
  /// The event that an acknowledgement of this message acknowledges.
  package var eventSequence: Int64?
  package var correlationData: [UInt8]?

  package init(
    topic: String, payload: String, isRetained: Bool = false, isTick: Bool = false, eventSequence: Int64? = nil,
    correlationData: [UInt8]? = nil
  ) {
    self.topic = topic
    self.payload = payload
    self.isRetained = isRetained
    self.isTick = isTick
    self.eventSequence = eventSequence
    self.correlationData = correlationData
  }

  /// Seconds after which a tick is of no use (MQTT 5 Message Expiry Interval).
  package static let tickExpiry: UInt32 = 5
}

extension Topics {
  /// The messages for what the engine wants published. `info` and `health` are for the caller to make: the engine does not know them.
  package func messages(for publication: EnginePublication) -> [NodeMessage] {
    switch publication {
    case .info, .health: []
    case .online: [availabilityMessage(isOnline: true)]
    case .setting(let name, let value): [NodeMessage(topic: setting(name), payload: value, isRetained: true)]
    case .alarm(let id, let document): [NodeMessage(topic: alarm(id), payload: document?.description ?? "", isRetained: true)]
    case .node(let document): [NodeMessage(topic: state, payload: document.description, isRetained: true)]
    case .activity(let id, let document): [NodeMessage(topic: activity(id), payload: document.description, isTick: true)]
    case .remaining(let id, let seconds): [NodeMessage(topic: remaining(id), payload: String(seconds), isTick: true)]
    case .event(let event): [NodeMessage(topic: self.event, payload: event.document.description, eventSequence: event.sequence)]
    case .reply(let reply, let address): messages(for: reply, to: address)
    }
  }

  package func availabilityMessage(isOnline: Bool) -> NodeMessage {
    NodeMessage(topic: availability, payload: isOnline ? "online" : "offline", isRetained: true)
  }

  private func messages(for reply: Reply, to address: ReplyAddress) -> [NodeMessage] {
    var document = reply.document
    if let warning = address.warning { document["warning"] = .string(warning) }
    let payload = document.description
    return [response(reply.operation)].map { NodeMessage(topic: $0, payload: payload, correlationData: address.correlationData) }
      + (address.responseTopic.map { [NodeMessage(topic: $0, payload: payload, correlationData: address.correlationData)] } ?? [])
  }
}
