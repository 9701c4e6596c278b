import CMosquitto
import Glibc

extension MQTTError {
  /// The broker's CONNACK refused the connection. MQTT 3.1.1 has codes 1–5 (§3.2.2.3), MQTT 5 those from 0x80 on (§3.2.2.2).
  static func refused(by broker: String, reasonCode: UInt8) -> MQTTError {
    let code: Code
    let advice: String
    switch reasonCode {
    case 4, 0x86:
      code = .badCredentials
      advice = "\(broker) does not know this user name and password; check both"
    case 5, 0x87:
      // mosquitto answers a wrong password with this code as well.
      code = .notAuthorized
      advice = "\(broker) does not let this client in; check user name, password and the broker's access rules"
    case 1, 0x84:
      code = .refusedByBroker
      advice = "\(broker) does not speak this version of MQTT; choose the other protocol version"
    case 2, 0x85:
      code = .refusedByBroker
      advice = "\(broker) does not accept this client id; choose another"
    case 0x9A, 0x9B:
      code = .refusedByBroker
      advice = "\(broker) takes no retained or no QoS 1 messages and so refuses the will; allow them in the broker's configuration"
    default:
      code = .refusedByBroker
      advice = "\(broker) refuses the connection (\(String(cString: mosquitto_reason_string(Int32(reasonCode))))); see the broker's log"
    }
    return MQTTError(code: code, operation: "connect", reasonCode: reasonCode, message: advice)
  }

  /// The broker ended the connection with a DISCONNECT (MQTT 5 §3.14.2.1).
  static func disconnected(by broker: String, reasonCode: UInt8) -> MQTTError {
    if reasonCode == UInt8(MQTT_RC_SESSION_TAKEN_OVER.rawValue) {
      return MQTTError(
        code: .sessionTakenOver, operation: "session", reasonCode: reasonCode,
        message: "another client with the same client id has connected to \(broker); give each client an id of its own")
    }
    let reason = String(cString: mosquitto_reason_string(Int32(reasonCode)))
    return MQTTError(
      code: .disconnectedByBroker, operation: "session", reasonCode: reasonCode,
      message: "\(broker) ended the connection (\(reason)); see the broker's log")
  }

  /// A libmosquitto function returned an error.
  ///
  /// - Parameters:
  ///   - errno: its value right after the call; the `EAI_` code if the result is `MOSQ_ERR_EAI`.
  ///   - log: libmosquitto's own last error line, or empty.
  static func library(_ result: Int32, errno code: Int32, operation: String, configuration: MQTTConfiguration, log: String) -> MQTTError {
    func error(_ kind: Code, errno: Int32? = nil, _ message: String) -> MQTTError {
      MQTTError(code: kind, operation: operation, libraryCode: result, errno: errno, message: message)
    }
    let broker = configuration.broker
    let detail = log.isEmpty ? "" : " [\(log)]"
    switch mosq_err_t(rawValue: result) {
    case MOSQ_ERR_EAI:
      return error(
        .hostNotFound, "the name \(configuration.host) has no address (\(String(cString: gai_strerror(code)))); check it and the DNS")
    case MOSQ_ERR_TLS, MOSQ_ERR_TLS_HANDSHAKE, MOSQ_ERR_OCSP:
      return error(.tlsFailed, "TLS with \(broker) failed\(detail); check the certificates, their dates and the clock")
    case MOSQ_ERR_KEEPALIVE, MOSQ_ERR_TIMEOUT:
      return error(.timedOut, "\(broker) no longer answers; check the broker and the network")
    case MOSQ_ERR_PROTOCOL, MOSQ_ERR_MALFORMED_PACKET, MOSQ_ERR_MALFORMED_UTF8, MOSQ_ERR_DUPLICATE_PROPERTY:
      return error(.protocolError, "\(broker) sent what MQTT does not allow; check that the port is an MQTT port")
    case MOSQ_ERR_NOMEM:
      return error(.systemFailure, "there is no memory left")
    case MOSQ_ERR_INVAL, MOSQ_ERR_NOT_SUPPORTED, MOSQ_ERR_PAYLOAD_SIZE:
      return error(.badArgument, "libmosquitto refuses the settings\(detail); check them")
    case MOSQ_ERR_ERRNO where code == ECONNREFUSED:
      return error(.connectionRefused, errno: code, "nothing listens on \(broker); start the broker or correct the port")
    case MOSQ_ERR_ERRNO where [EHOSTUNREACH, ENETUNREACH, ENETDOWN, EADDRNOTAVAIL].contains(code):
      return error(.unreachable, errno: code, "the network has no way to \(broker); check the address and the network")
    case MOSQ_ERR_ERRNO where code == ETIMEDOUT:
      return error(.timedOut, errno: code, "\(broker) does not answer; check the address and the network")
    case MOSQ_ERR_ERRNO where code == EMFILE || code == ENFILE || code == ENOMEM:
      return error(.systemFailure, errno: code, "the system is out of descriptors or memory (\(String(cString: strerror(code))))")
    case MOSQ_ERR_ERRNO where code == EPROTO && configuration.usesTLS:
      return error(.tlsFailed, errno: code, "TLS with \(broker) failed\(detail); check the certificates, their dates and the clock")
    case MOSQ_ERR_ERRNO:
      return error(.connectionLost, errno: code, "the connection to \(broker) broke (\(String(cString: strerror(code))))")
    default:
      return error(.connectionLost, "the connection to \(broker) was closed; see the broker's log")
    }
  }
}
