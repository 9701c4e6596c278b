@testable import Buttons

/// One button's contact over time, and what is told of it.
struct Timeline {
  struct Told: Hashable, CustomStringConvertible {
    var signal: ButtonState.Signal
    var time: Int64

    var description: String { "\(signal) \(time)" }
  }

  /// Whether the loop wakes at each deadline, or only at edges, as on a machine that stalls.
  var isPunctual = true
  private(set) var state: ButtonState
  private(set) var told: [Told] = []

  init(isDown: Bool = false, debounce: Int64 = 30, timing: ButtonTiming = ButtonTiming(shortest: 0)) {
    state = ButtonState(isDown: isDown, at: 0, debounce: debounce, timing: timing)
  }

  mutating func edge(_ isDown: Bool, at time: Int64) {
    if isPunctual { wait(until: time) }
    note(state.edge(isDown: isDown, at: time), time)
  }

  /// Brings time on as the loop does: from deadline to deadline.
  mutating func wait(until time: Int64) {
    while let deadline = state.nextDeadline, deadline < time {
      note(state.advance(to: deadline), deadline)
      // A deadline that brings nothing would let the loop spin.
      guard state.nextDeadline.map({ $0 > deadline }) ?? true else { return }
    }
  }

  mutating func look(_ isDown: Bool, at time: Int64) {
    if isPunctual { wait(until: time) }
    note(state.level(isDown: isDown, at: time), time)
  }

  mutating func advance(to time: Int64) { note(state.advance(to: time), time) }

  private mutating func note(_ signals: [ButtonState.Signal], _ time: Int64) { told += signals.map { Told(signal: $0, time: time) } }

  /// Runs a text such as `d0 u100`: down at 0 ms, up at 100 ms; `D` and `U` are the level as it is read. `.` is a time
  /// alone.
  static func run(_ text: String, isDown: Bool = false, debounce: Int64 = 30) -> String {
    var timeline = Timeline(isDown: isDown, debounce: debounce)
    for word in text.split(separator: " ") {
      let time = Int64(word.dropFirst()) ?? 0
      switch word.first {
      case "d": timeline.edge(true, at: time)
      case "u": timeline.edge(false, at: time)
      case "D": timeline.look(true, at: time)
      case "U": timeline.look(false, at: time)
      default:
        timeline.wait(until: time)
        timeline.advance(to: time)
      }
    }
    return timeline.told.map(\.description).joined(separator: ", ")
  }
}
