import AlarmSimulator
import CivilTime
import Testing

@Suite("Simulated lives") struct SimulationTests {
  private static let zones = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata"]

  @Test("A spring of crashes, clock steps, full disks and random requests breaks no promise", arguments: UInt64(1)...6)
  func spring(seed: UInt64) throws {
    let database = ZoneDatabase()
    let zones = try Self.zones.map { try database.zone(named: $0) }
    // 2026-03-01T00:00:00Z: both hemispheres change their clocks within these days.
    let statistics = try Simulation.run(seed: seed, beginning: Instant(milliseconds: 1_772_323_200_000), zones: zones, days: 45)
    #expect(statistics.firings > 20 && statistics.crashes > 3 && statistics.clockSteps > 0 && statistics.requests > 30, "\(statistics)")
  }

  @Test("The same seed lives the same life") func deterministic() throws {
    let zones = try Self.zones.map { try ZoneDatabase().zone(named: $0) }
    func life(_ seed: UInt64) throws -> String {
      "\(try Simulation.run(seed: seed, beginning: Instant(milliseconds: 1_772_323_200_000), zones: zones, days: 5))"
    }
    #expect(try life(7) == life(7))
    #expect(try life(7) != life(8))
  }
}
