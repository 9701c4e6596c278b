/// Which broker to connect to, as whom and how.
package struct MQTTConfiguration: Sendable, Hashable {
  package enum ProtocolVersion: Sendable, Hashable {
    /// MQTT 5.
    case v5
    /// MQTT 3.1.1.
    case v311
  }

  /// A name or address.
  package var host: String
  package var port: UInt16
  /// Not empty; a second client with the same one throws the first out.
  package var clientID: String
  package var username: String?
  package var password: String?
  /// Certificate authorities that may have signed the broker's certificate (PEM). Any of the four TLS settings turns TLS on.
  package var caFile: String?
  /// This client's certificate chain (PEM); needs `clientKeyFile`.
  package var clientCertificateFile: String?
  /// The key of `clientCertificateFile` (PEM), without a passphrase.
  package var clientKeyFile: String?
  /// Trusts the operating system's certificate authorities.
  package var useOSCertificates: Bool
  package var protocolVersion: ProtocolVersion
  /// Seconds, 5–65,535. A broken connection is noticed after one to two and a half times as long.
  package var keepAlive: UInt16
  package var will: MQTTPublication?
  /// The largest packet to receive, in bytes (MQTT 5 §3.1.2.11.4). Larger ones are not delivered: under MQTT 5 the broker drops them, under
  /// 3.1.1 this client does.
  package var maximumPacketSize: UInt32
  /// Milliseconds from the TCP connection to the last SUBACK. Name look-up and the TCP connection itself take as long as the system allows.
  package var connectTimeout: Int64

  package init(
    host: String, port: UInt16 = 1883, clientID: String, username: String? = nil, password: String? = nil, caFile: String? = nil,
    clientCertificateFile: String? = nil, clientKeyFile: String? = nil, useOSCertificates: Bool = false,
    protocolVersion: ProtocolVersion = .v5, keepAlive: UInt16 = 15, will: MQTTPublication? = nil, maximumPacketSize: UInt32 = 1 << 20,
    connectTimeout: Int64 = 10_000
  ) {
    self.host = host
    self.port = port
    self.clientID = clientID
    self.username = username
    self.password = password
    self.caFile = caFile
    self.clientCertificateFile = clientCertificateFile
    self.clientKeyFile = clientKeyFile
    self.useOSCertificates = useOSCertificates
    self.protocolVersion = protocolVersion
    self.keepAlive = keepAlive
    self.will = will
    self.maximumPacketSize = maximumPacketSize
    self.connectTimeout = connectTimeout
  }

  var usesTLS: Bool { useOSCertificates || caFile != nil || clientCertificateFile != nil || clientKeyFile != nil }

  /// `host:port`, for messages.
  var broker: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  /// Refuses what libmosquitto would misread or answer with a bare "invalid argument".
  func validate() throws(MQTTError) {
    let strings: [(String, String?)] = [
      ("host", host), ("client id", clientID), ("user name", username), ("password", password), ("CA file", caFile),
      ("client certificate file", clientCertificateFile), ("client key file", clientKeyFile), ("will topic", will?.topic),
      ("will content type", will?.contentType),
    ]
    for (name, value) in strings {
      guard let value else { continue }
      if value.utf8.contains(0) { throw .badArgument("the \(name) contains a NUL character; remove it") }
      if value.utf8.count > UInt16.max { throw .badArgument("the \(name) is longer than 65,535 bytes; shorten it") }
    }
    if host.isEmpty { throw .badArgument("the host is empty; name the broker") }
    if port == 0 { throw .badArgument("the port is 0; use 1883, or 8883 for TLS") }
    if clientID.isEmpty { throw .badArgument("the client id is empty; give each client one of its own") }
    if keepAlive < 5 { throw .badArgument("the keep-alive is \(keepAlive) s; use at least 5 s") }
    if maximumPacketSize == 0 { throw .badArgument("the maximum packet size is 0; use at least a few hundred bytes") }
    if connectTimeout < 1 { throw .badArgument("the connect timeout is \(connectTimeout) ms; use at least 1 ms") }
    if password != nil && username == nil { throw .badArgument("there is a password but no user name; give both") }
    if (clientCertificateFile == nil) != (clientKeyFile == nil) {
      throw .badArgument("a client certificate and its key belong together; give both files or neither")
    }
    if clientCertificateFile != nil && caFile == nil && !useOSCertificates {
      throw .badArgument("nothing says which broker certificate to trust; give a CA file or use the system's certificates")
    }
  }
}
