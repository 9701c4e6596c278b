import Testing

@testable import Outputs

@Suite("Speaker, playing files through ALSA", .serialized)
struct FileSoundTests {
  private func controller(_ device: String, sounds: String, log: ReportLog) throws -> OutputController {
    try OutputController(configuration: OutputsConfiguration(speaker: .init(device: device), soundsDirectory: sounds)) { log.add($0) }
  }

  @Test("A file plays at its pitch and repeats without a gap", arguments: FileKind.all)
  func file(_ kind: FileKind) async throws {
    let name = "\(kind.suffix)-\(kind.rate)"
    let sounds = TestCards.soundsDirectory(name)
    try writeSine("\(sounds)/My sound.\(kind.suffix)", format: kind.format, rate: kind.rate, channels: kind.channels)
    let (device, file) = TestCards.capture("file-\(name)")
    let log = ReportLog()
    let controller = try controller(device, sounds: sounds, log: log)
    #expect(controller.isKnownSound("My sound"))
    controller.ring(RingRequest(ring: 7, sound: "My sound", volume: 100))
    try await waitForSound(1.6, in: file)
    controller.stop()
    let recording = Recording(file)
    #expect(abs(recording.mainFrequency - 1_000) < 6)
    #expect(recording.longestGap < 10)
    let sounding = await log.sounding(7)
    #expect(sounding?.results == [OutputResult(output: .speaker, detail: device, sound: "My sound")])
    #expect(log.all.count == 1)
  }

  @Test(
    "A sound that is missing, corrupt or empty gives way to the tone",
    arguments: [
      ("missing", .soundUnknown), ("corrupt", .soundUnreadable), ("empty", .soundEmpty), ("header", .soundEmpty),
      ("../escape", .soundUnknown),
    ] as [(String, OutputError.Code)])
  func soundFails(_ sound: String, _ code: OutputError.Code) async throws {
    let sounds = TestCards.soundsDirectory("broken-\(code.rawValue)-\(sound.count)")
    TestCards.write((0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ $0 / 11) }, to: sounds + "/corrupt.flac")
    TestCards.write("", to: sounds + "/empty.wav")
    try writeSine(sounds + "/header.wav", format: FileKind.wav, rate: 48_000, seconds: 0)
    let (device, file) = TestCards.capture("broken-\(code.rawValue)-\(sound.count)")
    let log = ReportLog()
    let controller = try controller(device, sounds: sounds, log: log)
    controller.ring(RingRequest(ring: 3, sound: sound, volume: 100))
    let sounding = await log.sounding(3)
    #expect(sounding?.results == [OutputResult(output: .speaker, detail: device, sound: "default")])
    #expect(sounding?.fallbacks == ["built-in-tone"])
    #expect(await log.failure(.speaker, code) != nil)
    try await waitForSound(0.3, in: file)
    controller.silence()
    // The device itself is well.
    #expect(await log.first { $0 == .recovered(output: .speaker) } != nil)
    controller.stop()
  }
}
