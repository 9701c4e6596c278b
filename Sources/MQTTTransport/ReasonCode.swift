/// The MQTT reason codes that this client gives itself (MQTT 5 §2.4).
enum ReasonCode {
  static let topicFilterInvalid: UInt8 = 0x8F
  static let topicNameInvalid: UInt8 = 0x90
  static let packetTooLarge: UInt8 = 0x95
  static let retainNotSupported: UInt8 = 0x9A
  static let qosNotSupported: UInt8 = 0x9B
}
