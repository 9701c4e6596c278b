import AlarmModel
import CivilTime
import JSON

extension Engine {
  /// A step of the wall clock smaller than this is drift and its correction.
  private static let smallestStep: Int64 = 1000
  /// A step back by more than this means that the clock had been wrong.
  private static let correction: Int64 = 3 * 3_600_000
  /// A step forward by more than this waits for confirmation, for so long.
  private static let largestStep: Int64 = 86_400_000
  private static let confirmationDelay: Int64 = 600_000
  /// How often it is looked for meanwhile.
  static let confirmationInterval: Int64 = 1000
  /// How often the time is written down (milliseconds).
  static let timeStoringInterval: Int64 = 600_000

  /// How far the clock is to be believed, and the present that follows from it.
  static func judge(_ shown: Present, storedTime: StoredTime?, boot: String?) -> (ClockTrust, Present) {
    if shown.isSynchronized { return (.synced, shown) }
    guard let storedTime else { return (.plausible, shown) }
    let lowerBound = storedTime.lowerBound(elapsed: shown.elapsed, boot: boot)
    // Within one boot somebody may have set the clock back on purpose, so it is believed again once it has passed the stored time.
    guard shown.wall < (storedTime.isOf(boot) ? storedTime.wall : lowerBound) else { return (.plausible, shown) }
    var present = shown
    present.wall = lowerBound
    return (.untrusted, present)
  }

  /// Takes a new present, and sees whether the wall clock was set, or is trusted otherwise, since the last one.
  mutating func noticeClock(_ shown: Present) {
    let previousTrust = trust
    (trust, present) = Self.judge(shown, storedTime: storedTime, boot: configuration.boot)
    let offset = present.wall.milliseconds - present.elapsed
    let step = offset - clockOffset
    clockOffset = offset
    if trust == .synced { heldUntil = nil }
    if abs(step) >= Self.smallestStep {
      if step > Self.largestStep, trust != .synced { heldUntil = present.elapsed + Self.confirmationDelay }
      note(.clockChanged, nil, ["step": .number(Double(step) / 1000), "trust": .string(trust.rawValue)])
      for id in orderedIDs { follow(step, id) }
    }
    if let heldUntil, heldUntil <= present.elapsed { self.heldUntil = nil }
    if trust != previousTrust { publish(.health) }
    if trust == .synced { rebase() }
    if trust != .untrusted { settleProvisional() }
  }

  /// The wall clock was set by `step`.
  private mutating func follow(_ step: Int64, _ id: String) {
    if step < -Self.correction { forgetFuture(id) }
    guard case .countdown(var countdown) = records[id]?.live?.stage else { return }
    switch countdown.deadline {
    case .elapsed:
      // Setting the clock does not move the countdown, so its end has another name on the wall.
      countdown.startDate = countdown.startDate + step
      countdown.fireDate = countdown.fireDate + step
      update(id) { $0.live?.stage = .countdown(countdown) }
    case .wall where present.wall < countdown.startDate: unbegin(id)
    case .wall:
      countdown.lastTick = nil
      countdown.enterLate(at: present)
      update(id) { $0.live?.stage = .countdown(countdown) }
    }
  }

  /// A pre-alert has not begun yet by the clock that counts now.
  private mutating func unbegin(_ id: String) {
    update(id) { record in
      record.mark = record.live?.previousMark
      record.live = nil
    }
  }

  /// The clock had been wrong: what was decided for a time that is yet to come is undecided again.
  private mutating func forgetFuture(_ id: String) {
    guard let record = records[id], record.live == nil else { return }
    var judgedFrom = min(record.judgedFrom, present.wall)
    var mark = record.mark
    if let date = mark, let rule = record.rule(configuration.context), rule.zone.resolve(date, rule.time).instant > present.wall {
      mark = nil
      // The dropped mark must not bring back what was due before now.
      judgedFrom = present.wall
    }
    guard judgedFrom != record.judgedFrom || mark != record.mark else { return }
    update(id, activity: false) { record in
      record.judgedFrom = judgedFrom
      record.mark = mark
    }
  }

  /// The true time is known: countdowns from before a reboot end when they were to end.
  private mutating func rebase() {
    for id in countingDown {
      guard case .countdown(var countdown) = records[id]?.live?.stage, let anchor = countdown.anchor else { continue }
      countdown.anchor = nil
      countdown.fireDate = anchor
      countdown.deadline = .elapsed(present.elapsed + (anchor - present.wall))
      countdown.lastTick = nil
      countdown.enterLate(at: present)
      update(id) { $0.live?.stage = .countdown(countdown) }
    }
  }

  /// The clock is trusted: alarms that were set while it was not are computed again, as of the true time of their request where it is known.
  private mutating func settleProvisional() {
    for id in alarms.ids(where: \.isProvisional) {
      guard let record = records[id], let provisional = record.provisional else { continue }
      let isSameBoot = provisional.boot != nil && provisional.boot == configuration.boot
      let requested = present.wall - (isSameBoot ? present.elapsed - provisional.elapsed : 0)
      let first = record.rule(configuration.context)?.first(after: nil, dueAfter: requested)?.date
      update(id, activity: false) { record in
        record.provisional = nil
        // After a reboot the time of the request is unknown; one that has had an occurrence since goes on from there.
        guard record.live == nil, isSameBoot || record.mark == nil else { return }
        record.judgedFrom = requested
        if record.onceDate != nil { record.onceDate = first ?? record.onceDate }
      }
    }
  }

  /// Whether the wall clock is believed enough to be written down.
  var isTimeWorthStoring: Bool { trust != .untrusted && heldUntil == nil }

  /// Writes the time down, every now and then, and at once where the stored one proves wrong.
  mutating func storeTime() {
    guard isTimeWorthStoring else { return }
    let isWrong = storedTime.map { $0.wall > present.wall } ?? true
    let isDue = timeStoredAt.map { present.elapsed - $0 >= Self.timeStoringInterval } ?? true
    guard isWrong || isDue else { return }
    let time = StoredTime(wall: present.wall, elapsed: present.elapsed, boot: configuration.boot)
    storedTime = time
    timeStoredAt = present.elapsed
    journal.values["time"] = time.value
  }

  /// The rules of a zone are new: what follows the wall clock is computed again.
  mutating func zonesChanged(_ localZone: ZoneRules) {
    configuration.context.localZone = localZone
    alarms.context = configuration.context
    for id in orderedIDs {
      guard let record = records[id] else { continue }
      changes.touch(id, activity: false)
      guard case .countdown(let countdown) = record.live?.stage, countdown.deadline.isOnWall, let rule = record.rule(configuration.context),
        let date = record.live?.occurrence.date, record.adjusted == nil
      else { continue }
      let due = rule.zone.resolve(date, rule.time).instant
      if due != countdown.fireDate, due > present.wall { unbegin(id) }
    }
    publish(.info)
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
          // The two clocks are read one after the other: less than a step is no difference, and fireDate was published.
          let fireDate = present.wall + (deadline - present.elapsed)
          if abs(fireDate - countdown.fireDate) >= Self.smallestStep { countdown.fireDate = fireDate }
        }
        update(id) { $0.live?.stage = .countdown(countdown) }
      case .paused, nil: break
      }
    }
  }
}
