extension NodeConfiguration {
  /// Home Assistant's discovery.
  package struct HomeAssistant: Sendable, Equatable {
    /// Which alarms get entities of their own.
    package enum Alarms: String, Sendable, CaseIterable {
      case repeating, all, none
    }

    package var discovery = true
    /// The topic below which Home Assistant looks; one level or more.
    package var prefix = "homeassistant"
    package var alarms = Alarms.repeating
  }
}
