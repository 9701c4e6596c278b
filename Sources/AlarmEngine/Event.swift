import CivilTime
import JSON

/// One thing that happened, as it is published and stored.
package struct Event: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case scheduled, updated, cancelled, started, paused, resumed, reminder, alerting, sounding, snoozed, stopped, missed, skipped, adjusted
    case enabled, disabled
    case outputFailed = "output_failed"
    case clockChanged = "clock_changed"
  }

  /// Strictly increasing over the node's whole life; gaps are possible after a crash.
  package let sequence: Int64
  package let document: JSONObject

  package init(sequence: Int64, document: JSONObject) {
    self.sequence = sequence
    self.document = document
  }

  /// The same event under another number.
  package func renumbered(_ sequence: Int64) -> Event {
    var document = document
    document["sequence"] = .integer(sequence)
    return Event(sequence: sequence, document: document)
  }

  /// The `event_type`.
  package var kind: Kind? { document["event_type"]?.string.flatMap(Kind.init) }
}
