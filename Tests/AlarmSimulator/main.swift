import AlarmSimulator
import CivilTime
import Glibc
import LinuxSupport
import Synchronization

// alarm-simulator [--seed N] [--simulations N] [--days N] [--threads N] [--trace]
// Runs simulations with consecutive seeds and prints what happened; a violated promise ends it with status 1 and the line that replays it.

func value(of option: String, or fallback: Int64) -> Int64 {
  guard let index = CommandLine.arguments.firstIndex(of: option), index + 1 < CommandLine.arguments.count,
    let number = Int64(CommandLine.arguments[index + 1])
  else { return fallback }
  return number
}

let firstSeed = UInt64(value(of: "--seed", or: 1))
let isSingle = CommandLine.arguments.contains("--seed")
let count = UInt64(value(of: "--simulations", or: isSingle ? 1 : 100))
let days = value(of: "--days", or: 3652)
let threads = Int(value(of: "--threads", or: 2))
let isTracing = CommandLine.arguments.contains("--trace")

let database = ZoneDatabase()
let zones = try ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Auckland", "Asia/Kolkata", "America/Sao_Paulo"]
  .map { try database.zone(named: $0) }
// 2026-01-01T00:00:00Z
let beginning = Instant(milliseconds: 1_767_225_600_000)

final class Progress: Sendable {
  let state: Mutex<(next: UInt64, statistics: SimulationStatistics, violation: String?)>
  init(first: UInt64) { state = Mutex((first, SimulationStatistics(), nil)) }
}

let progress = Progress(first: firstSeed)
let workers = try (0..<threads).map { index in
  try WorkerThread(name: "simulate\(index)") {
    while true {
      let seed = progress.state.withLock { state -> UInt64? in
        guard state.violation == nil, state.next < firstSeed + count else { return nil }
        defer { state.next += 1 }
        return state.next
      }
      guard let seed else { return }
      do throws(Violation) {
        let statistics = try Simulation.run(seed: seed, beginning: beginning, zones: zones, days: days, isTracing: isTracing)
        progress.state.withLock { $0.statistics += statistics }
      } catch {
        progress.state.withLock { $0.violation = $0.violation ?? "\(error)" }
      }
    }
  }
}
for worker in workers { worker.join() }
let (statistics, violation) = progress.state.withLock { ($0.statistics, $0.violation) }
if let violation {
  print(violation)
  exit(1)
}
print(
  """
  \(statistics.simulations) simulations of \(days) days: \(statistics.firings) firings, \(statistics.missed) missed, \(statistics.ticks) ticks, \
  \(statistics.requests) requests, \(statistics.duplicates) repeated, \(statistics.crashes) crashes, \(statistics.reboots) reboots, \
  \(statistics.clockSteps) clock steps, \(statistics.zoneChanges) zone changes, \(statistics.stalls) stalls, \
  \(statistics.disconnections) disconnections, \(statistics.failedCommits) failed commits, \(statistics.steps) steps; no violation
  """)
