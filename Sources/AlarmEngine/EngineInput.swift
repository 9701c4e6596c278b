import AlarmModel
import CivilTime
import JSON

/// What the engine is told.
package enum EngineInput: Sendable {
  /// The first input: judge what the store held.
  case start
  /// The node is about to end: what waits to be written is written now.
  case stopping
  /// A deadline has passed, or the wall clock was set.
  case wake
  case request(Request)
  /// A button goes down: what rings is silent at once, before anyone knows whether it is a press or a hold.
  case buttonDown
  /// The button is up again, or what it means is decided: what still rings sounds again.
  case buttonDecided
  case setting(name: String, value: String, isRetained: Bool)
  /// A change that was to be committed is durable, or could not be written (`error`: why).
  case committed(token: UInt64, error: String?)
  /// The session with the broker stands and commands are subscribed.
  case connected
  case disconnected
  /// A reader has started that may have missed what is retained: the snapshot again, without the events.
  case republish
  /// The broker has acknowledged an event.
  case eventAcknowledged(sequence: Int64)
  /// Which outputs a ring sounds on.
  case sounding(ring: UInt64, results: [JSONValue], fallbacks: [String])
  case outputFailed(output: String, code: String, message: String)
  /// The rules of some zone are new, or the node's own zone is another one.
  case zonesChanged(localZone: ZoneRules)
  /// A retained alarm document that the broker holds.
  case foundRetained(id: String)
}
