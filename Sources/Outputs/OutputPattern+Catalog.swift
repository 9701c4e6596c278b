extension OutputPattern {
  /// On for good.
  package static let steady = OutputPattern([Step(.on, 1_000)])

  /// As long on as off, in turn.
  package static func blinking(every half: Int64) -> OutputPattern { OutputPattern([Step(.on, half), Step(.off, half)]) }

  /// Two beeps and a pause. With ticks of 100 ms: 0.2 s on, 0.2 s off, 0.2 s on, 0.6 s off.
  package static func beep(tick: Int64 = 100) -> OutputPattern { OutputPattern(digits: "110011000000", tick: tick) }

  /// Four hurried beeps and hardly a pause. With ticks of 100 ms: four times 0.1 s on and off, then 0.2 s off.
  package static func urgent(tick: Int64 = 100) -> OutputPattern { OutputPattern(digits: "1010101000", tick: tick) }

  /// A text of 1 (on) and 0 (off), each for a tick.
  package init(digits: String, tick: Int64 = 100) {
    self.init(digits.map { Step($0 == "1" ? .on : .off, tick) })
  }

  /// Notes one after the other: each has hertz, or `nil` for a pause, and milliseconds.
  ///
  /// Two notes of one pitch in a row are parted by 10 ms, or one would hear a single note; the beat stays.
  package init(notes: [(frequency: Double?, length: Double)]) {
    var steps: [Step] = []
    // The sum is rounded, not each length, so that the beat does not drift.
    var (time, end) = (0.0, Int64(0))
    for (index, note) in notes.enumerated() {
      time += note.length
      let length = Int64(time.rounded()) - end
      end += length
      let isRepeated = note.frequency != nil && notes[(index + 1) % notes.count].frequency == note.frequency
      let gap = isRepeated ? min(Self.gap, length / 2) : 0
      steps.append(Step(note.frequency.map(OutputLevel.tone) ?? .off, length - gap))
      steps.append(Step(.off, gap))
    }
    self.init(steps)
  }

  private static let gap: Int64 = 10
}
