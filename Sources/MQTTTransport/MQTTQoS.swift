/// How surely a message is delivered (MQTT 5 §4.3). Quality of service 2 is not offered: nothing here needs it.
package enum MQTTQoS: UInt8, Sendable, Hashable {
  /// QoS 0: sent once, never confirmed.
  case atMostOnce = 0
  /// QoS 1: confirmed by a PUBACK.
  case atLeastOnce = 1
}
