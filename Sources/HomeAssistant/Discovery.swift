import AlarmEngine
import AlarmModel
import JSON
import NodeProtocol

/// What Home Assistant is told so that it shows the node as a device: device discovery documents, one for the node and one or two for each
/// alarm with entities of its own (https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery).
package struct Discovery: Hashable, Sendable {
  /// Which alarms get entities of their own.
  package enum Alarms: String, Hashable, Sendable { case repeating, all, none }

  package let topics: Topics
  package let node: String
  /// The topic below which Home Assistant looks.
  package let prefix: String
  package let alarms: Alarms
  /// How many buttons the node has.
  package let buttons: Int

  package init(topics: Topics, node: String, prefix: String = "homeassistant", alarms: Alarms = .repeating, buttons: Int = 0) {
    self.topics = topics
    self.node = node
    self.prefix = prefix
    self.alarms = alarms
    self.buttons = buttons
  }

  /// The identifier of the device, and the beginning of all its entities' identifiers.
  package var device: String { "reveille_\(node)" }

  /// Where Home Assistant says that it has started.
  package var statusTopic: String { "\(prefix)/status" }

  /// All discovery topics, those of other devices too.
  package var filter: String { "\(prefix)/device/+/config" }

  /// The documents, by topic.
  ///
  /// - Parameters:
  ///   - sounds: the names that can be asked for.
  ///   - focus: the focus in force, which may be none of the usual ones.
  package func documents(alarms all: [Alarm], sounds: [String], focus: String) -> [String: JSONObject] {
    var documents = [topic(""): document(nodeComponents(sounds: sounds, focus: focus))]
    for alarm in all where hasEntities(alarm) {
      documents[topic("_\(alarm.id)")] = document(components(of: alarm))
      // Home Assistant before 2026.4 rejects a whole document with this platform in it.
      if case .relative = alarm.schedule { documents[topic("_\(alarm.id)_time")] = document(timeComponents(of: alarm)) }
    }
    return documents
  }

  /// A document together with the order to remove the components that an earlier one had and this one lacks.
  package static func withRemovals(_ document: JSONObject, since earlier: JSONObject) -> JSONObject {
    var document = document
    var components = document["cmps"]?.object ?? JSONObject()
    for component in earlier["cmps"]?.object ?? JSONObject() where components[component.key] == nil {
      components[component.key] = ["p": component.value.object?["p"] ?? .null]
    }
    document["cmps"] = .object(components)
    return document
  }

  /// Whether a retained document on a discovery topic is one of this node's, present or past.
  package func isOwn(_ payload: JSONObject) -> Bool {
    let device = (payload["dev"] ?? payload["device"])?.object
    let identifiers = device?["ids"] ?? device?["identifiers"]
    return identifiers?.array == [.string(self.device)] || identifiers?.string == self.device
  }

  private func topic(_ suffix: String) -> String { "\(prefix)/device/\(device)\(suffix)/config" }

  private func hasEntities(_ alarm: Alarm) -> Bool {
    // The siren and the quick timer are shown by entities of the node.
    guard ![RequestBody.Siren.id, Self.quickTimer].contains(alarm.id) else { return false }
    return switch alarms {
    case .all: true
    case .repeating: alarm.isRepeating
    case .none: false
    }
  }

  private func document(_ components: [Component]) -> JSONObject {
    [
      "dev": [
        "ids": [.string(device)], "name": .string("Reveille \(node)"), "mf": "Reveille", "mdl": "Alarm node", "sw": .string(Version.program),
      ],
      "o": ["name": "Reveille", "sw": .string(Version.program)],
      "availability": [["topic": .string(topics.availability)]],
      "qos": 1,
      "cmps": .object(JSONObject(components.map { ($0.identifier, .object($0.json(device: device))) })),
    ]
  }

  /// The alarm that the entity for quick timers starts.
  static let quickTimer = "quick-timer"
}
