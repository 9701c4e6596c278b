import AlarmEngine
import Buttons
import CivilTime
import MQTTTransport
import Outputs

/// What other threads tell the engine's thread.
enum NodeInput: Sendable {
  /// A command, read on the transport's thread.
  case command(EngineInput, session: UInt64)
  /// A message on a topic of Home Assistant's.
  case homeAssistant(topic: String, payload: [UInt8], session: UInt64)
  case connected(session: UInt64)
  case disconnected(MQTTError, retryMilliseconds: Int64)
  case subscriptionRefused(filter: String, reasonCode: UInt8)
  case acknowledged(token: UInt64, session: UInt64, reasonCode: UInt8)
  case output(OutputReport)
  case button(ButtonEvent)
  /// The time zone database has new rules, or the system another zone.
  case zonesChanged(localZone: ZoneRules)
  case committed(token: UInt64, error: String?)
  /// The names of damaged state files, and of newer ones, that lie in the state directory.
  case setAside(damaged: [String], newer: [String])
  /// The configuration file was read anew; `problem` is what is wrong with it.
  case configurationRead(problem: String?)
}
