/// What an output does over time: steps that begin anew after the last one.
///
/// All times are milliseconds after the pattern's start.
package struct OutputPattern: Sendable, Hashable {
  package struct Step: Sendable, Hashable {
    package var level: OutputLevel
    /// Milliseconds; a step of none is left out.
    package var length: Int64

    package init(_ level: OutputLevel, _ length: Int64) {
      self.level = level
      self.length = length
    }
  }

  /// One after the other they differ, so that every end but perhaps the last one is a change.
  private let steps: [Step]
  /// When each step ends.
  private let ends: [Int64]

  /// Without any step the output is off.
  package init(_ steps: [Step]) {
    var merged: [Step] = []
    var ends: [Int64] = []
    var end: Int64 = 0
    for step in steps where step.length > 0 {
      end += step.length
      if merged.last?.level == step.level {
        merged[merged.count - 1].length += step.length
        ends[ends.count - 1] = end
      } else {
        merged.append(step)
        ends.append(end)
      }
    }
    self.steps = merged
    self.ends = ends
  }

  /// The level so many milliseconds after the start.
  package func level(at time: Int64) -> OutputLevel {
    guard let period = ends.last else { return .off }
    let phase = max(0, time) % period
    return steps[ends.firstIndex { $0 > phase } ?? 0].level
  }

  /// Whether the output is on at that time.
  package func isActive(at time: Int64) -> Bool { level(at: time) != .off }

  /// When the level next may change; `nil` if it never does.
  package func nextEdge(after time: Int64) -> Int64? {
    guard let period = ends.last, steps.count > 1 else { return nil }
    let time = max(0, time)
    let phase = time % period
    return time - phase + (ends.first { $0 > phase } ?? period)
  }
}
