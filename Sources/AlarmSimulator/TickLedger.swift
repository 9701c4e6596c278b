import AlarmEngine
import CivilTime

/// Checks each published tick against the countdown that it belongs to.
struct TickLedger {
  private struct Run {
    var deadline: Deadline
    var last: Int64
    /// Whether numbers may be missing: the loop stalled, the broker was away, the disk was slow, the clock was set.
    var isDisturbed = false
  }

  private var runs: [String: Run] = [:]

  /// From now on numbers may be missing in the runs under way.
  mutating func disturb() { runs = runs.mapValues { Run(deadline: $0.deadline, last: $0.last, isDisturbed: true) } }

  mutating func forget() { runs = [:] }

  /// An alarm is scheduled again: its next countdown is another one, also where a clock that was set back brings the same.
  mutating func end(_ id: String) { runs[id] = nil }

  /// Takes a tick at a moment; answers what is wrong with it.
  ///
  /// - Parameter isWaiting: whether a change of the alarm is still on its way to the disk, for which further numbers may wait too long.
  mutating func take(_ id: String, _ number: Int64, record: AlarmRecord?, isWaiting: Bool, at present: Present) -> String? {
    if number == 0 {
      defer { runs[id] = nil }
      guard record?.state == .alerting else { return "\(id): 0 without an alert" }
      if let run = runs[id], !run.isDisturbed, run.last != 1 { return "\(id): 0 after \(run.last)" }
      return nil
    }
    guard case .countdown(let countdown) = record?.live?.stage else {
      return "\(id): tick \(number) while \(record?.state.rawValue ?? "gone")"
    }
    let left: Int64
    switch countdown.deadline {
    case .wall(let instant): left = instant - present.wall
    case .elapsed(let elapsed): left = elapsed - present.elapsed
    }
    let lateness = min(number * 1000, countdown.total.milliseconds) - left
    guard (0...500).contains(lateness) else { return "\(id): tick \(number) is \(lateness) ms late" }
    if let run = runs[id], run.deadline == countdown.deadline {
      guard number < run.last else { return "\(id): tick \(number) after \(run.last)" }
      guard number == run.last - 1 || run.isDisturbed else { return "\(id): tick \(number) after \(run.last), none between" }
      runs[id]?.last = number
      if isWaiting { runs[id]?.isDisturbed = true }
    } else {
      runs[id] = Run(deadline: countdown.deadline, last: number, isDisturbed: isWaiting)
    }
    return nil
  }
}
