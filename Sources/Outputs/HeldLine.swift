/// A line that is held from the start on, and requested again whenever it fails.
///
/// Confined to its loop's thread.
final class HeldLine {
  private let output: OutputKind
  private let configuration: OutputsConfiguration.Line
  private let around: Surroundings
  private var line: (any OutputLine)?
  private var level = OutputLevel.off
  /// Why the line is not held; `nil` if it is, or was never requested.
  private(set) var error: OutputError?
  /// The last failure that was reported and has not been taken back.
  private var reported: OutputError.Code?
  /// Until when missing access is waited for.
  private var graceEnd: Int64?
  /// When the line is requested (again); `nil` before the start.
  private var requestAt: Int64?

  struct Surroundings: Sendable {
    var openLine: OutputLineOpener
    var timing: OutputTiming
    var report: @Sendable (OutputReport) -> Void
  }

  init(output: OutputKind, configuration: OutputsConfiguration.Line, surroundings: Surroundings) {
    self.output = output
    self.configuration = configuration
    around = surroundings
  }

  var isHeld: Bool { line != nil }

  /// Whether it will be known within a second if the line can be had.
  var isUndecided: Bool { line == nil && graceEnd != nil }

  /// When `update` has to be called for the line's own sake.
  var nextRequest: Int64? { line == nil ? requestAt : nil }

  /// Lets the next `update` at that time or later request the line, if it is not held.
  func request(at time: Int64) { requestAt = time }

  /// Requests the line if that is due, and sets it if it differs. What fails is reported and tried again, soon if it is urgent.
  func update(_ wanted: OutputLevel, isUrgent: Bool, now: Int64) {
    do throws(OutputError) {
      if line == nil {
        guard let due = requestAt, now >= due else { return }
        line = try around.openLine(configuration)
        level = .off
      }
      if let line, wanted != level {
        try line.set(wanted)
        level = wanted
      }
      error = nil
      graceEnd = nil
      // While it rings, a line that could not be set works again once it could, not in the next pause.
      guard reported != .lineLost || !isUrgent || wanted != .off else { return }
      if reported.take() != nil { around.report(.recovered(output: output)) }
    } catch { fail(error, isUrgent: isUrgent, now: now) }
  }

  /// Gives the line back, off.
  func release() {
    line?.release()
    line = nil
    requestAt = nil
  }

  private func fail(_ error: OutputError, isUrgent: Bool, now: Int64) {
    release()
    self.error = error
    // udev gives access to what has just appeared a moment later: that is no failure yet.
    if error.code == .accessDenied, reported != .accessDenied {
      let end = graceEnd ?? now + around.timing.accessGrace
      graceEnd = end
      if now < end {
        requestAt = now + around.timing.accessRetry
        return
      }
    }
    graceEnd = nil
    requestAt = now + (isUrgent ? around.timing.urgentRetry : around.timing.retry)
    // By code: which call failed is chance.
    guard reported != error.code else { return }
    reported = error.code
    around.report(.failed(output: output, error: error))
  }
}
