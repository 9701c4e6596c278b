import Glibc
import Testing

@testable import Outputs

/// PCMs for this process that write what they are given to files: ALSA's file plug-in over the null device.
///
/// ALSA reads `ALSA_CONFIG_PATH` once per process, hence one configuration for all tests.
enum TestCards {
  /// Where this process keeps its files; removed at its end.
  static let directory: String = {
    // A reader that ends must not end the tests.
    signal(SIGPIPE, SIG_IGN)
    var template = Array("/tmp/reveille-outputs-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { preconditionFailure("mkdtemp: \(errno)") }
    let directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    mkdir(directory + "/default-card", 0o755)
    let settings = "format S16_LE rate 48000 channels 2"
    write(
      """
      </usr/share/alsa/alsa.conf>
      pcm.capture {
        @args [ FILE ]
        @args.FILE { type string }
        type plug
        slave { \(settings) pcm { type file format raw file $FILE slave.pcm "null" } }
      }
      pcm.!default { type plug slave { \(settings) pcm { type file format raw file "\(directory)/default-card/sound.raw" slave.pcm "null" } } }
      pcm.stuck { type plug slave { \(settings) pcm { type file format raw file "|exec \(directory)/slow-reader" slave.pcm "null" } } }

      """, to: directory + "/asound.conf")
    mkfifo(directory + "/release", 0o600)
    write(
      """
      #!/bin/sh
      echo $$ >\(directory)/slow-reader.pid
      read -r _ <\(directory)/release
      exec cat >/dev/null

      """, to: directory + "/slow-reader")
    chmod(directory + "/slow-reader", 0o755)
    setenv("ALSA_CONFIG_PATH", directory + "/asound.conf", 1)
    atexit { removeTestDirectory() }
    return directory
  }()

  /// Whether the PCM `stuck` has been given as much as it takes before ``releaseStuckCard()``.
  static var stuckCardIsFull: Bool {
    var text = [CChar](repeating: 0, count: 16)
    guard let file = fopen(directory + "/slow-reader.pid", "r") else { return false }
    fgets(&text, 16, file)
    fclose(file)
    // The pipe is looked at from the writer's side.
    let pipe = open("/proc/\(atoi(text))/fd/0", O_WRONLY | O_NONBLOCK)
    guard pipe >= 0 else { return false }
    var poll = pollfd(fd: pipe, events: Int16(POLLOUT), revents: 0)
    let ready = Glibc.poll(&poll, 1, 0)
    close(pipe)
    return ready == 0
  }

  /// Lets the reader of the PCM `stuck` read.
  static func releaseStuckCard() {
    // Opened for both, it waits for nobody; left open, it keeps the line until the reader has come.
    let release = open(directory + "/release", O_RDWR | O_CLOEXEC)
    #expect(release >= 0 && Glibc.write(release, "\n", 1) == 1)
  }

  static var defaultCard: String { directory + "/default-card/sound.raw" }

  /// A PCM that writes to a file of the test directory.
  static func capture(_ name: String) -> (device: String, file: String) {
    let file = "\(directory)/\(name).raw"
    return ("capture:FILE=\(file)", file)
  }

  /// An empty directory of its own for a test's sounds.
  static func soundsDirectory(_ name: String) -> String {
    let path = "\(directory)/sounds-\(name)"
    mkdir(path, 0o755)
    return path
  }

  static func write(_ text: String, to path: String) { write(Array(text.utf8), to: path) }

  static func write(_ bytes: [UInt8], to path: String) {
    let file = fopen(path, "w")
    guard let file else { preconditionFailure("fopen \(path): \(errno)") }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }
}

private func removeTestDirectory() { removeTree(TestCards.directory) }

private func removeTree(_ path: String) {
  guard remove(path) != 0, let stream = opendir(path) else { return }
  while let entry = readdir(stream) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if name != "." && name != ".." { removeTree("\(path)/\(name)") }
  }
  closedir(stream)
  remove(path)
}

/// The beginning of what a card was given: at most 2.5 s, so that an analysis late on a busy machine does not take the longer for it.
struct Recording {
  /// The left channel.
  let samples: [Float]
  let right: [Float]

  init(_ path: String) {
    var frames = [Int16](repeating: 0, count: 2 * 120_000)
    var count = 0
    if let file = fopen(path, "r") {
      count = fread(&frames, 4, 120_000, file)
      fclose(file)
    }
    samples = (0..<count).map { Float(frames[2 * $0]) / 32_768 }
    right = (0..<count).map { Float(frames[2 * $0 + 1]) / 32_768 }
  }

  /// The length of a whole recording in seconds.
  static func seconds(of path: String) -> Double {
    var status = stat()
    return stat(path, &status) == 0 ? Double(status.st_size) / 192_000 : 0
  }

  /// The strongest frequency between 200 and 2,400 Hz, in hertz: by discrete Fourier transforms of every eighth sample, added up over windows
  /// of 0.2 s, whose resolution of 5 Hz leaves nothing between the steps of 4 Hz.
  var mainFrequency: Double {
    let thinned = stride(from: 0, to: samples.count, by: 8).map { Double(samples[$0]) }
    var best = (frequency: 0.0, power: -1.0)
    for frequency in stride(from: 200.0, through: 2_400, by: 4) {
      // Goertzel's recurrence.
      let factor = 2 * cos(2 * Double.pi * frequency / 6_000)
      var power = 0.0
      for start in stride(from: 0, to: thinned.count, by: 1_200) {
        var last = 0.0
        var older = 0.0
        for sample in thinned[start..<min(start + 1_200, thinned.count)] {
          let next = sample + factor * last - older
          older = last
          last = next
        }
        power += last * last + older * older - factor * last * older
      }
      if power > best.power { best = (frequency, power) }
    }
    return best.frequency
  }

  func loudness(of range: Range<Int>) -> Float {
    let squares = samples[range].reduce(Float(0)) { $0 + $1 * $1 }
    return (squares / Float(range.count)).squareRoot()
  }

  /// Milliseconds of the longest stretch below 5 % of the peak, beginning and end left out.
  var longestGap: Double {
    let peak = samples.reduce(0) { max($0, abs($1)) }
    let loud = samples.indices.filter { abs(samples[$0]) > peak / 20 }
    return zip(loud, loud.dropFirst()).map { Double($1 - $0) / 48 }.max() ?? .infinity
  }
}

/// Waits until a card has been given so many seconds of sound.
func waitForSound(_ seconds: Double, in file: String) async throws {
  // A growing file tells nobody.
  let isThere = try await eventually { Recording.seconds(of: file) >= seconds }
  #expect(isThere, "\(file) did not reach \(seconds) s of sound")
}

/// Waits until something is so that tells nobody when it is.
func eventually(within seconds: Double = 60, _ condition: () -> Bool) async throws -> Bool {
  let deadline = ContinuousClock.now + .seconds(seconds)
  while ContinuousClock.now < deadline {
    if condition() { return true }
    try await Task.sleep(for: .milliseconds(5))
  }
  return condition()
}
