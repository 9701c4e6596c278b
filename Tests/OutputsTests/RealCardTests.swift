import Glibc
import LinuxSupport
import Testing

@testable import Outputs

@Suite(
  "Speaker, on the kernel's loopback card", .serialized,
  .enabled(if: access("/proc/asound/Loopback", F_OK) == 0, "needs the kernel's snd-aloop card"))
struct RealCardTests {
  private func isOpen() -> Bool {
    guard let file = fopen("/proc/asound/Loopback/pcm0p/sub0/status", "r") else { return false }
    defer { fclose(file) }
    return fgetc(file) != Int32(UInt8(ascii: "c"))  // "closed"
  }

  /// Starts `arecord` on the loopback's other end.
  private func record(rate: Int, to path: String) throws -> pid_t {
    let words = ["arecord", "-q", "-D", "hw:Loopback,1", "-t", "raw", "-f", "S16_LE", "-c", "2", "-r", "\(rate)", "-d", "4", path]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process = pid_t()
    try #require(posix_spawnp(&process, "arecord", nil, nil, &arguments, environ) == 0)
    return process
  }

  @Test(
    "What is heard is the tone, at its pitch; silence closes the card at once",
    .enabled(if: access("/usr/bin/arecord", X_OK) == 0, "needs arecord, of alsa-utils"))
  func tone() async throws {
    let path = TestCards.directory + "/loopback.raw"
    let log = ReportLog()
    let controller = try OutputController(configuration: OutputsConfiguration(speaker: .init(device: "hw:Loopback,0"))) { log.add($0) }
    controller.start()
    controller.ring(RingRequest(ring: 1, sound: "beacon", volume: 100))
    #expect(await log.sounding(1)?.fallbacks == [])
    let recorder = try record(rate: 48_000, to: path)
    var status: Int32 = 0
    #expect(waitpid(recorder, &status, 0) == recorder && status == 0)
    #expect(isOpen())
    let start = SystemClock.elapsedMilliseconds()
    controller.silence()
    #expect(try await eventually { !isOpen() })
    print("silence took \(SystemClock.elapsedMilliseconds() - start) ms")
    #expect(Recording.seconds(of: path) > 3.5)
    #expect(abs(Recording(path).mainFrequency - BuiltInTone.beacon.frequency) < 6)
    controller.stop()
    #expect(log.all.count == 1)
  }

  @Test("A bare hw: device that does not take a file's rate is given it converted")
  func conversion() async throws {
    let sounds = TestCards.soundsDirectory("conversion")
    try writeSine(sounds + "/low.wav", format: FileKind.wav, rate: 7_000)
    let log = ReportLog()
    let configuration = OutputsConfiguration(speaker: .init(device: "hw:Loopback,0"), soundsDirectory: sounds)
    let controller = try OutputController(configuration: configuration) { log.add($0) }
    controller.ring(RingRequest(ring: 1, sound: "low", volume: 100))
    #expect(await log.sounding(1)?.results.map(\.sound) == ["low"])
    controller.stop()
    #expect(!isOpen())
  }
}
