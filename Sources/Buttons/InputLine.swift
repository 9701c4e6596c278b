import LinuxSupport

/// A change of a line's level.
struct Edge: Sendable, Hashable {
  /// Whether the button went down.
  var isDown: Bool
  /// Milliseconds of the elapsed clock.
  var time: Int64
}

/// A GPIO line held as an input.
protocol InputLine: AnyObject {
  /// Readable while edges wait, or in an error.
  var descriptor: Int32 { get }
  /// Takes edges that wait, oldest first; does not block. More may wait after that.
  func takeEdges() throws(SystemCallError) -> [Edge]
  /// Whether the button is down now.
  func isDown() throws(SystemCallError) -> Bool
  /// Gives the line back. Call it once.
  func release()
}

/// Requests a button's line.
typealias InputLineOpener = @Sendable (ButtonConfiguration) throws(ButtonError) -> any InputLine
