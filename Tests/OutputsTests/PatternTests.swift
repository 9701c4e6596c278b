import Testing

@testable import Outputs

@Suite("Patterns")
struct PatternTests {
  /// The times of the first changes, and what is on after each of them.
  private func changes(_ pattern: OutputPattern, count: Int) -> [Int64] {
    var times: [Int64] = []
    var (time, isActive) = (Int64(0), pattern.isActive(at: 0))
    while times.count < count, let edge = pattern.nextEdge(after: time) {
      #expect(edge > time)
      #expect(pattern.isActive(at: edge - 1) == isActive)
      time = edge
      if pattern.isActive(at: edge) != isActive {
        isActive.toggle()
        times.append(edge)
      }
    }
    return times
  }

  @Test("A beep is two beeps and a pause")
  func beep() {
    #expect(OutputPattern.beep().isActive(at: 0))
    #expect(changes(.beep(), count: 8) == [200, 400, 600, 1_200, 1_400, 1_600, 1_800, 2_400])
    #expect(changes(.beep(tick: 50), count: 4) == [100, 200, 300, 600])
  }

  @Test("Urgent is faster")
  func urgent() {
    #expect(changes(.urgent(), count: 10) == [100, 200, 300, 400, 500, 600, 700, 1_000, 1_100, 1_200])
  }

  @Test(
    "A text of digits is on for each 1 and off for each 0, over and over",
    arguments: [
      ("1101", 100, [200, 300, 600, 700, 1_000]), ("10", 20, [20, 40, 60, 80, 100]), ("01", 2_000, [2_000, 4_000, 6_000, 8_000, 10_000]),
      ("1", 100, []), (String(repeating: "1", count: 64), 20, []), (String(repeating: "0", count: 63) + "1", 20, [1_260, 1_280, 2_540]),
    ] as [(String, Int64, [Int64])])
  func digits(_ text: String, tick: Int64, expected: [Int64]) {
    let pattern = OutputPattern(digits: text, tick: tick)
    #expect(changes(pattern, count: expected.count) == expected)
    let digits = Array(text)
    for index in 0..<200 { #expect(pattern.isActive(at: Int64(index) * tick + tick / 2) == (digits[index % digits.count] == "1")) }
    if !text.contains("0") { #expect(pattern.nextEdge(after: 0) == nil) }
  }

  @Test("Steady and blinking lights")
  func lights() {
    #expect(OutputPattern.steady.isActive(at: 0) && OutputPattern.steady.isActive(at: .max))
    #expect(OutputPattern.steady.nextEdge(after: 77) == nil)
    #expect(changes(.blinking(every: 500), count: 4) == [500, 1_000, 1_500, 2_000])
  }

  @Test("A pattern of nothing is off, and so is a time before the start no danger")
  func nothing() {
    for pattern in [OutputPattern([]), OutputPattern(digits: ""), OutputPattern(digits: "1", tick: 0), OutputPattern(notes: [])] {
      #expect(!pattern.isActive(at: 5))
      #expect(pattern.nextEdge(after: 5) == nil)
    }
    #expect(OutputPattern.beep().isActive(at: -5))
    #expect(OutputPattern.beep().nextEdge(after: -5) == 200)
  }

  @Test("A melody's beat does not drift, and notes of one pitch are parted")
  func melody() {
    // A third of 100 ms: rounded one by one, ninety of them would lose 30 ms.
    let notes = (0..<90).map { (frequency: $0.isMultiple(of: 2) ? 440.0 : nil, length: 100.0 / 3) }
    let pattern = OutputPattern(notes: notes)
    #expect(changes(pattern, count: 90).last == 3_000)
    #expect(changes(pattern, count: 3) == [33, 67, 100])

    let repeated = OutputPattern(notes: [(440, 100), (440, 100), (880, 100), (nil, 100)])
    #expect(repeated.level(at: 89) == .tone(440))
    #expect(repeated.level(at: 90) == .off)
    #expect(repeated.level(at: 100) == .tone(440))
    #expect(repeated.level(at: 199) == .tone(440))
    #expect(repeated.level(at: 200) == .tone(880))
    #expect(repeated.level(at: 300) == .off)
    #expect(repeated.level(at: 400) == .tone(440))
    // The last note and the first meet as well.
    #expect(OutputPattern(notes: [(440, 100), (880, 100), (440, 100)]).level(at: 295) == .off)
  }
}
