/// The node's configuration, complete: what the file leaves out has its default.
package struct NodeConfiguration: Sendable, Equatable {
  /// The node's name in topics, `[a-z0-9_-]{1,32}`; default: derived from the host name.
  package var node: String
  /// The first topic level, `[A-Za-z0-9_-]{1,64}`.
  package var topicPrefix = "reveille"
  /// A time zone's name, not yet looked up; `nil`: the system's.
  package var timeZone: String?
  /// Absolute.
  package var stateDirectory = "/var/lib/reveille"
  /// Absolute.
  package var soundsDirectory = "/usr/share/reveille/sounds"
  package var mqtt = MQTT()
  package var outputs = Outputs()
  /// No two of them, nor an output, on one line.
  package var buttons: [Button] = []
  package var homeAssistant = HomeAssistant()
  package var limits = Limits()
  /// Topic prefixes, apart from `topicPrefix`, below which a request's Response Topic may lie; without a trailing `/`.
  package var responseTopics: [String] = []

  /// The configuration that an empty file gives on a host of that name.
  package init(hostName: String) { node = Self.node(hostName: hostName) }

  /// A host name as a node's name: lower-cased, anything else than `[a-z0-9_-]` replaced by `-`, cut to 32.
  static func node(hostName: String) -> String {
    let name = String(
      hostName.lowercased().unicodeScalars.prefix(32).map { String($0).isWord(maximum: 1) ? Character($0) : "-" })
    return name.isEmpty ? "reveille" : name
  }
}
