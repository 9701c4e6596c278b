import CSndFile
import Glibc
import Testing

/// Writes a sine of a whole number of waves with libsndfile.
func writeSine(_ path: String, format: Int32, rate: Int32, channels: Int32 = 1, frequency: Double = 1_000, seconds: Double = 0.5) throws {
  var information = SF_INFO()
  information.samplerate = rate
  information.channels = channels
  information.format = format
  let file = try #require(sf_open(path, Int32(SFM_WRITE), &information), "\(String(cString: sf_strerror(nil)))")
  let count = Int(Double(rate) * seconds)
  let samples = (0..<count).flatMap { frame in
    (0..<channels).map { channel in
      // Left and right alike, everything else in another pitch.
      Float(0.8 * sin(2 * .pi * (channel < 2 ? frequency : 300) * Double(frame) / Double(rate)))
    }
  }
  // Vorbis recurses over what it is given at once.
  for start in stride(from: 0, to: count, by: 1_024) {
    let frames = min(1_024, count - start)
    samples.withUnsafeBufferPointer { buffer in
      _ = sf_writef_float(file, buffer.baseAddress.map { $0 + start * Int(channels) }, sf_count_t(frames))
    }
  }
  sf_close(file)
}

/// A kind of file that libsndfile both writes and reads.
struct FileKind: Sendable, CustomTestStringConvertible {
  var suffix: String
  var format: Int32
  var rate: Int32
  var channels: Int32 = 1

  var testDescription: String { "\(suffix), \(rate) Hz, \(channels) channels" }

  static let wav = Int32(SF_FORMAT_WAV) | Int32(SF_FORMAT_PCM_16)
  static let all = [
    FileKind(suffix: "wav", format: wav, rate: 22_050),
    FileKind(suffix: "WAV", format: wav, rate: 8_000, channels: 4),
    FileKind(suffix: "flac", format: Int32(SF_FORMAT_FLAC) | Int32(SF_FORMAT_PCM_16), rate: 44_100, channels: 2),
    FileKind(suffix: "ogg", format: Int32(SF_FORMAT_OGG) | Int32(SF_FORMAT_VORBIS), rate: 32_000),
    FileKind(suffix: "opus", format: Int32(SF_FORMAT_OGG) | Int32(SF_FORMAT_OPUS), rate: 48_000, channels: 2),
    FileKind(suffix: "mp3", format: Int32(SF_FORMAT_MPEG) | Int32(SF_FORMAT_MPEG_LAYER_III), rate: 44_100),
  ]
}
