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
    /// Seconds that every call takes.
    var delay: UInt32 = 0
  }

  let state = Mutex(State())

  var isActive: Bool { state.withLock { $0.changes.last?.active ?? false } }
  var wasActive: Bool { state.withLock { $0.changes.contains { $0.active } } }
  var isRequested: Bool { state.withLock { $0.isRequested } }
  /// The milliseconds between the changes so far.
  var intervals: [Int64] {
    let times = state.withLock { $0.changes.map(\.time) }
    return zip(times, times.dropFirst()).map { $1 - $0 }
  }

  @Sendable func open(_ configuration: OutputsConfiguration.Line) throws(OutputError) -> any OutputLine {
    hang()
    let isMissing = state.withLock { state in
      state.requests += 1
      state.isRequested = !state.isMissing
      return state.isMissing
    }
    if isMissing { throw OutputError(code: .chipUnavailable, operation: "gpiod_chip_open", errno: ENOENT, message: "Plug it in.") }
    return self
  }

  func set(_ level: OutputLevel) throws(OutputError) {
    hang()
    let fails = state.withLock { state in
      if !state.failsToSet { state.changes.append((SystemClock.elapsedMilliseconds(), level != .off)) }
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

  private func hang() {
    let delay = state.withLock { $0.delay }
    if delay > 0 { sleep(delay) }
  }
}

/// Fake lines by offset.
struct FakeLines: Sendable {
  let buzzer = FakeLine()
  let light = FakeLine()

  @Sendable func open(_ line: OutputsConfiguration.Line) throws(OutputError) -> any OutputLine {
    guard case .gpio(let place) = line, place.offset == 23 else { return try buzzer.open(line) }
    return try light.open(line)
  }
}

extension OutputsConfiguration.Buzzer {
  init(chip: String, line: UInt32, activeLow: Bool = false, after: Double? = nil) {
    self.init(line: .gpio(.init(chip: chip, offset: line, activeLow: activeLow)), after: after)
  }
}
