import CMosquitto

/// What the broker said in its CONNACK about what it takes (MQTT 5 §3.2.2.3). libmosquitto keeps the Maximum Packet Size itself.
struct BrokerLimits {
  /// libmosquitto's own limit where the broker names none (always under 3.1.1).
  var receiveMaximum = 20
  var maximumQoS: UInt8 = 2
  var retainAvailable = true
  /// Seconds that the broker wants instead of the client's.
  var serverKeepAlive: UInt16?

  init() {}

  /// - Parameter properties: the CONNACK's, `nil` under 3.1.1.
  init(properties: OpaquePointer?) {
    var byte: UInt8 = 0
    var short: UInt16 = 0
    if mosquitto_property_read_int16(properties, Int32(MQTT_PROP_RECEIVE_MAXIMUM.rawValue), &short, false) != nil {
      receiveMaximum = max(Int(short), 1)
    }
    if mosquitto_property_read_byte(properties, Int32(MQTT_PROP_MAXIMUM_QOS.rawValue), &byte, false) != nil { maximumQoS = byte }
    if mosquitto_property_read_byte(properties, Int32(MQTT_PROP_RETAIN_AVAILABLE.rawValue), &byte, false) != nil {
      retainAvailable = byte != 0
    }
    if mosquitto_property_read_int16(properties, Int32(MQTT_PROP_SERVER_KEEP_ALIVE.rawValue), &short, false) != nil {
      serverKeepAlive = short
    }
  }
}
