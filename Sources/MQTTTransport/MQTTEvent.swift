/// What an `MQTTClient` reports. A session is one connection; its number is never used again by the same client.
package enum MQTTEvent: Sendable {
  /// The broker has accepted the connection and answered all subscriptions.
  case connected(session: UInt64)
  /// The connection, or the attempt at one, has ended. `session` is `nil` if it was never `connected`. The next attempt comes in
  /// `retryMilliseconds`. Publications of that session that were not acknowledged may or may not have arrived.
  case disconnected(session: UInt64?, reason: MQTTError, retryMilliseconds: Int64)
  /// The broker refused a filter, with an MQTT reason code from 0x80 on. The session goes on without it.
  case subscriptionRefused(filter: String, reasonCode: UInt8, session: UInt64)
  case message(MQTTMessage, session: UInt64)
  /// The broker's answer to a QoS 1 publication with a token; reason codes from 0x80 on (MQTT 5 §2.4) mean that it was not taken. A
  /// publication that cannot be sent at all is answered so too, whatever its QoS: 0x90 the topic or a property is not valid, 0x95 it is
  /// larger than the broker's Maximum Packet Size, 0x9A and 0x9B the broker has no retained messages or no QoS 1.
  case acknowledged(token: UInt64, session: UInt64, reasonCode: UInt8)
}
