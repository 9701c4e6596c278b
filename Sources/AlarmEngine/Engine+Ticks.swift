import AlarmModel
import CivilTime

// A countdown of N whole seconds publishes N, N−1, …, 1, each on its own whole second; 0 goes out with the alert.

extension AlarmRecord {
  /// The number to publish now: not published yet, and no more than `Engine.tickTolerance` late.
  func dueTick(at present: Present) -> Int64? {
    guard case .countdown(let countdown) = live?.stage else { return nil }
    let left = -countdown.deadline.lateness(at: present)
    guard left > 0 else { return nil }
    let tick = (left + 999) / 1000
    if let last = countdown.lastTick, tick >= last { return nil }
    // The first number of a length that is no whole second is due at the start, not before it.
    let lateness = min(tick * 1000, countdown.run) - left
    return (0...Engine.tickTolerance).contains(lateness) ? tick : nil
  }

  /// When the next number is due.
  func nextTick(at present: Present) -> Deadline? {
    guard case .countdown(let countdown) = live?.stage else { return nil }
    let left = -countdown.deadline.lateness(at: present)
    let ceiling = min((left + 999) / 1000, countdown.lastTick ?? .max)
    return ceiling > 1 ? countdown.deadline.earlier(by: (ceiling - 1) * 1000) : nil
  }
}

extension AlarmRecord.Countdown {
  /// Milliseconds that this run of it counts, from its start or resumption.
  var run: Int64 { total.milliseconds - previouslyElapsed.milliseconds }

  /// Leaves out the number that began before this run was entered, so that the first tick falls on a whole second.
  mutating func enterLate(at present: Present) {
    let left = -deadline.lateness(at: present)
    if left % 1000 != 0 { lastTick = (left + 999) / 1000 }
  }
}

extension Engine {
  /// The alarms that count down, in the order of their ids.
  var countingDown: [String] { alarms.ids { $0.state == .countdown } }

  /// Publishes the ticks that are due. Those of an alarm that is not on disk yet wait for it.
  mutating func tick() {
    for id in countingDown where !isUncommitted(id) {
      if let tick = records[id]?.dueTick(at: present) { publishTick(tick, of: id) }
    }
  }

  mutating func publishTick(_ tick: Int64, of id: String) {
    alarms.noteTick(tick, of: id)
    guard let record = records[id] else { return }
    publish(.activity(id: id, record.activity(at: present, remaining: tick, configuration.context)))
    publish(.remaining(id: id, tick))
  }
}
