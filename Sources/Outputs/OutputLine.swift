/// A GPIO line held as an output, inactive from the start.
protocol OutputLine: AnyObject {
  func set(active: Bool) throws(OutputError)
  /// Gives the line back. Call it once.
  func release()
}

/// Requests the buzzer's line.
typealias OutputLineOpener = @Sendable (OutputsConfiguration.Buzzer) throws(OutputError) -> any OutputLine
