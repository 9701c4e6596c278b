import AlarmModel
import CivilTime
import JSON

extension Engine {
  /// A step of the wall clock smaller than this is drift and its correction.
  private static let smallestStep: Int64 = 1000
  /// A step back by more than this means that the clock had been wrong.
  private static let correction: Int64 = 3 * 3_600_000

  /// Sees whether the wall clock was set since the last step.
  mutating func noticeClock() {
    let offset = present.wall.milliseconds - present.elapsed
    let step = offset - clockOffset
    clockOffset = offset
    guard abs(step) >= Self.smallestStep else { return }
    note(.clockChanged, nil, ["step": .number(Double(step) / 1000)])
    for id in orderedIDs {
      guard let record = records[id] else { continue }
      if step < -Self.correction { forgetFuture(id) }
      guard case .countdown(var countdown) = record.live?.stage else { continue }
      switch countdown.deadline {
      case .elapsed:
        // Setting the clock does not move the countdown, so its end has another name on the wall.
        countdown.startDate = countdown.startDate + step
        countdown.fireDate = countdown.fireDate + step
        update(id) { $0.live?.stage = .countdown(countdown) }
      case .wall where present.wall < countdown.startDate:
        // Its pre-alert has not begun yet by the clock that counts now.
        update(id) { record in
          record.mark = record.live?.previousMark
          record.live = nil
        }
      case .wall:
        countdown.lastTick = nil
        countdown.enterLate(at: present)
        update(id) { $0.live?.stage = .countdown(countdown) }
      }
    }
  }

  /// The clock had been wrong: what was decided for a time that is yet to come is undecided again.
  private mutating func forgetFuture(_ id: String) {
    guard let record = records[id] else { return }
    let judgedFrom = min(record.judgedFrom, present.wall)
    var mark = record.mark
    if let date = mark, let rule = record.rule(configuration.context), rule.zone.resolve(date, rule.time).instant > present.wall {
      mark = nil
    }
    guard judgedFrom != record.judgedFrom || mark != record.mark else { return }
    // A dropped mark must not bring back what was due before now.
    let floor = mark == record.mark ? judgedFrom : present.wall
    update(id, activity: false) { record in
      record.judgedFrom = record.live == nil ? floor : judgedFrom
      if record.live == nil { record.mark = mark }
    }
  }

  /// After a restart: what was ringing rings again, or was missed if that is long ago.
  mutating func judgeRestart() {
    for id in orderedIDs {
      guard let record = records[id] else { continue }
      switch record.live?.stage {
      case .alerting(let alerting):
        let lateness = present.wall - alerting.due
        if isTooLate(lateness, record.alarm) {
          end(id, missed: "downtime", due: alerting.due)
        } else {
          alert(id, due: alerting.due, lateness: max(lateness, 0), afterCountdown: false)
        }
      case .countdown(var countdown):
        countdown.enterLate(at: present)
        if case .elapsed(let deadline) = countdown.deadline {
          countdown.fireDate = present.wall + (deadline - present.elapsed)
        }
        update(id) { $0.live?.stage = .countdown(countdown) }
      case .paused, nil: break
      }
    }
  }
}
