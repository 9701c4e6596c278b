import Glibc

/// A built-in tone, synthesised at 48 kHz.
final class ToneSource: SoundSource {
  let rate = 48_000
  private let notes: [ToneNote]
  private let period: Int
  private var position = 0
  private var note = 0

  init(_ tone: BuiltInTone) {
    notes = tone.notes
    period = Int(tone.period * 48_000)
  }

  func render(into buffer: UnsafeMutableBufferPointer<Float>) {
    for frame in 0..<buffer.count / 2 {
      let sample = next()
      buffer[2 * frame] = sample
      buffer[2 * frame + 1] = sample
    }
  }

  private func next() -> Float {
    let time = Double(position) / Double(rate)
    while note < notes.count && time >= notes[note].start + notes[note].length { note += 1 }
    position += 1
    if position == period { position = 0 }
    defer { if position == 0 { note = 0 } }
    guard note < notes.count, time >= notes[note].start else { return 0 }
    let current = notes[note]
    // The phase runs through the pauses: notes of one frequency are one wave that is let through now and then.
    let turn = 2 * Double.pi * current.frequency * time
    // Two overtones carry on small speakers that hardly give the fundamental; 0.9 leaves room for a resampler's overshoot.
    let wave = 0.75 * sin(turn) + 0.17 * sin(2 * turn) + 0.08 * sin(3 * turn)
    return Float(0.9 * wave * current.envelope(at: time - current.start))
  }
}
