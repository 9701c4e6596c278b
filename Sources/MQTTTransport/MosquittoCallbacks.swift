import CMosquitto
import Glibc

// Global functions and nonisolated, as libmosquitto calls them as plain C functions. Each only copies and enqueues.

/// Points all of libmosquitto's callbacks at the `CallbackInbox` that is its user data.
func installCallbacks(_ mosquitto: OpaquePointer) {
  mosquitto_connect_v5_callback_set(mosquitto, onConnect)
  mosquitto_disconnect_v5_callback_set(mosquitto, onDisconnect)
  mosquitto_publish_v5_callback_set(mosquitto, onPublish)
  mosquitto_subscribe_v5_callback_set(mosquitto, onSubscribe)
  mosquitto_message_v5_callback_set(mosquitto, onMessage)
  mosquitto_log_callback_set(mosquitto, onLog)
}

/// OpenSSL would ask for a key's passphrase on the terminal and wait; this answers that there is none.
func refusePassphrase(
  _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int32, _ isForWriting: Int32, _ userData: UnsafeMutableRawPointer?
) -> Int32 { 0 }

private func inbox(_ userData: UnsafeMutableRawPointer?) -> CallbackInbox? {
  userData.map { Unmanaged<CallbackInbox>.fromOpaque($0).takeUnretainedValue() }
}

private func onConnect(
  _: OpaquePointer?, _ userData: UnsafeMutableRawPointer?, _ reasonCode: Int32, _: Int32, _ properties: OpaquePointer?
) {
  inbox(userData)?.append(
    .connectionAnswer(reasonCode: UInt8(truncatingIfNeeded: reasonCode), limits: BrokerLimits(properties: properties)))
}

private func onDisconnect(_: OpaquePointer?, _ userData: UnsafeMutableRawPointer?, _ reasonCode: Int32, _: OpaquePointer?) {
  inbox(userData)?.append(.disconnected(reasonCode))
}

private func onPublish(
  _: OpaquePointer?, _ userData: UnsafeMutableRawPointer?, _ packetID: Int32, _ reasonCode: Int32, _: OpaquePointer?
) {
  inbox(userData)?.append(.publicationAnswer(packetID: packetID, reasonCode: UInt8(truncatingIfNeeded: reasonCode)))
}

private func onSubscribe(
  _: OpaquePointer?, _ userData: UnsafeMutableRawPointer?, _ packetID: Int32, _ count: Int32, _ granted: UnsafePointer<Int32>?,
  _: OpaquePointer?
) {
  let codes = UnsafeBufferPointer(start: granted, count: granted == nil ? 0 : Int(count)).map { UInt8(truncatingIfNeeded: $0) }
  inbox(userData)?.append(.subscriptionAnswer(packetID: packetID, reasonCodes: codes))
}

private func onMessage(
  _: OpaquePointer?, _ userData: UnsafeMutableRawPointer?, _ message: UnsafePointer<mosquitto_message>?, _ properties: OpaquePointer?
) {
  guard let inbox = inbox(userData), let message = message?.pointee, let topic = message.topic else { return }
  let length = Int(message.payloadlen)
  guard length <= inbox.maximumPayload else { return }
  var result = MQTTMessage(
    topic: String(cString: topic),
    payload: length > 0 ? message.payload.map { [UInt8](UnsafeRawBufferPointer(start: $0, count: length)) } ?? [] : [],
    qos: message.qos == 0 ? .atMostOnce : .atLeastOnce, retain: message.retain)
  if properties != nil {
    var string: UnsafeMutablePointer<CChar>?
    _ = mosquitto_property_read_string(properties, Int32(MQTT_PROP_RESPONSE_TOPIC.rawValue), &string, false)
    if let string {
      result.responseTopic = String(cString: string)
      free(string)
    }
    var data: UnsafeMutableRawPointer?
    var count: UInt16 = 0
    _ = mosquitto_property_read_binary(properties, Int32(MQTT_PROP_CORRELATION_DATA.rawValue), &data, &count, false)
    if let data {
      result.correlationData = [UInt8](UnsafeRawBufferPointer(start: data, count: Int(count)))
      free(data)
    }
  }
  inbox.append(.message(result))
}

private func onLog(_: OpaquePointer?, _ userData: UnsafeMutableRawPointer?, _ level: Int32, _ text: UnsafePointer<CChar>?) {
  guard level == MOSQ_LOG_ERR, let text else { return }
  inbox(userData)?.note(error: String(cString: text))
}
