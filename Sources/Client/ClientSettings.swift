import Configuration
import Glibc
import MQTTTransport
import NodeProtocol

/// Which node to talk to, and over which broker.
package struct ClientSettings: Sendable {
  /// Where the node's configuration is looked for.
  package static let defaultFile = "/etc/reveille/reveille.yaml"

  /// The variables that are read.
  static let variables = [
    "REVEILLE_NODE", "REVEILLE_HOST", "REVEILLE_PORT", "REVEILLE_USERNAME", "REVEILLE_PASSWORD_FILE", "REVEILLE_CA_FILE",
    "REVEILLE_OS_CERTIFICATES", "REVEILLE_CERTIFICATE_FILE", "REVEILLE_KEY_FILE", "REVEILLE_PROTOCOL", "REVEILLE_PREFIX",
  ]

  let node: String
  let prefix: String
  let mqtt: NodeConfiguration.MQTT
  /// The file that was read; `nil`: none.
  let file: String?
  /// The whole configuration; where no file was read, its defaults.
  let configuration: NodeConfiguration
  /// Milliseconds to wait for a connection, and for an answer.
  let timeout: Int64
  /// For this run only; never a node's, which are `reveille-<node>`.
  let clientID = "reveille.cli.\(Token.make(bytes: 4))"

  var topics: Topics { Topics(prefix: prefix, node: node) }
  var broker: String { "\(mqtt.host):\(mqtt.port)" }

  /// An option counts before a variable, a variable before the default file. A file that is named replaces the variables. The default file's
  /// user and password are not used for a host that a variable names.
  init(_ arguments: Arguments, environment: (String) -> String? = ClientSettings.environment, defaultFile: String = Self.defaultFile)
    throws(ClientError)
  {
    let named = arguments.value("--config")
    let isNamed = named != nil
    let file = named ?? (access(defaultFile, R_OK) == 0 ? defaultFile : nil)
    var configuration: NodeConfiguration
    do throws(ConfigurationErrors) {
      configuration = if let file { try NodeConfiguration.load(file: file) } else { try NodeConfiguration.parse(text: "", file: "") }
    } catch { throw .usage("\(error)") }
    func variable(_ name: String) -> String? {
      guard !isNamed, let value = environment("REVEILLE_\(name)"), !value.isEmpty else { return nil }
      return value
    }
    if let host = variable("HOST") {
      configuration.mqtt = .standard
      configuration.mqtt.host = host
    }
    if let user = variable("USERNAME") {
      configuration.mqtt.username = user
      configuration.mqtt.passwordFile = nil
    }
    if let path = variable("PASSWORD_FILE") { configuration.mqtt.passwordFile = path }
    if let path = variable("CERTIFICATE_FILE") { configuration.mqtt.certificateFile = path }
    if let path = variable("KEY_FILE") { configuration.mqtt.keyFile = path }
    if let path = variable("CA_FILE") { configuration.mqtt.caFile = path }
    if let word = variable("OS_CERTIFICATES") {
      guard ["true", "false"].contains(word) else { throw .usage("REVEILLE_OS_CERTIFICATES is true or false, not \(word)") }
      configuration.mqtt.osCertificates = word == "true"
    }
    if let text = variable("PORT") {
      guard let port = UInt16(text), port > 0 else { throw .usage("REVEILLE_PORT is a number from 1 to 65535, not \(text)") }
      configuration.mqtt.port = Int(port)
    } else if variable("HOST") != nil {
      configuration.mqtt.port = configuration.mqtt.usesTLS ? 8883 : 1883
    }
    if let text = variable("PROTOCOL") {
      guard let version = NodeConfiguration.MQTT.ProtocolVersion(rawValue: text) else {
        throw .usage("REVEILLE_PROTOCOL is 5 or 3.1.1, not \(text)")
      }
      configuration.mqtt.protocolVersion = version
    }
    self.file = file
    mqtt = configuration.mqtt
    self.configuration = configuration
    node = arguments.value("--node") ?? variable("NODE") ?? configuration.node
    prefix = variable("PREFIX") ?? configuration.topicPrefix
    for level in [node, prefix] where !Names.isLevel(level) {
      throw .usage("'\(Text.printable(level))' cannot be a node or a topic prefix: 1 to 64 of A-Z a-z 0-9 _ -")
    }
    timeout = try Self.timeout(arguments.value("--timeout"))
  }

  private static func timeout(_ text: String?) throws(ClientError) -> Int64 {
    guard let text else { return 10_000 }
    let milliseconds = try Names.seconds(text, of: "--timeout").milliseconds
    guard milliseconds > 0, milliseconds <= 3_600_000 else { throw .usage("--timeout is more than 0 and at most an hour") }
    return milliseconds
  }

  /// The process's own.
  static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// - Throws: an error of the status `usage` where the password cannot be read.
  func transport() throws(ClientError) -> MQTTConfiguration {
    let password: String?
    do throws(PasswordFileError) { password = try mqtt.password() } catch {
      throw .usage("\(error.message); another user may have one of their own, named by REVEILLE_USERNAME and REVEILLE_PASSWORD_FILE")
    }
    return MQTTConfiguration(
      host: mqtt.host, port: UInt16(mqtt.port), clientID: clientID, username: mqtt.username, password: password, caFile: mqtt.caFile,
      clientCertificateFile: mqtt.certificateFile, clientKeyFile: mqtt.keyFile, useOSCertificates: mqtt.osCertificates,
      protocolVersion: mqtt.protocolVersion == .v5 ? .v5 : .v311, connectTimeout: timeout)
  }
}
