extension NodeConfiguration {
  package struct Limits: Sendable, Equatable {
    /// How many alarms there may be, 1…1000.
    package var alarms = 64
    /// The operations that may be asked for, not yet looked up; empty: all.
    package var operations: [String] = []
  }
}
