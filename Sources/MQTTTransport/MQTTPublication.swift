/// A message to be published, or a will.
package struct MQTTPublication: Sendable, Hashable {
  /// 1–65,535 bytes of UTF-8 without wildcards and NUL.
  package var topic: String
  package var payload: [UInt8]
  package var qos: MQTTQoS
  package var retain: Bool
  /// Seconds after which the broker no longer delivers it (MQTT 5 §3.3.2.3.3). Left out under 3.1.1.
  package var messageExpiry: UInt32?
  /// Where the reply is wanted (MQTT 5 §3.3.2.3.5): 1–65,535 bytes without wildcards. Left out under 3.1.1.
  package var responseTopic: String?
  /// At most 65,535 bytes (MQTT 5 §3.3.2.3.6). Left out under 3.1.1.
  package var correlationData: [UInt8]?
  /// At most 65,535 bytes (MQTT 5 §3.3.2.3.9). Left out under 3.1.1.
  package var contentType: String?

  package init(
    topic: String, payload: [UInt8], qos: MQTTQoS = .atLeastOnce, retain: Bool = false, messageExpiry: UInt32? = nil,
    responseTopic: String? = nil, correlationData: [UInt8]? = nil, contentType: String? = nil
  ) {
    self.topic = topic
    self.payload = payload
    self.qos = qos
    self.retain = retain
    self.messageExpiry = messageExpiry
    self.responseTopic = responseTopic
    self.correlationData = correlationData
    self.contentType = contentType
  }
}
