import Glibc
import Testing

@testable import Configuration

@Suite struct MelodyTests {
  /// A tune as a musician writes it down: beats a minute, and notes as MIDI numbers (69 is the A of 440 Hz; `nil` a pause) with their
  /// quarters.
  struct Tune: Sendable, CustomTestStringConvertible {
    var text: String
    var beats: Double
    var notes: [(midi: Int?, quarters: Double)]

    var testDescription: String { text }
  }

  private static let tunes: [Tune] = [
    Tune(text: "a:d=4,o=4,b=60:a", beats: 60, notes: [(69, 1)]),
    Tune(text: "two_short:d=4,o=5,b=100:16e6,16e6", beats: 100, notes: [(88, 0.25), (88, 0.25)]),
    Tune(text: "long:d=1,o=5,b=100:e6", beats: 100, notes: [(88, 4)]),
    Tune(
      text: "siren:d=8,o=5,b=100:d,e,d,e,d,e,d,e", beats: 100,
      notes: [(74, 0.5), (76, 0.5), (74, 0.5), (76, 0.5), (74, 0.5), (76, 0.5), (74, 0.5), (76, 0.5)]),
    Tune(
      text: "scale_up:d=32,o=5,b=100:c,c#,d#,e,f#,g#,a#,b", beats: 100,
      notes: [72, 73, 75, 76, 78, 80, 82, 83].map { ($0, 0.125) }),
    // All twelve, and the names that meet: e# is f, b# the next c, h is b.
    Tune(
      text: "all:d=4,o=4,b=120:c,c#,d,d#,e,e#,f,f#,g,g#,a,a#,b,h,b#", beats: 120,
      notes: [60, 61, 62, 63, 64, 65, 65, 66, 67, 68, 69, 70, 71, 71, 72].map { ($0, 1) }),
    // Beethoven's "Ode to Joy".
    Tune(
      text: "Ode:d=4,o=5,b=120:e,e,f,g,g,f,e,d,c,c,d,e,e.,8d,2d", beats: 120,
      notes: [
        (76, 1), (76, 1), (77, 1), (79, 1), (79, 1), (77, 1), (76, 1), (74, 1), (72, 1), (72, 1), (74, 1), (76, 1), (76, 1.5), (74, 0.5),
        (74, 2),
      ]),
    // The first notes of "Für Elise", with an octave for each note and pauses.
    Tune(
      text: "Elise:d=8,o=5,b=125:32p,e6,d#6,e6,d#6,e6,b,d6,c6,4a.,32p,c,e,a,4b.", beats: 125,
      notes: [
        (nil, 0.125), (88, 0.5), (87, 0.5), (88, 0.5), (87, 0.5), (88, 0.5), (83, 0.5), (86, 0.5), (84, 0.5), (81, 1.5), (nil, 0.125),
        (72, 0.5),
        (76, 0.5), (81, 0.5), (83, 1.5),
      ]),
    // The format's own defaults: quarters, octave 6, 63 beats a minute.
    Tune(text: "::c,8p,1a4", beats: 63, notes: [(84, 1), (nil, 0.5), (69, 4)]),
    Tune(text: "b:b=240:c", beats: 240, notes: [(84, 1)]),
    // As people type: case, spaces, the dot on either side of the octave, empty notes, keys in any order, keys of old phones.
    Tune(
      text: " Wake Up : B = 140 , D=8, o=5,s=N:C, 4 c # 6 ., ,c#.6,,16P.,", beats: 140,
      notes: [(72, 0.5), (85, 1.5), (85, 0.75), (nil, 0.375)]),
  ]

  @Test("A tune has the pitches and lengths of its notes", arguments: Self.tunes)
  func tune(_ tune: Tune) throws {
    let notes = try Melody(rtttl: tune.text).notes
    #expect(notes.count == tune.notes.count)
    for (note, expected) in zip(notes, tune.notes) {
      let frequency = expected.midi.map { 440 * pow(2, Double($0 - 69) / 12) }
      #expect((note.frequency == nil) == (frequency == nil))
      #expect(abs((note.frequency ?? 0) - (frequency ?? 0)) < 1e-6)
      #expect(abs(note.length - expected.quarters * 60_000 / tune.beats) < 1e-6)
    }
  }

  @Test("The built-in melody sounds where a piezo disc is loud, and ends with a pause")
  func standard() {
    let notes = Melody.standard.notes
    #expect(notes.compactMap(\.frequency).allSatisfy { (1_000...4_200).contains($0) })
    #expect(notes.last?.frequency == nil)
    #expect(abs((notes.first?.frequency ?? 0) - 440 * pow(2, Double(84 - 69) / 12)) < 1e-6)
    #expect((2_000...5_000).contains(notes.reduce(0) { $0 + $1.length }))
  }

  @Test(
    "A melody that is none is refused with the place",
    arguments: [
      ("", 1, "must be name:defaults:notes, with two colons"), ("c,e,g", 6, "must be name:defaults:notes, with two colons"),
      ("wake:c,e,g", 11, "must be name:defaults:notes, with two colons"),
      ("a:d=4:c:e", 8, "must be name:defaults:notes, with two colons"),
      ("a:d=4:", 7, "there is no note that sounds"), ("a:d=4:p,2p", 7, "there is no note that sounds"),
      ("a:d=4, x=3:c", 8, "\"x=3\" is not d=, o= or b= and a number"), ("a:d=4,o:c", 7, "\"o\" is not d=, o= or b= and a number"),
      ("a:d=four:c", 3, "\"d=four\" is not d=, o= or b= and a number"), ("a:d==4:c", 3, "\"d==4\" is not d=, o= or b= and a number"),
      ("a:d=0:c", 3, "\"d=0\" is out of range: d 1 to 128, o 3 to 8, b 10 to 900"),
      ("a:o=9:c", 3, "\"o=9\" is out of range: d 1 to 128, o 3 to 8, b 10 to 900"),
      ("a:b=0:c", 3, "\"b=0\" is out of range: d 1 to 128, o 3 to 8, b 10 to 900"),
      ("a:b=-100:c", 3, "\"b=-100\" is out of range: d 1 to 128, o 3 to 8, b 10 to 900"),
      ("a:d=4:c, 8x ,e", 10, "\"8x\" is not a note: a length, a letter a to g or p for a pause, #, an octave, and a dot, such as 8c#6."),
      ("ä:d=4:c,é", 9, "\"é\" is not a note: a length, a letter a to g or p for a pause, #, an octave, and a dot, such as 8c#6."),
      ("a:d=4:c,8", 9, "\"8\" is not a note: a length, a letter a to g or p for a pause, #, an octave, and a dot, such as 8c#6."),
      ("a:d=4:c e", 7, "\"c e\" has \"e\" too much"), ("a:d=4:c##", 7, "\"c##\" has \"#\" too much"),
      ("a:d=4:c,p#", 9, "\"p#\" has \"#\" too much"), ("a:d=4:c..6.", 7, "\"c..6.\" has \"6.\" too much"),
      ("a:d=4:0c", 7, "\"0c\" has a length out of 1 to 128"), ("a:d=4:256c", 7, "\"256c\" has a length out of 1 to 128"),
      ("a:d=4:99999999999999999999c", 7, "\"99999999999999999999c\" has a length out of 1 to 128"),
      ("a:d=4:c2", 7, "\"c2\" has an octave out of 3 to 8"), ("a:d=4:c61", 7, "\"c61\" has an octave out of 3 to 8"),
    ])
  func malformed(text: String, position: Int, message: String) {
    #expect(throws: MelodyError(position: position, message: message)) { try Melody(rtttl: text) }
  }

  @Test("Random texts never stop the program, and every melody has steps of a usable length")
  func random() {
    var generator = SystemRandomNumberGenerator()
    let characters = Array("abcdefghp#.,:=0123456789 dobЖ٣é\u{301}")
    var accepted = 0
    for _ in 0..<5_000 {
      let tail = String((0..<Int.random(in: 0..<12, using: &generator)).map { _ in characters.randomElement(using: &generator) ?? "c" })
      guard let melody = try? Melody(rtttl: "x:d=8,o=5,b=900:c," + tail) else { continue }
      accepted += 1
      #expect(melody.notes.allSatisfy { $0.length > 2 && ($0.frequency ?? 440) > 100 && ($0.frequency ?? 440) < 10_000 })
    }
    #expect(accepted > 10)
  }
}
