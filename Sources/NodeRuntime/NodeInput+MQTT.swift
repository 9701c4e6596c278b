import MQTTTransport
import NodeProtocol

extension NodeInput {
  /// What the transport's event means to the node; `nil`: nothing.
  init?(_ event: MQTTEvent, reader: CommandReader, homeAssistantPrefix: String) {
    switch event {
    case .connected(let session): self = .connected(session: session)
    case .disconnected(_, let reason, let retry): self = .disconnected(reason, retryMilliseconds: retry)
    case .subscriptionRefused(let filter, let reasonCode, _): self = .subscriptionRefused(filter: filter, reasonCode: reasonCode)
    case .acknowledged(let token, let session, let reasonCode):
      self = .acknowledged(token: token, session: session, reasonCode: reasonCode)
    case .message(let message, let session) where message.topic.hasPrefix(homeAssistantPrefix + "/"):
      self = .homeAssistant(topic: message.topic, payload: message.payload, session: session)
    case .message(let message, let session):
      let command = CommandReader.Message(
        topic: message.topic, payload: message.payload, isRetained: message.retain, responseTopic: message.responseTopic,
        correlationData: message.correlationData)
      guard let input = reader.read(command) else { return nil }
      self = .command(input, session: session)
    }
  }
}

extension MQTTPublication {
  init(_ message: NodeMessage) {
    self.init(
      topic: message.topic, payload: Array(message.payload.utf8), qos: message.isTick ? .atMostOnce : .atLeastOnce,
      retain: message.isRetained,
      messageExpiry: message.isTick ? NodeMessage.tickExpiry : nil, correlationData: message.correlationData)
  }
}
