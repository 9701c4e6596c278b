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

  /// Where documents of this node can be, present or past ones.
  package var filters: [String] { [nodeTopic, deviceTopic("+"), timeTopic("+")] }

  /// The document about the node itself.
  package var nodeTopic: String { "\(prefix)/device/\(device)/config" }

  /// The documents, by topic.
  ///
  /// - Parameters:
  ///   - sounds: the names that can be asked for.
  ///   - sound: the one in force, which may have no file any more.
  ///   - focus: the focus in force, which may be none of the usual ones.
  package func documents(alarms all: [Alarm], sounds: [String], sound: String, focus: String) -> [String: JSONObject] {
    var documents = [nodeTopic: document(nodeComponents(sounds: sounds, sound: sound, focus: focus))]
    for alarm in all where hasEntities(alarm) {
      documents[deviceTopic(alarm.id)] = document(components(of: alarm))
      if case .relative = alarm.schedule {
        // Home Assistant before 2026.4 rejects a whole device document with this platform in it, and does not look at its own topic.
        var time = timeComponent(of: alarm).json(device: device)
        time["p"] = nil
        time.merge(common)
        documents[timeTopic(alarm.id)] = time
      }
    }
    return documents
  }

  /// A document together with the order to remove the components that an earlier one had and this one lacks.
  package static func withRemovals(_ document: JSONObject, since earlier: JSONObject) -> JSONObject {
    guard var components = document["cmps"]?.object else { return document }
    for component in earlier["cmps"]?.object ?? JSONObject() where components[component.key] == nil {
      guard let members = component.value.object, members["unique_id"] != nil || members["topic"] != nil else { continue }
      components[component.key] = ["p": members["p"] ?? .null]
    }
    var document = document
    document["cmps"] = .object(components)
    return document
  }

  // A level of its own for the alarm: with node and alarm in one, `bedroom` with the alarm `x` could not be told from the node `bedroom_x`.
  private func deviceTopic(_ alarm: String) -> String { "\(prefix)/device/\(device)/\(alarm)/config" }
  // In capitals, which no node's name has: Home Assistant would take `time/X/…` for a part of the device document `X`.
  private func timeTopic(_ alarm: String) -> String { "\(prefix)/time/\(device)_TIME/\(alarm)/config" }

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
    var document = common
    document["cmps"] = .object(JSONObject(components.map { ($0.identifier, .object($0.json(device: device))) }))
    return document
  }

  /// What every document says.
  private var common: JSONObject {
    [
      "dev": [
        "ids": [.string(device)], "name": .string("Reveille \(node)"), "mf": "Reveille", "mdl": "Alarm node",
        "sw": .string(Version.program),
      ],
      "o": ["name": "Reveille", "sw": .string(Version.program)],
      "availability": [["topic": .string(topics.availability)]],
      "qos": 1,
    ]
  }

  /// The alarm that the entity for quick timers starts.
  static let quickTimer = "quick-timer"
}
