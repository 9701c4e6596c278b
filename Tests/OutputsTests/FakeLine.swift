import Glibc
import LinuxSupport
import Synchronization

@testable import Outputs

/// A line that remembers what was asked of it.
final class FakeLine: OutputLine, Sendable {
  struct State {
    var isRequested = false
    var requests = 0
    /// Every value set, with its time in milliseconds.
    var changes: [(time: Int64, active: Bool)] = []
    var isMissing = false
    var failsToSet = false
  }

  let state = Mutex(State())

  var isActive: Bool { state.withLock { $0.changes.last?.active ?? false } }
  var wasActive: Bool { state.withLock { $0.changes.contains { $0.active } } }
  var isRequested: Bool { state.withLock { $0.isRequested } }

  @Sendable func open(_ configuration: OutputsConfiguration.Buzzer) throws(OutputError) -> any OutputLine {
    let isMissing = state.withLock { state in
      state.requests += 1
      state.isRequested = !state.isMissing
      return state.isMissing
    }
    if isMissing { throw OutputError(code: .chipUnavailable, operation: "gpiod_chip_open", errno: ENOENT, message: "Plug it in.") }
    return self
  }

  func set(active: Bool) throws(OutputError) {
    let fails = state.withLock { state in
      if !state.failsToSet { state.changes.append((SystemClock.elapsedMilliseconds(), active)) }
      return state.failsToSet
    }
    if fails { throw OutputError(code: .lineLost, operation: "gpiod_line_set_value", errno: ENODEV, message: "Plug it in.") }
  }

  func release() {
    state.withLock { state in
      state.isRequested = false
      state.changes.append((SystemClock.elapsedMilliseconds(), false))
    }
  }
}
