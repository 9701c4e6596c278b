import AlarmEngine
import AlarmModel
import CivilTime
import JSON

/// Keeps book of every occurrence that the durable events tell of, and finds one that rings twice or that no event accounts for.
struct OccurrenceLedger {
  private struct Account {
    var alarm: Alarm?
    /// Occurrences that have ended, by name.
    var ended: Set<String> = []
    /// The latest date that is accounted for; `nil`: the next one is taken as it comes.
    var through: LocalDate?
    var skipped: Set<LocalDate> = []
    /// How often the occurrence under way has alerted, and how often there was a reason to alert again: a snooze, a restart.
    var alerts = 0
    var reasons = 0
  }

  private var accounts: [String: Account] = [:]
  private var taken: Set<Int64> = []
  /// With the first event from this number on the accounts begin anew.
  private var freshFrom: Int64?

  /// Takes an event that is durable or acknowledged, once; answers what is wrong with it.
  mutating func take(_ event: Event, definition: (String) -> Alarm?) -> String? {
    guard taken.insert(event.sequence).inserted else { return nil }
    if let freshFrom, event.sequence >= freshFrom {
      self.freshFrom = nil
      startAfresh()
    }
    if event.kind == .clockChanged {
      // Time went back far, or nobody knows what time it is: dates may come again.
      let step = event.document["step"].flatMap(\.double) ?? 0
      if step < -3 * 3600 || event.document["trust"] != "synced" { startAfresh() }
      return nil
    }
    guard let id = event.document["id"]?.string else { return nil }
    let occurrence = event.document["occurrence"]?.string
    switch event.kind {
    case .scheduled, .updated, .enabled:
      if event.kind == .updated, accounts[id]?.alarm == definition(id) {
        // An unskip.
        if let date = occurrence.flatMap(LocalDate.init) { accounts[id]?.skipped.remove(date) }
      } else {
        accounts[id] = Account(alarm: definition(id))
      }
    case .cancelled: accounts[id] = nil
    case .skipped: if let date = occurrence.flatMap(LocalDate.init) { accounts[id]?.skipped.insert(date) }
    case .alerting:
      if let occurrence, accounts[id]?.ended.contains(occurrence) == true { return "\(id) rings for \(occurrence), which had ended" }
      accounts[id]?.alerts += 1
    case .snoozed: accounts[id]?.reasons += 1
    case .stopped, .missed:
      guard let occurrence else { return "\(event.document) names no occurrence" }
      let count = event.kind == .missed ? Int(event.document["count"]?.integer ?? 1) : 1
      return end(occurrence, of: id, count: count)
    default: break
    }
    return nil
  }

  /// The node starts anew: what was ringing rings again.
  mutating func restart() { for id in accounts.keys { accounts[id]?.reasons += 1 } }

  /// Nobody knew what time it was before the event of this number: what became durable late still belongs to the time before.
  mutating func startAfresh(from sequence: Int64) { freshFrom = freshFrom ?? sequence }

  /// The next occurrence of each alarm is taken as it comes.
  private mutating func startAfresh() { accounts = accounts.mapValues { Account(alarm: $0.alarm, skipped: $0.skipped) } }

  private mutating func end(_ occurrence: String, of id: String, count: Int) -> String? {
    guard var account = accounts[id] else { return nil }
    defer { accounts[id] = account }
    let isExcessive = account.alerts > account.reasons + 1
    (account.alerts, account.reasons) = (0, 0)
    if isExcessive { return "\(id) has alerted for \(occurrence) more often than it was snoozed" }
    if !account.ended.insert(occurrence).inserted { return "\(id) ends \(occurrence) twice" }
    guard let date = LocalDate(occurrence), let alarm = account.alarm, alarm.isRepeating else { return nil }
    defer { account.through = max(account.through ?? date, date) }
    guard let through = account.through, through < date, count < 900 else { return nil }
    let between = Self.occurrences(of: alarm, after: through, before: date).filter { !account.skipped.contains($0) }
    guard between.count <= count - 1 else { return "\(id): nothing accounts for \(between.dropLast(count - 1)) before \(occurrence)" }
    return nil
  }

  /// The dates of a pattern, computed without the engine's rule.
  private static func occurrences(of alarm: Alarm, after first: LocalDate, before last: LocalDate) -> [LocalDate] {
    guard case .relative(_, let weekdays, _) = alarm.schedule else { return [] }
    return (first.dayNumber + 1..<max(last.dayNumber, first.dayNumber + 1)).map(LocalDate.init(dayNumber:)).filter { date in
      weekdays.contains(date.weekday) && !alarm.exceptDates.contains { $0.contains(date) }
    }
  }
}

extension JSONValue {
  var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }
}
