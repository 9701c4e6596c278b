/// What happened in simulations, counted.
public struct SimulationStatistics: Sendable {
  public var simulations = 0
  /// Milliseconds of true time.
  public var simulated: Int64 = 0
  public var steps = 0
  public var firings = 0
  public var missed = 0
  public var ticks = 0
  public var requests = 0
  public var duplicates = 0
  public var crashes = 0
  public var reboots = 0
  public var clockSteps = 0
  public var zoneChanges = 0
  public var stalls = 0
  public var disconnections = 0
  public var failedCommits = 0

  public init() {}

  public static func += (left: inout Self, right: Self) {
    left.simulations += right.simulations
    left.simulated += right.simulated
    left.steps += right.steps
    left.firings += right.firings
    left.missed += right.missed
    left.ticks += right.ticks
    left.requests += right.requests
    left.duplicates += right.duplicates
    left.crashes += right.crashes
    left.reboots += right.reboots
    left.clockSteps += right.clockSteps
    left.zoneChanges += right.zoneChanges
    left.stalls += right.stalls
    left.disconnections += right.disconnections
    left.failedCommits += right.failedCommits
  }
}
