/// What drives an output's pin: off from the moment it is opened.
protocol OutputLine: AnyObject {
  func set(_ level: OutputLevel) throws(OutputError)
  /// Gives the line back, off. Call it once.
  func release()
}

/// Requests a line.
typealias OutputLineOpener = @Sendable (OutputsConfiguration.Line) throws(OutputError) -> any OutputLine
