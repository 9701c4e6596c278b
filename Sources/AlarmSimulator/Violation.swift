/// A promise that was broken in a simulation.
public struct Violation: Error, Sendable, CustomStringConvertible {
  public let seed: UInt64
  /// What was promised.
  public let promise: String
  public let details: String
  /// The latest inputs and effects, oldest first.
  public let trace: [String]

  public var description: String {
    "violated: \(promise)\n  \(details)\n  replay: Tests/simulate --seed \(seed) --trace\n" + trace.map { "    \($0)\n" }.joined()
  }
}
