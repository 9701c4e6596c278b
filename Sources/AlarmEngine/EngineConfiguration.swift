import AlarmModel
import CivilTime
import JSON

/// What the engine must know of its node.
package struct EngineConfiguration: Sendable {
  /// The node's zone, and how to find others.
  package var context: DocumentContext
  /// How many alarms may exist at once.
  package var maximumAlarms: Int
  /// The kernel's identity of this boot: elapsed times are comparable only within one.
  package var boot: String?

  package init(context: DocumentContext, maximumAlarms: Int = 64, boot: String? = nil) {
    self.context = context
    self.maximumAlarms = maximumAlarms
    self.boot = boot
  }
}

/// What the store held when the node started.
package struct StoredNode: Sendable {
  package var alarms: [JSONObject] = []
  package var events: [Event] = []
  package var replies: [KeptReply] = []
  package var values: [String: String] = [:]

  package init() {}
}
