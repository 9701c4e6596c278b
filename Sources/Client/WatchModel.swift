import JSON

/// All alarms of a node, as messages tell of them.
struct WatchModel {
  private(set) var alarms: [String: AlarmView] = [:]
  /// Whether the node says that it is there; `nil`: not known yet.
  var isOnline: Bool?

  /// Alarms, the most urgent first.
  var sorted: [AlarmView] { alarms.values.sorted(by: AlarmView.isBefore) }

  /// Takes an alarm's retained document; `nil`: it is gone.
  mutating func take(document: JSONObject?, id: String) {
    guard let document else {
      alarms[id] = nil
      return
    }
    guard var view = AlarmView(document: document) else { return }
    // A retained document's `remaining` is as of publishing: a tick knows better while it is the same countdown.
    if let old = alarms[id], old.state == view.state, old.total == view.total, let remaining = view.remaining, let ticked = old.remaining {
      view.remaining = min(remaining, ticked)
      view.phase = old.phase
    }
    alarms[id] = view
  }

  mutating func take(activity: JSONObject) {
    guard let id = activity["id"]?.string else { return }
    if alarms[id] == nil { alarms[id] = AlarmView(document: activity) }
    alarms[id]?.apply(activity: activity)
  }
}
