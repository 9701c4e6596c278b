extension NodeConfiguration {
  /// The broker, and how to reach it.
  package struct MQTT: Sendable, Equatable {
    package enum ProtocolVersion: String, Sendable, CaseIterable {
      case v5 = "5"
      case v311 = "3.1.1"
    }

    /// A host name or an address.
    package var host = "127.0.0.1"
    /// 1883 by default, 8883 with TLS.
    package var port = 1883
    package var username: String?
    /// Read by `password()`, not with the configuration.
    package var passwordFile: String?
    /// Certificates of the authorities to trust, PEM; turns TLS on.
    package var caFile: String?
    /// The node's own certificate, PEM; always together with `keyFile` and with TLS.
    package var certificateFile: String?
    package var keyFile: String?
    /// Trust the operating system's authorities; turns TLS on.
    package var osCertificates = false
    package var protocolVersion = ProtocolVersion.v5
    /// Seconds, 5…65535.
    package var keepAlive = 15

    package var usesTLS: Bool { caFile != nil || osCertificates }
  }
}

extension NodeConfiguration.MQTT {
  /// The broker of this machine, without TLS and user.
  package static var standard: Self { Self() }
}
