import CMosquitto
import Glibc

/// One instance of libmosquitto, for one connection and one thread.
///
/// libmosquitto keeps unsent and unacknowledged messages in its instance and sends them again into the next connection; an instance that
/// is never connected twice cannot.
final class MosquittoHandle {
  /// What became of a packet given to libmosquitto.
  enum Outcome {
    case sent(packetID: Int32)
    /// It cannot be sent; the MQTT reason code that says why.
    case refused(reasonCode: UInt8)
    /// The connection is broken.
    case failed(result: Int32, errno: Int32)
  }

  let inbox: CallbackInbox
  private let configuration: MQTTConfiguration
  private let mosquitto: OpaquePointer
  private var isV5: Bool { configuration.protocolVersion == .v5 }

  /// `mosquitto_new` and all settings.
  init(configuration: MQTTConfiguration) throws(MQTTError) {
    prepareLibrary()
    self.configuration = configuration
    inbox = CallbackInbox(maximumPayload: Int(configuration.maximumPacketSize))
    guard let instance = mosquitto_new(configuration.clientID, true, Unmanaged.passUnretained(inbox).toOpaque()) else {
      throw MQTTError.library(
        errno == ENOMEM ? MOSQ_ERR_NOMEM.rawValue : MOSQ_ERR_INVAL.rawValue, errno: errno, operation: "mosquitto_new",
        configuration: configuration, log: "client id \(configuration.clientID)")
    }
    mosquitto = instance
    installCallbacks(instance)
    try check("MOSQ_OPT_PROTOCOL_VERSION") {
      mosquitto_int_option(instance, MOSQ_OPT_PROTOCOL_VERSION, isV5 ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311)
    }
    try check("MOSQ_OPT_TCP_NODELAY") { mosquitto_int_option(instance, MOSQ_OPT_TCP_NODELAY, 1) }
    if let username = configuration.username {
      try check("mosquitto_username_pw_set") { mosquitto_username_pw_set(instance, username, configuration.password) }
    }
    try setTLS()
    try setWill()
  }

  deinit { mosquitto_destroy(mosquitto) }

  private func setTLS() throws(MQTTError) {
    if configuration.useOSCertificates {
      try check("MOSQ_OPT_TLS_USE_OS_CERTS") { mosquitto_int_option(mosquitto, MOSQ_OPT_TLS_USE_OS_CERTS, 1) }
    }
    guard configuration.caFile != nil || configuration.clientCertificateFile != nil else { return }
    let files = [configuration.caFile, configuration.clientCertificateFile, configuration.clientKeyFile].compactMap(\.self)
    for file in files where access(file, R_OK) != 0 {
      throw MQTTError(
        code: .badArgument, operation: "mosquitto_tls_set", errno: errno,
        message: "cannot read \(file) (\(String(cString: strerror(errno)))); check the path and its permissions")
    }
    // libmosquitto wants a CA file or directory even where the system's certificates were asked for.
    let directory = configuration.caFile == nil ? "/etc/ssl/certs" : nil
    try check("mosquitto_tls_set") {
      mosquitto_tls_set(
        mosquitto, configuration.caFile, directory, configuration.clientCertificateFile, configuration.clientKeyFile, refusePassphrase)
    }
  }

  private func setWill() throws(MQTTError) {
    guard let will = configuration.will else { return }
    let result = withProperties(of: will) { properties in
      let result = will.payload.withUnsafeBytes { bytes in
        mosquitto_will_set_v5(
          mosquitto, will.topic, Int32(bytes.count), bytes.baseAddress, Int32(will.qos.rawValue), will.retain, properties)
      }
      // libmosquitto owns the properties only if it took them.
      if result == MOSQ_ERR_SUCCESS.rawValue { properties = nil }
      return result
    }
    guard let result else { throw .badArgument("the will's payload or one of its properties is too long; shorten it") }
    try check("mosquitto_will_set_v5") { result }
  }

  /// `mosquitto_connect_bind_v5`: looks the name up, connects and sends CONNECT. Blocks.
  func connect() throws(MQTTError) {
    var properties: OpaquePointer?
    defer { mosquitto_property_free_all(&properties) }
    if isV5 {
      try check("mosquitto_property_add_int32") {
        mosquitto_property_add_int32(&properties, Int32(MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue), configuration.maximumPacketSize)
      }
      try check("mosquitto_property_add_int32") {
        mosquitto_property_add_int32(&properties, Int32(MQTT_PROP_SESSION_EXPIRY_INTERVAL.rawValue), 0)
      }
    }
    try check("connect") {
      mosquitto_connect_bind_v5(
        mosquitto, configuration.host, Int32(configuration.port), Int32(configuration.keepAlive), nil, properties)
    }
  }

  /// The connection's descriptor, or `nil` once it is closed.
  var socket: Int32? {
    let descriptor = mosquitto_socket(mosquitto)
    return descriptor < 0 ? nil : descriptor
  }

  var wantsToWrite: Bool { mosquitto_want_write(mosquitto) }

  /// `mosquitto_loop_read`: takes what came.
  func read() throws(MQTTError) {
    try check("receive") { mosquitto_loop_read(mosquitto, 1) }
    acknowledgeAtOnce()
  }

  /// mosquitto leaves Nagle's algorithm on, so it holds its next small packet, maybe a command, until the kernel here has acknowledged the last; by
  /// default that takes 40 ms or more when there is nothing to send. The kernel forgets this setting, so it is repeated (tcp(7)).
  private func acknowledgeAtOnce() {
    guard let socket else { return }
    var on: Int32 = 1
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_QUICKACK, &on, socklen_t(MemoryLayout<Int32>.size))
  }

  /// `mosquitto_loop_write`: sends what waits.
  func write() throws(MQTTError) { try check("send") { mosquitto_loop_write(mosquitto, 1) } }

  /// `mosquitto_loop_misc`: keep-alive.
  func keepAlive() throws(MQTTError) { try check("keep-alive") { mosquitto_loop_misc(mosquitto) } }

  func publish(_ publication: MQTTPublication) -> Outcome {
    let texts = [publication.topic, publication.contentType, publication.responseTopic]
    guard !texts.contains(where: { $0?.utf8.contains(0) == true }) else {
      return .refused(reasonCode: ReasonCode.topicNameInvalid)
    }
    var packetID: Int32 = 0
    var code: Int32 = 0
    let result = withProperties(of: publication) { properties in
      publication.payload.withUnsafeBytes { bytes in
        let result = mosquitto_publish_v5(
          mosquitto, &packetID, publication.topic, Int32(bytes.count), bytes.baseAddress, Int32(publication.qos.rawValue),
          publication.retain, properties)
        code = errno
        return result
      }
    }
    guard let result else { return .refused(reasonCode: ReasonCode.packetTooLarge) }
    return outcome(result, errno: code, packetID: packetID, invalid: ReasonCode.topicNameInvalid)
  }

  func subscribe(_ subscription: MQTTSubscription) -> Outcome {
    guard !subscription.filter.isEmpty, !subscription.filter.utf8.contains(0) else {
      return .refused(reasonCode: ReasonCode.topicFilterInvalid)
    }
    var options: UInt32 = 0
    if subscription.retainHandling == .sendNever { options |= MQTT_SUB_OPT_SEND_RETAIN_NEVER.rawValue }
    if subscription.retainAsPublished { options |= MQTT_SUB_OPT_RETAIN_AS_PUBLISHED.rawValue }
    if subscription.noLocal { options |= MQTT_SUB_OPT_NO_LOCAL.rawValue }
    var packetID: Int32 = 0
    let result = mosquitto_subscribe_v5(
      mosquitto, &packetID, subscription.filter, Int32(subscription.qos.rawValue), isV5 ? Int32(options) : 0, nil)
    return outcome(result, errno: errno, packetID: packetID, invalid: ReasonCode.topicFilterInvalid)
  }

  func unsubscribe(_ filter: String) -> Outcome {
    guard !filter.isEmpty, !filter.utf8.contains(0) else { return .refused(reasonCode: ReasonCode.topicFilterInvalid) }
    var packetID: Int32 = 0
    let result = mosquitto_unsubscribe(mosquitto, &packetID, filter)
    return outcome(result, errno: errno, packetID: packetID, invalid: ReasonCode.topicFilterInvalid)
  }

  /// `mosquitto_disconnect_v5`: queues a normal DISCONNECT; the socket closes when it is sent.
  func disconnect() throws(MQTTError) { try check("disconnect") { mosquitto_disconnect_v5(mosquitto, 0, nil) } }

  private func outcome(_ result: Int32, errno: Int32, packetID: Int32, invalid: UInt8) -> Outcome {
    switch mosq_err_t(rawValue: result) {
    case MOSQ_ERR_SUCCESS: .sent(packetID: packetID)
    case MOSQ_ERR_INVAL, MOSQ_ERR_MALFORMED_UTF8, MOSQ_ERR_MALFORMED_PACKET, MOSQ_ERR_DUPLICATE_PROPERTY: .refused(reasonCode: invalid)
    case MOSQ_ERR_OVERSIZE_PACKET, MOSQ_ERR_PAYLOAD_SIZE: .refused(reasonCode: ReasonCode.packetTooLarge)
    case MOSQ_ERR_QOS_NOT_SUPPORTED: .refused(reasonCode: ReasonCode.qosNotSupported)
    case MOSQ_ERR_RETAIN_NOT_SUPPORTED: .refused(reasonCode: ReasonCode.retainNotSupported)
    default: .failed(result: result, errno: errno)
    }
  }

  /// Calls with the MQTT 5 properties of a publication (none under 3.1.1) and frees what is left of them. `nil` if its payload or a property is
  /// longer than MQTT allows.
  private func withProperties(of publication: MQTTPublication, _ body: (inout OpaquePointer?) -> Int32) -> Int32? {
    guard publication.payload.count <= Int(MQTT_MAX_PAYLOAD) else { return nil }
    var list: OpaquePointer?
    defer { mosquitto_property_free_all(&list) }
    guard isV5 else { return body(&list) }
    var results: [Int32] = []
    if let expiry = publication.messageExpiry {
      results.append(mosquitto_property_add_int32(&list, Int32(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL.rawValue), expiry))
    }
    if let topic = publication.responseTopic {
      guard topic.utf8.count <= UInt16.max else { return nil }
      results.append(mosquitto_property_add_string(&list, Int32(MQTT_PROP_RESPONSE_TOPIC.rawValue), topic))
    }
    if let data = publication.correlationData {
      guard let length = UInt16(exactly: data.count) else { return nil }
      results.append(
        data.withUnsafeBytes {
          mosquitto_property_add_binary(&list, Int32(MQTT_PROP_CORRELATION_DATA.rawValue), $0.baseAddress, length)
        })
    }
    if let type = publication.contentType {
      guard type.utf8.count <= UInt16.max else { return nil }
      results.append(mosquitto_property_add_string(&list, Int32(MQTT_PROP_CONTENT_TYPE.rawValue), type))
    }
    return results.first { $0 != 0 } ?? body(&list)
  }

  private func check(_ operation: String, _ call: () -> Int32) throws(MQTTError) {
    let result = call()
    let code = errno
    guard result != MOSQ_ERR_SUCCESS.rawValue else { return }
    throw MQTTError.library(result, errno: code, operation: operation, configuration: configuration, log: inbox.lastError)
  }

  /// The error behind an `Outcome.failed`.
  func error(_ result: Int32, errno: Int32, operation: String) -> MQTTError {
    MQTTError.library(result, errno: errno, operation: operation, configuration: configuration, log: inbox.lastError)
  }
}

/// Once per process: `mosquitto_lib_init` is not thread-safe, and OpenSSL writes without `MSG_NOSIGNAL`, so SIGPIPE must be ignored.
private let libraryIsPrepared: Void = {
  signal(SIGPIPE, SIG_IGN)
  mosquitto_lib_init()
}()

private func prepareLibrary() { libraryIsPrepared }
