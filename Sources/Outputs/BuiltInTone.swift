/// The tones that need no file. Each has one main frequency, in which most of its energy lies.
///
/// Every period holds a whole number of waves, so that the wave runs on from one to the next.
enum BuiltInTone: String, CaseIterable, Sendable {
  /// The classic alarm clock: four beeps of 880 Hz a second.
  case standard = "default"
  /// A bell of two strokes: 1047 Hz and then, softer, 784 Hz.
  case chime
  /// Hurried bursts of 1320 Hz.
  case radar
  /// A slow, even signal of 587 Hz.
  case beacon
  /// A soft swell of 440 Hz.
  case gentle

  /// The main frequency in hertz.
  var frequency: Double {
    switch self {
    case .standard: 880
    case .chime: 1047
    case .radar: 1320
    case .beacon: 587
    case .gentle: 440
    }
  }

  /// Seconds after which the notes begin anew.
  var period: Double {
    switch self {
    case .standard: 1
    case .chime: 2
    case .radar: 1.2
    case .beacon: 1
    case .gentle: 2.4
    }
  }

  /// The notes of one period; they do not overlap.
  var notes: [ToneNote] {
    switch self {
    case .standard: (0..<4).map { ToneNote(start: Double($0) * 0.16, length: 0.1, frequency: frequency) }
    case .chime:
      [
        ToneNote(start: 0, length: 0.7, frequency: frequency, decay: 0.25),
        ToneNote(start: 0.7, length: 1.2, frequency: 784, level: 0.4, decay: 0.3),
      ]
    case .radar: (0..<6).map { ToneNote(start: Double($0) * 0.11, length: 0.06, frequency: frequency) }
    case .beacon: [ToneNote(start: 0, length: 0.6, frequency: frequency, edge: 0.01)]
    case .gentle: [ToneNote(start: 0, length: 2, frequency: frequency, edge: 0.9)]
    }
  }
}
