import CSndFile
import Glibc

/// A sound file, decoded by libsndfile as it is played and repeated without a gap.
///
/// One channel goes to both sides; of more than two the first two are taken, which are front left and right in every layout.
final class FileSource: SoundSource {
  let rate: Int
  private let path: String
  private let descriptor: Int32
  private let file: OpaquePointer
  private let channels: Int
  // Fixed in floats, not in frames: a file may claim a thousand channels.
  private var scratch = [Float](repeating: 0, count: 8_192)
  private var framesOfPass = 0

  /// Opens the file and decodes its beginning, so that a broken one fails here. `path` is not followed if it is a symbolic link.
  init(path: String) throws(OutputError) {
    self.path = path
    // O_NONBLOCK: opening a FIFO would wait for a writer.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { throw Self.unreadable("open", path, errno: Glibc.errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw Self.unreadable("fstat", path, reason: "it is not a regular file")
    }
    var information = SF_INFO()
    // The descriptor stays ours: whether a failed sf_open_fd has closed it differs between versions.
    guard let file = sf_open_fd(descriptor, Int32(SFM_READ), &information, 0) else {
      let reason = String(cString: sf_strerror(nil))
      close(descriptor)
      guard status.st_size > 0 else { throw Self.empty(path) }
      throw Self.unreadable("sf_open_fd", path, reason: reason)
    }
    self.descriptor = descriptor
    self.file = file
    rate = Int(information.samplerate)
    channels = Int(information.channels)
    guard rate > 0, channels > 0, channels <= scratch.count else {
      throw Self.unreadable("sf_open_fd", path, reason: "it has no rate or too many channels")
    }
    try check()
  }

  deinit {
    sf_close(file)
    close(descriptor)
  }

  func render(into buffer: UnsafeMutableBufferPointer<Float>) throws(OutputError) {
    let wanted = buffer.count / 2
    var done = 0
    while done < wanted {
      let count = decode(atMost: wanted - done)
      guard count > 0 else {
        try rewind()
        continue
      }
      for frame in 0..<count {
        let left = scratch[frame * channels]
        buffer[2 * (done + frame)] = left
        buffer[2 * (done + frame) + 1] = channels > 1 ? scratch[frame * channels + 1] : left
      }
      done += count
    }
  }

  /// Decodes into `scratch` and answers the frames there; 0 at the end and where decoding fails.
  private func decode(atMost wanted: Int) -> Int {
    let frames = min(wanted, scratch.count / channels)
    let count = max(0, Int(scratch.withUnsafeMutableBufferPointer { sf_readf_float(file, $0.baseAddress, sf_count_t(frames)) }))
    framesOfPass += count
    return count
  }

  private func check() throws(OutputError) {
    while framesOfPass < shortest {
      guard decode(atMost: shortest) > 0 else { break }
    }
    try rewind()
  }

  // Repeating less than 10 ms would be a buzz, and seeking all the time.
  private var shortest: Int { max(1, rate / 100) }

  private func rewind() throws(OutputError) {
    guard framesOfPass >= shortest else {
      if sf_error(file) != 0 { throw Self.unreadable("sf_readf_float", path, reason: String(cString: sf_strerror(file))) }
      throw Self.empty(path)
    }
    framesOfPass = 0
    guard sf_seek(file, 0, SEEK_SET) == 0 else {
      throw Self.unreadable("sf_seek", path, reason: String(cString: sf_strerror(file)))
    }
  }

  private static func unreadable(_ operation: String, _ path: String, errno: Int32 = 0, reason: String? = nil) -> OutputError {
    let reason = reason ?? String(cString: strerror(errno))
    return OutputError(
      code: .soundUnreadable, operation: operation, errno: errno,
      message:
        "The sound file \(path) cannot be played (\(reason)): replace it with a WAV, FLAC, Ogg, Opus or MP3 file that plays elsewhere.")
  }

  private static func empty(_ path: String) -> OutputError {
    OutputError(
      code: .soundEmpty, operation: "sf_readf_float",
      message: "The sound file \(path) holds no sound: replace it with one of at least 10 ms.")
  }
}
