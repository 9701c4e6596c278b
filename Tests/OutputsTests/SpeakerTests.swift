import Glibc
import LinuxSupport
import Synchronization
import Testing

@testable import Outputs

@Suite("Speaker, through ALSA", .serialized)
struct SpeakerTests {
  private func controller(_ device: String, sounds: String? = nil, log: ReportLog) throws -> OutputController {
    _ = TestCards.directory
    let configuration = OutputsConfiguration(speaker: .init(device: device), soundsDirectory: sounds)
    return try OutputController(configuration: configuration) { log.add($0) }
  }

  @Test("A built-in tone has its main frequency and is full-scale but never clipped", arguments: BuiltInTone.allCases)
  func builtInTone(_ tone: BuiltInTone) async throws {
    let (device, file) = TestCards.capture("tone-\(tone.rawValue)")
    let log = ReportLog()
    let controller = try controller(device, log: log)
    controller.ring(RingRequest(ring: 1, sound: tone.rawValue, volume: 100))
    try await waitForSound(1.6, in: file)
    controller.stop()
    let recording = Recording(file)
    let peak = recording.samples.reduce(0) { max($0, abs($1)) }
    #expect(abs(recording.mainFrequency - tone.frequency) < 6)
    #expect(peak > 0.5 && peak < 0.999)
    #expect(recording.samples == recording.right)
    let sounding = await log.sounding(1)
    #expect(sounding?.results == [OutputResult(output: .speaker, detail: device, sound: tone.rawValue)])
    #expect(sounding?.fallbacks == [])
    #expect(log.all.count == 1)
  }

  @Test("Built-in tones have no clicks: no sample jumps", arguments: BuiltInTone.allCases)
  func noClicks(_ tone: BuiltInTone) {
    let source = ToneSource(tone)
    var samples = [Float](repeating: 0, count: 48_000 * 2 * 5)
    samples.withUnsafeMutableBufferPointer { source.render(into: $0) }
    let left = stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
    let jump = zip(left, left.dropFirst()).map { abs($0 - $1) }.max() ?? 0
    // The steepest that the wave itself can be.
    let slope = Float(2 * Double.pi * tone.frequency / 48_000 * (0.75 + 2 * 0.17 + 3 * 0.08))
    #expect(jump < slope)
  }

  @Test("The main frequencies differ by 10 % and more")
  func distinctTones() {
    let sorted = BuiltInTone.allCases.map(\.frequency).sorted()
    for (low, high) in zip(sorted, sorted.dropFirst()) { #expect(high / low > 1.1) }
  }

  @Test("A fade rises steadily from near silence to the volume")
  func fade() async throws {
    let sounds = TestCards.soundsDirectory("fade")
    try writeSine(sounds + "/steady.wav", format: FileKind.wav, rate: 48_000)
    let (device, file) = TestCards.capture("fade")
    let controller = try controller(device, sounds: sounds, log: ReportLog())
    controller.ring(RingRequest(ring: 1, sound: "steady", volume: 80, fadeIn: 1.5))
    try await waitForSound(2.2, in: file)
    controller.stop()
    let recording = Recording(file)
    let windows = (0..<22).map { recording.loudness(of: $0 * 4_800..<($0 + 1) * 4_800) }
    #expect(windows[0] < windows[20] / 100)
    for (earlier, later) in zip(windows[..<15], windows[1...15]) { #expect(later > earlier) }
    let full = Float(0.8 / 2.0.squareRoot() * 0.64)
    for window in windows[16...] { #expect(abs(window - full) < 0.01) }
  }

  @Test("Half the volume is a quarter of the gain, and nonsense is taken as the nearest volume")
  func volume() {
    let request = RingRequest(ring: 1, sound: "default", volume: 50)
    #expect(Loudness(request).gain(at: 0) == 0.25)
    #expect(Loudness(RingRequest(ring: 1, sound: "default", volume: .max)).gain(at: 0) == 1)
    #expect(Loudness(RingRequest(ring: 1, sound: "default", volume: -3)).gain(at: 0) > 0)
    #expect(Loudness(RingRequest(ring: 1, sound: "default", volume: 100, fadeIn: .nan)).gain(at: 0) == 1)
    #expect(Loudness(RingRequest(ring: 1, sound: "default", volume: 100, fadeIn: .infinity)).gain(at: 9).isFinite)
  }

  @Test("Silence ends the sound, and what was written never ran ahead of real time")
  func silence() async throws {
    let (device, file) = TestCards.capture("silence")
    let controller = try controller(device, log: ReportLog())
    defer { controller.stop() }
    let start = ContinuousClock.now
    controller.ring(RingRequest(ring: 1, sound: "default", volume: 100))
    try await waitForSound(1, in: file)
    controller.silence()
    try await Task.sleep(for: .milliseconds(600))
    let length = Recording.seconds(of: file)
    let elapsed = (ContinuousClock.now - start) / .seconds(1)
    #expect(length < elapsed - 0.6 + 0.3 + 0.2)
    try await Task.sleep(for: .milliseconds(300))
    #expect(Recording.seconds(of: file) == length)
    unlink(file)
    controller.ring(RingRequest(ring: 2, sound: "chime", volume: 100))
    try await waitForSound(1.5, in: file)
    controller.stop()
    #expect(abs(Recording(file).mainFrequency - BuiltInTone.chime.frequency) < 6)
  }

  @Test("A new ring takes the place of the one that sounds")
  func replace() async throws {
    let (device, file) = TestCards.capture("replace")
    let log = ReportLog()
    let controller = try controller(device, log: log)
    controller.ring(RingRequest(ring: 1, sound: "default", volume: 100))
    _ = await log.sounding(1)
    controller.ring(RingRequest(ring: 2, sound: "beacon", volume: 100))
    _ = await log.sounding(2)
    try await waitForSound(1.5, in: file)
    controller.stop()
    #expect(abs(Recording(file).mainFrequency - BuiltInTone.beacon.frequency) < 6)
  }

  @Test("A ring sounds within a second although its sound is unusable")
  func fallbackIsQuick() async throws {
    let (device, _) = TestCards.capture("quick")
    let log = ReportLog()
    // Taken on the speaker's own thread: the tests' threads are busy.
    let last = Atomic<Int64>(.max)
    let controller = try OutputController(configuration: OutputsConfiguration(speaker: .init(device: device))) {
      last.store(SystemClock.elapsedMilliseconds(), ordering: .relaxed)
      log.add($0)
    }
    let start = SystemClock.elapsedMilliseconds()
    controller.ring(RingRequest(ring: 3, sound: "no such sound", volume: 100))
    #expect(await log.sounding(3)?.fallbacks == ["built-in-tone"])
    #expect(last.load(ordering: .relaxed) - start < 1_000)
    controller.stop()
  }
}
