import JSON

/// What is shown of an alarm.
struct AlarmView: Equatable {
  var id: String
  var title: String
  var state: String
  /// `postAlert`: it is snoozed.
  var phase: String?
  /// Published instants.
  var nextAlert: String?
  /// Seconds.
  var remaining: Int64?
  var total: Double?
  var snoozes: Int64

  /// From an alarm document.
  init?(document: JSONObject) {
    guard let id = document["id"]?.string, let state = document["state"]?.string else { return nil }
    self.id = Text.printable(id)
    self.state = Text.printable(state)
    title = Text.printable(document["title"]?.string ?? "")
    nextAlert = document["nextAlert"]?.string
    remaining = document["remaining"]?.integer
    total = Self.number(document["total"])
    snoozes = document["snoozes"]?.integer ?? 0
    if state == "countdown", snoozes > 0 { phase = "postAlert" }
  }

  /// Takes over what a tick says.
  mutating func apply(activity: JSONObject) {
    if let state = activity["state"]?.string { self.state = Text.printable(state) }
    phase = activity["phase"]?.string
    remaining = activity["remaining"]?.integer
    total = Self.number(activity["total"])
  }

  private static func number(_ value: JSONValue?) -> Double? {
    switch value {
    case .integer(let number): Double(number)
    case .number(let number): number
    default: nil
    }
  }

  /// The state in a reader's word.
  var stateWord: String { state == "countdown" && phase == "postAlert" ? "snoozed" : state }

  /// The part of the countdown that has passed, 0 to 1; `nil`: there is none.
  var progress: Double? {
    guard let remaining, let total, total > 0, state == "countdown" || state == "paused" else { return nil }
    return min(max(1 - Double(remaining) / total, 0), 1)
  }

  /// The most urgent first.
  static func isBefore(_ left: AlarmView, _ right: AlarmView) -> Bool {
    func rank(_ view: AlarmView) -> Int { ["alerting", "countdown", "paused", "scheduled"].firstIndex(of: view.state) ?? 4 }
    // Instants of one zone and year sort as text; others are only a matter of looks.
    return (rank(left), left.remaining ?? .max, left.nextAlert ?? "~", left.id)
      < (rank(right), right.remaining ?? .max, right.nextAlert ?? "~", right.id)
  }
}
