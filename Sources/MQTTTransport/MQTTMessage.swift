/// A message that the broker delivered.
package struct MQTTMessage: Sendable, Hashable {
  package var topic: String
  package var payload: [UInt8]
  package var qos: MQTTQoS
  /// The retain flag as delivered: with `retainAsPublished` the publisher's own, else "this is a stored message" (MQTT 5 §3.3.1.3).
  package var retain: Bool
  /// Where the sender wants the reply (MQTT 5 §3.3.2.3.5). Untrusted; always `nil` under 3.1.1.
  package var responseTopic: String?
  /// To be sent back with the reply (MQTT 5 §3.3.2.3.6). Always `nil` under 3.1.1.
  package var correlationData: [UInt8]?

  package init(
    topic: String, payload: [UInt8], qos: MQTTQoS, retain: Bool, responseTopic: String? = nil, correlationData: [UInt8]? = nil
  ) {
    self.topic = topic
    self.payload = payload
    self.qos = qos
    self.retain = retain
    self.responseTopic = responseTopic
    self.correlationData = correlationData
  }
}
