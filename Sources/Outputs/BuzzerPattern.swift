/// Two beeps and a pause: 0.2 s on, 0.2 s off, 0.2 s on, 0.6 s off.
enum BuzzerPattern {
  private static let period: Int64 = 1_200
  private static let edges: [Int64] = [200, 400, 600, 1_200]

  /// Whether the buzzer sounds so many milliseconds after the pattern's start.
  static func isActive(at time: Int64) -> Bool {
    let time = time % period
    return time < 200 || (400..<600).contains(time)
  }

  /// The next change after a time, on the same scale.
  static func nextEdge(after time: Int64) -> Int64 {
    let phase = time % period
    return time - phase + (edges.first { $0 > phase } ?? period)
  }
}
