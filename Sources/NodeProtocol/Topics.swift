import AlarmModel

/// The node's topics, and what a message on one of them means.
package struct Topics: Hashable, Sendable {
  /// The first level.
  package let prefix: String
  /// `<prefix>/<node>`.
  package let base: String

  package init(prefix: String, node: String) {
    self.prefix = prefix
    base = "\(prefix)/\(node)"
  }

  package var availability: String { "\(base)/availability" }
  package var info: String { "\(base)/info" }
  package var health: String { "\(base)/health" }
  package var state: String { "\(base)/state" }
  package var event: String { "\(base)/event" }
  package func alarm(_ id: String) -> String { "\(base)/alarms/\(id)/state" }
  package func activity(_ id: String) -> String { "\(base)/alarms/\(id)/activity" }
  package func remaining(_ id: String) -> String { "\(base)/alarms/\(id)/remaining" }
  package func response(_ operation: String) -> String { "\(base)/response/\(operation)" }
  package func setting(_ name: String) -> String { "\(base)/setting/\(name)" }

  /// Where presses of a button are told; buttons count from 1.
  package func button(_ number: Int) -> String { "\(base)/button/\(number)" }

  /// What the node subscribes to for commands.
  package var commandFilters: [String] { ["\(base)/request/+", "\(base)/set/+", "\(base)/alarms/+/set"] }
  /// What it subscribes to in order to find retained alarms that do not exist.
  package var retainedAlarmsFilter: String { "\(base)/alarms/+/state" }

  package enum Meaning: Hashable, Sendable {
    case request(operation: String)
    case word(id: String)
    case setting(name: String)
    case alarmState(id: String)
  }

  /// What a message on a topic means; `nil`: nothing to this node.
  package func meaning(of topic: String) -> Meaning? {
    guard topic.hasPrefix(base + "/") else { return nil }
    let levels = topic.dropFirst(base.count + 1).split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    return switch (levels.count, levels.first) {
    case (2, "request"): .request(operation: levels[1])
    case (2, "set"): .setting(name: levels[1])
    case (3, "alarms") where levels[2] == "set": .word(id: levels[1])
    case (3, "alarms") where levels[2] == "state": .alarmState(id: levels[1])
    default: nil
    }
  }

  /// The second levels that belong to nodes: a reply must not be sent to any of them.
  private static let own: Set<String> = [
    "availability", "info", "health", "state", "alarms", "request", "response", "event", "set", "setting", "button",
  ]

  /// Why a reply may not go to a response topic; `nil`: it may.
  package func refusal(ofResponseTopic topic: String, extraPrefixes: [String]) -> String? {
    let levels = topic.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    if topic.isEmpty || topic.utf8.count > 1024 || topic.contains(where: { "+#\0".contains($0) }) {
      return "the response topic is empty, too long or has a wildcard"
    }
    let isBelow = ([prefix] + extraPrefixes).contains { topic.hasPrefix($0 + "/") }
    guard isBelow else { return "the response topic must lie below \(prefix)/ or a prefix that the node's configuration allows" }
    if levels[0] == prefix, levels.count >= 3, Self.own.contains(levels[2]) { return "the response topic is one of a node's own topics" }
    return nil
  }
}
