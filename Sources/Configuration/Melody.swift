import Glibc

/// A tune of single notes, read from RTTTL, the text format of Nokia's ring tones: `name:d=8,o=5,b=140:c,e,8g#6.,p`.
///
/// Read as ESPHome and Tasmota users write it: in any case, with spaces, with an empty name and any of the defaults left out, with the dot
/// before or after the octave, `h` for `b`, and an empty note skipped. Octave 4 has the A of 440 Hz, in equal temperament.
package struct Melody: Sendable, Equatable {
  package struct Note: Sendable, Equatable {
    /// Hertz; `nil` for a pause.
    package var frequency: Double?
    /// Milliseconds.
    package var length: Double
  }

  /// At least one of them sounds.
  package let notes: [Note]

  package init(rtttl: String) throws(MelodyError) {
    let parts = Self.split(rtttl, at: ":")
    guard parts.count == 3 else {
      throw MelodyError(
        position: parts.count > 3 ? parts[3].position - 1 : rtttl.count + 1, message: "must be name:defaults:notes, with two colons")
    }
    let defaults = try Defaults(parts[1])
    var notes: [Note] = []
    for part in Self.split(parts[2]) { notes.append(try Self.note(part, defaults)) }
    guard notes.contains(where: { $0.frequency != nil }) else {
      throw MelodyError(position: parts[2].position, message: "there is no note that sounds")
    }
    self.notes = notes
  }

  private init(notes: [Note]) { self.notes = notes }

  /// The default: a rising call and a breath.
  package static let standard = Melody(
    notes: [0, 4, 7, 12, nil, 7, 12, nil, 0, 4, 7, 12, nil, nil, nil, nil].map { step in
      Note(frequency: step.map { frequency(semitone: $0, octave: 6) }, length: 240_000 / 140 / 8)
    })

  // MARK: Parts

  /// A piece of the text and the place of its first character, from 1.
  private struct Part {
    var text: Substring
    var position: Int

    func error(_ message: String) -> MelodyError { MelodyError(position: position, message: "\(String(text).quoted) \(message)") }
  }

  private static func split(_ text: String, at separator: Character) -> [Part] { split(Part(text: text[...], position: 1), at: separator) }

  private static func split(_ part: Part, at separator: Character) -> [Part] {
    var position = part.position
    return part.text.split(separator: separator, omittingEmptySubsequences: false).map { text in
      defer { position += text.count + 1 }
      return Part(text: text, position: position)
    }
  }

  /// The items between commas, without the spaces around them and without empty ones.
  private static func split(_ list: Part) -> [Part] {
    split(list, at: ",").compactMap { item in
      let start = item.text.prefix { $0.isWhitespace }.count
      var text = item.text.dropFirst(start)
      while text.last?.isWhitespace == true { text.removeLast() }
      return text.isEmpty ? nil : Part(text: text, position: item.position + start)
    }
  }

  /// What holds where a note says nothing else; the values without any are the format's own.
  private struct Defaults {
    var duration = 4
    var octave = 6
    var beats = 63

    init(_ list: Part) throws(MelodyError) {
      for item in Melody.split(list) {
        let sides = item.text.lowercased().filter { !$0.isWhitespace }.split(separator: "=", omittingEmptySubsequences: false)
        // Style and loops, which old phones wrote.
        if sides.count == 2, sides[0] == "s" || sides[0] == "l" { continue }
        guard sides.count == 2, let value = Int(sides[1]) else { throw item.error("is not d=, o= or b= and a number") }
        switch sides[0] {
        case "d" where Melody.durations.contains(value): duration = value
        case "o" where Melody.octaves.contains(value): octave = value
        case "b" where Melody.beats.contains(value): beats = value
        case "d", "o", "b": throw item.error("is out of range: d 1 to 128, o 3 to 8, b 10 to 900")
        default: throw item.error("is not d=, o= or b= and a number")
        }
      }
    }
  }

  private static let durations = 1...128
  private static let octaves = 3...8
  private static let beats = 10...900

  private static func note(_ part: Part, _ defaults: Defaults) throws(MelodyError) -> Note {
    var rest = Array(part.text.lowercased().filter { !$0.isWhitespace })[...]
    /// Takes the digits in front; `nil` where there are none.
    func number() -> String? {
      let digits = rest.prefix { ("0"..."9").contains($0) }
      rest = rest.dropFirst(digits.count)
      return digits.isEmpty ? nil : String(digits)
    }
    func takes(_ character: Character) -> Bool {
      guard rest.first == character else { return false }
      rest = rest.dropFirst()
      return true
    }
    let givenDuration = number()
    guard let letter = rest.popFirst(), letter == "p" || semitones[letter] != nil else {
      throw part.error("is not a note: a length, a letter a to g or p for a pause, #, an octave, and a dot, such as 8c#6.")
    }
    let isSharp = letter != "p" && takes("#")
    var isDotted = takes(".")
    let givenOctave = number()
    isDotted = takes(".") || isDotted
    guard rest.isEmpty else { throw part.error("has \(String(rest).quoted) too much") }
    let duration = givenDuration.map { Int($0) ?? 0 } ?? defaults.duration
    guard durations.contains(duration) else { throw part.error("has a length out of 1 to 128") }
    let octave = givenOctave.map { Int($0) ?? 0 } ?? defaults.octave
    guard octaves.contains(octave) else { throw part.error("has an octave out of 3 to 8") }
    // A beat is a quarter note.
    let length = 240_000 / Double(defaults.beats) / Double(duration) * (isDotted ? 1.5 : 1)
    return Note(frequency: semitones[letter].map { frequency(semitone: $0 + (isSharp ? 1 : 0), octave: octave) }, length: length)
  }

  private static let semitones: [Character: Int] = ["c": 0, "d": 2, "e": 4, "f": 5, "g": 7, "a": 9, "b": 11, "h": 11]

  /// The hertz of a semitone above an octave's C.
  private static func frequency(semitone: Int, octave: Int) -> Double { 440 * exp2(Double(semitone - 9 + 12 * (octave - 4)) / 12) }
}
