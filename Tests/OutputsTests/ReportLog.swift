import Synchronization

@testable import Outputs

/// The reports of one controller, to look at and to wait for.
final class ReportLog: Sendable {
  private struct State {
    var reports: [OutputReport] = []
    var waiters: [Waiter] = []
  }

  private struct Waiter {
    var identity: Int
    var predicate: @Sendable (OutputReport) -> Bool
    var continuation: CheckedContinuation<OutputReport?, Never>
  }

  private let state = Mutex(State())
  private let identities = Atomic<Int>(0)

  var all: [OutputReport] { state.withLock { $0.reports } }

  func add(_ report: OutputReport) {
    let woken = state.withLock { state in
      state.reports.append(report)
      let woken = state.waiters.filter { $0.predicate(report) }
      state.waiters.removeAll { waiter in woken.contains { $0.identity == waiter.identity } }
      return woken
    }
    for waiter in woken { waiter.continuation.resume(returning: report) }
  }

  /// The first report that fits, past or to come; `nil` after so many seconds without one.
  func first(within seconds: Double = 60, where predicate: @escaping @Sendable (OutputReport) -> Bool) async -> OutputReport? {
    let identity = identities.add(1, ordering: .relaxed).newValue
    let timeout = Task {
      try await Task.sleep(for: .seconds(seconds))
      let late = state.withLock { state in
        let late = state.waiters.first { $0.identity == identity }
        state.waiters.removeAll { $0.identity == identity }
        return late
      }
      late?.continuation.resume(returning: nil)
    }
    defer { timeout.cancel() }
    return await withCheckedContinuation { continuation in
      let past = state.withLock { state in
        let past = state.reports.first(where: predicate)
        if past == nil { state.waiters.append(Waiter(identity: identity, predicate: predicate, continuation: continuation)) }
        return past
      }
      if let past { continuation.resume(returning: past) }
    }
  }

  /// What the ring's `sounding` report says.
  func sounding(_ ring: UInt64) async -> (results: [OutputResult], fallbacks: [String])? {
    let report = await first {
      if case .sounding(ring, _, _) = $0 { true } else { false }
    }
    guard case .sounding(_, let results, let fallbacks) = report else { return nil }
    return (results, fallbacks)
  }

  func failure(_ output: OutputKind, _ code: OutputError.Code) async -> OutputError? {
    let report = await first {
      if case .failed(output, let error) = $0 { error.code == code } else { false }
    }
    guard case .failed(_, let error) = report else { return nil }
    return error
  }
}
