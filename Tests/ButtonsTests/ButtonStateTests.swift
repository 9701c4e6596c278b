import Testing

@testable import Buttons

@Suite("One button's contact")
struct ButtonStateTests {
  @Test(
    "Edges become presses and holds",
    arguments: [
      // Nothing
      ("", ""),
      (".100000", ""),
      ("u5 u10 .100", ""),
      // Presses
      ("d0 .10", "down 0"),
      ("d0 u100 .129", "down 0"),
      ("d0 u100 .130", "down 0, press 130, up 130"),
      ("d0 u0 .1000", "down 0, press 30, up 30"),
      ("d0 u999 .2000", "down 0, press 1029, up 1029"),
      ("d0 u100 d130 u200 .500", "down 0, press 130, up 130, down 130, press 230, up 230"),
      ("d0 u100 d129 u200 .500", "down 0, press 230, up 230"),
      // Bounces at both ends
      ("d0 u1 d2 u3 d4 u100 d101 u102 d103 u104 .500", "down 0, press 134, up 134"),
      ("d0 d0 d1 u50 u51 u52 .500", "down 0, press 82, up 82"),
      // Holds
      ("d0 .999", "down 0"),
      ("d0 .1000", "down 0, hold 1000"),
      ("d0 u1000 .2000", "down 0, hold 1000, up 1030"),
      ("d0 u5000 .6000", "down 0, hold 1000, up 5030"),
      ("d7 .1007", "down 7, hold 1007"),
      ("d0 u500 d529 .1000", "down 0, hold 1000"),
      ("d0 u2000 d2029 u3000 .4000", "down 0, hold 1000, up 3030"),
      // Bounces across the second: a release that lasts was before it, one that does not is none
      ("d0 u990 .1019", "down 0"),
      ("d0 u990 .1020", "down 0, press 1020, up 1020"),
      ("d0 u990 d1005 .1006", "down 0, hold 1005"),
      ("d0 u998 d1002 u1003 .2000", "down 0, hold 1002, up 1033"),
      // Stuck, and still a hold and a release
      ("d0 .29999", "down 0, hold 1000"),
      ("d0 .90000", "down 0, hold 1000, stuck 30000"),
      ("d0 u40000 .50000", "down 0, hold 1000, stuck 30000, up 40030, loose 40030"),
      ("d0 u29999 d30010 u30020 .40000", "down 0, hold 1000, stuck 30010, up 30050, loose 30050"),
      ("d0 u29999 .40000", "down 0, hold 1000, up 30029"),
      ("d0 u40000 d50000 .90000", "down 0, hold 1000, stuck 30000, up 40030, loose 40030, down 50000, hold 51000, stuck 80000"),
      // Lost edges: the level as it is read has the last word
      ("D5 .10", "down 5"),
      ("D5 U50 .100", "down 5, press 80, up 80"),
      ("d0 U10 D20 .1000", "down 0, hold 1000"),
      ("d0 D10 D500 D999 U1500 .2000", "down 0, hold 1000, up 1530"),
      ("d0 u10 U20 U39 .40", "down 0, press 40, up 40"),
      ("d0 u10 D15 .2000", "down 0, hold 1000"),
      ("U0 U50", ""),
      // Times that run backwards count as the latest
      ("d100 u50 .130", "down 100, press 130, up 130"),
      (".100 d50 .1099", "down 50"),
    ])
  func edges(_ edges: String, _ told: String) {
    #expect(Timeline.run(edges) == told)
  }

  @Test(
    "A button that is down at start-up tells nothing until it has been released once, and is stuck after 30 s",
    arguments: [
      (".29999", ""),
      (".30000", "stuck 30000"),
      ("u500 .529", ""),
      ("u500 .530 d600 u700 .800", "down 600, press 730, up 730"),
      ("u500 d529 u2000 .3000", ""),
      ("u500 d530 .540", "down 530"),
      ("d10 d1500 .2000", ""),
      ("u40000 .50000 d60000 u60100 .70000", "stuck 30000, loose 40030, down 60000, press 60130, up 60130"),
      ("D5 D1005 U2000 .2100 D2200", "down 2200"),
    ])
  func atStart(_ edges: String, _ told: String) {
    #expect(Timeline.run(edges, isDown: true) == told)
  }

  @Test("The debounce time is the button's own", arguments: [Int64(5), 30, 200])
  func debounce(_ debounce: Int64) {
    let released = 100 + debounce
    #expect(Timeline.run("d0 u100 .\(released - 1)", debounce: debounce) == "down 0")
    #expect(Timeline.run("d0 u100 .\(released)", debounce: debounce) == "down 0, press \(released), up \(released)")
    #expect(
      Timeline.run("d0 u100 d\(released - 1) u500 .999", debounce: debounce) == "down 0, press \(500 + debounce), up \(500 + debounce)")
  }

  @Test("A spike on the line is down and up again, and no press")
  func spike() {
    for (length, isPress) in [(0, false), (4, false), (5, true)] {
      var timeline = Timeline(timing: ButtonTiming())
      timeline.edge(true, at: 100)
      timeline.edge(false, at: Int64(100 + length))
      timeline.wait(until: 1000)
      #expect(timeline.told.map(\.signal) == (isPress ? [.down, .press, .up] : [.down, .up]), "\(length) ms")
    }
  }

  @Test("Twenty edges in 15 ms are one press")
  func bouncingPress() {
    let edges = (0..<20).map { "\($0.isMultiple(of: 2) ? "d" : "u")\($0 * 15 / 19)" }.joined(separator: " ")
    #expect(Timeline.run(edges + " .500") == "down 0, press 45, up 45")
  }

  /// Short, since their judge looks at every millisecond.
  private let timing = ButtonTiming(shortest: 0, stuck: 3_000)

  @Test("However a contact bounces, what is told is what its level over time means", arguments: 0..<100)
  func anyContact(_ seed: Int) {
    var random = Lehmer(seed: seed)
    let debounce = random.one(of: [5, 30, 200])
    let (edges, end) = contact(using: &random)
    let isDownAtStart = Bool.random(using: &random)
    var punctual = Timeline(isDown: isDownAtStart, debounce: debounce, timing: timing)
    var late = punctual
    late.isPunctual = false
    for edge in edges {
      punctual.edge(edge.isDown, at: edge.time)
      late.edge(edge.isDown, at: edge.time)
    }
    punctual.wait(until: end)
    late.advance(to: end - 1)
    #expect(punctual.told == reading(of: edges, until: end, isDownAtStart: isDownAtStart, debounce: debounce))
    #expect(late.told.map(\.signal) == punctual.told.map(\.signal))
    expectWellFormed(punctual.told, debounce: debounce)
  }

  @Test(
    "Edges that are lost, doubled and told late leave what is told well formed, and the last look leaves nothing wrong", arguments: 0..<200)
  func anyLoss(_ seed: Int) {
    var random = Lehmer(seed: seed)
    let (edges, end) = contact(using: &random)
    var timeline = Timeline(timing: timing)
    for edge in edges {
      if Int.random(in: 0..<4, using: &random) > 0 { timeline.edge(edge.isDown, at: edge.time - Int64.random(in: 0..<3, using: &random)) }
      if Int.random(in: 0..<8, using: &random) == 0 { timeline.edge(edge.isDown, at: edge.time) }
      if Int.random(in: 0..<8, using: &random) == 0 { timeline.look(edge.isDown, at: edge.time) }
    }
    timeline.look(false, at: end)
    timeline.wait(until: end + 1_000)
    expectWellFormed(timeline.told, debounce: 30)
    #expect(timeline.state.nextDeadline == nil && !timeline.state.isToldDown)
    timeline.look(true, at: end + 2_000)
    #expect(timeline.told.last == Timeline.Told(signal: .down, time: end + 2_000))
  }

  /// Presses, holds and noise, with bounces; at most one edge each millisecond, down and up by turns.
  private func contact(using random: inout Lehmer) -> (edges: [Edge], end: Int64) {
    var edges: [Edge] = []
    var time: Int64 = 1
    for _ in 0..<Int.random(in: 1...60, using: &random) {
      edges.append(Edge(isDown: edges.count.isMultiple(of: 2), time: time))
      let longest = random.one(of: [3, 3, 3, 40, 250, 1_100, 6_000])
      time += Int64.random(in: 1...longest, using: &random)
    }
    return (edges, time + 5_000)
  }

  /// What should be told, found millisecond by millisecond from the level: slow, simple, and nothing in common with `ButtonState`.
  private func reading(of edges: [Edge], until end: Int64, isDownAtStart: Bool, debounce: Int64) -> [Timeline.Told] {
    var told: [Timeline.Told] = []
    var (level, next) = (isDownAtStart, 0)
    var (isDown, isHeard, isDecided, isStuck) = (isDownAtStart, !isDownAtStart, isDownAtStart, false)
    var (downAt, upAt) = (Int64(0), Int64(0))
    func settle(_ time: Int64) {
      func tell(_ signal: ButtonState.Signal) { told.append(.init(signal: signal, time: time)) }
      if isDown && !level && time - upAt == debounce {
        if !isDecided { tell(.press) }
        if isHeard { tell(.up) }
        if isStuck { tell(.loose) }
        isDown = false
      } else if isDown && level {
        if !isDecided && time - downAt >= timing.hold { tell(.hold) }
        isDecided = isDecided || time - downAt >= timing.hold
        if !isStuck && time - downAt >= timing.stuck { tell(.stuck) }
        isStuck = isStuck || time - downAt >= timing.stuck
      } else if !isDown && level {
        tell(.down)
        (isDown, isHeard, isDecided, isStuck, downAt) = (true, true, false, false, time)
      }
    }
    for time in 0..<end {
      settle(time)
      guard next < edges.count && edges[next].time == time else { continue }
      level = edges[next].isDown
      if !level { upAt = time }
      next += 1
      settle(time)
    }
    return told
  }

  private func expectWellFormed(_ told: [Timeline.Told], debounce: Int64) {
    let letters: [ButtonState.Signal: Character] = [.down: "d", .press: "p", .hold: "h", .up: "u", .stuck: "s", .loose: "l"]
    let text = String(told.compactMap { letters[$0.signal] })
    #expect(text.wholeMatch(of: /(sl)?(dpu|dhu|dhsul)*(d|dh|dhs|s)?/) != nil, "\(text)")
    #expect(zip(told, told.dropFirst()).allSatisfy { $0.time <= $1.time })
    let presses = told.filter { $0.signal == .press }.map(\.time)
    #expect(zip(presses, presses.dropFirst()).allSatisfy { $1 - $0 >= debounce })
  }
}

/// Lehmer's generator: small, and the same everywhere.
private struct Lehmer: RandomNumberGenerator {
  private var state: UInt64

  init(seed: Int) { state = UInt64(seed) * 2 + 1 }

  mutating func one(of choices: [Int64]) -> Int64 { choices[Int.random(in: choices.indices, using: &self)] }

  mutating func next() -> UInt64 {
    state = state &* 0xDA94_2042_E4DD_58B5 &+ 0x9E37_79B9
    return (state >> 32) ^ (state << 32)
  }
}
