import Glibc

/// The file that a sound card without hardware writes: signed 16 bits, 48 kHz, two channels.
package struct SoundRecording: Sendable {
  package let path: String
  private static let bytesPerSecond = 192_000.0

  package init(_ path: String) { self.path = path }

  /// Bytes written so far; 0 where there is no file.
  package var size: Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Waits until the file has grown by so many seconds of sound since it had `size` bytes; answers when that was seen (seconds since 1970).
  @discardableResult
  package func wait(for seconds: Double, beyond size: Int = 0) async throws -> Double {
    let deadline = ContinuousClock.now + .milliseconds(MQTTListener.patience)
    while Double(self.size - size) < seconds * Self.bytesPerSecond {
      guard ContinuousClock.now < deadline else {
        throw TestSupportError("\(path) did not reach \(seconds) s of sound beyond \(size) bytes; it has \(self.size)")
      }
      // A growing file tells nobody.
      try await Task.sleep(for: .milliseconds(20))
    }
    return UnixTime.now
  }

  /// Whether the sound has ended or does so within a few seconds: a second passes in which nothing is written.
  ///
  /// That nothing happens can only be seen by waiting.
  package func isAtItsEnd() async throws -> Bool {
    for _ in 0..<5 {
      let before = size
      try await Task.sleep(for: .seconds(1))
      if size == before { return true }
    }
    return false
  }

  /// The strongest frequency between 300 and 1,500 Hz in the first second of sound, in hertz, by Goertzel's recurrence on every eighth sample.
  package func mainFrequency() throws -> Double {
    guard let file = fopen(path, "r") else { throw TestSupportError("fopen \(path): \(String(cString: strerror(errno)))") }
    defer { fclose(file) }
    var frames = [Int16](repeating: 0, count: 96_000)
    let count = fread(&frames, 4, 48_000, file)
    let samples = stride(from: 0, to: count, by: 8).map { Double(frames[2 * $0]) }
    var best = (frequency: 0.0, power: 0.0)
    for frequency in stride(from: 300.0, through: 1_500, by: 4) {
      let factor = 2 * cos(2 * Double.pi * frequency / 6_000)
      var (last, older) = (0.0, 0.0)
      for sample in samples { (last, older) = (sample + factor * last - older, last) }
      let power = last * last + older * older - factor * last * older
      if power > best.power { best = (frequency, power) }
    }
    return best.frequency
  }
}
