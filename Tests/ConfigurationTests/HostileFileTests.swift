import Testing

@testable import Configuration

@Suite struct HostileFileTests {
  @Test("A billion laughs are refused at the first")
  func billionLaughs() {
    var text = "a: &a [lol, lol, lol]\n"
    for (name, last) in zip("bcdefghi", "abcdefgh") {
      text += "\(name): &\(name) [\(Array(repeating: "*\(last)", count: 9).joined(separator: ", "))]\n"
    }
    #expect(complaints(text) == ["f.yaml:1:4: anchors (&name) are not supported; take it out"])
  }

  @Test("Nesting ends at 32 levels, however it is written")
  func depth() {
    #expect(complaints(String(repeating: "[", count: 500_000)) == ["f.yaml:1:33: values are nested more than 32 deep"])
    #expect(complaints(String(repeating: "- ", count: 100_000)) == ["f.yaml:1:65: values are nested more than 32 deep"])
    #expect(complaints(String(repeating: "{a: ", count: 100_000)) == ["f.yaml:1:129: values are nested more than 32 deep"])
    let deepest = String(repeating: "[", count: 31) + String(repeating: "]", count: 31)
    #expect(complaints("node: \(deepest)") == ["f.yaml:1:7: node: must be text"])
    #expect(complaints("node: [\(deepest)]") == ["f.yaml:1:38: values are nested more than 32 deep"])
  }

  @Test("A file of more than 1 MiB is refused")
  func size() {
    let comment = "#" + String(repeating: "x", count: YAMLDocument.maximumSize - 1)
    #expect(complaints(comment) == [])
    #expect(complaints(comment + "x") == ["f.yaml:1:1: the file is larger than 1 MiB"])
  }

  @Test("Random bytes, and good files with some bytes changed, never stop the program")
  func random() {
    var generator = SplitMix(state: 42)
    let good = Array(
      """
      node: bedroom
      mqtt: {host: "127.0.0.1", port: 1883, protocol: 5, keep_alive: 15}
      outputs: {speaker: {device: 'default'}, buzzer: {pwm: a, after: 60, melody: 'w:d=8,o=5:c,8e#6.,p'}, light: {chip: a, line: 18, alerting: on}}
      buttons:
        - {chip: a, line: 27, press: snooze, hold: {topic: a/b, payload: c}, idle: chime, debounce: 30, bias: pull_up}
        - chip: |
            b
          line: 3
          press: stop
      response_topics: [a/b, c]
      """.utf8)
    let special = Array("\0\t\n\r:-?[]{},#&*!|>'\"%@` ~0aé\u{FEFF}\u{2028}".utf8) + [0xFF, 0xFE, 0x80]
    var refused = 0
    for _ in 0..<4000 {
      var bytes = good
      for _ in 0...Int.random(in: 0..<6, using: &generator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[index] = special.randomElement(using: &generator) ?? 0
        case 1: bytes.insert(special.randomElement(using: &generator) ?? 0, at: index)
        case 2: bytes.removeSubrange(index..<min(index + 3, bytes.count))
        default: bytes[index] = UInt8.random(in: 0...255, using: &generator)
        }
      }
      if !complaints(bytes).isEmpty { refused += 1 }
    }
    #expect(refused > 2000)
    for length in 0..<400 {
      _ = complaints((0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) })
      _ = complaints((0..<length).map { _ in special.randomElement(using: &generator) ?? 0 })
    }
  }

  private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }
}
