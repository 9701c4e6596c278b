import Glibc
import Testing

@testable import Outputs

@Suite(
  "Mixer, on the kernel's dummy card", .serialized,
  .enabled(if: access("/proc/asound/Dummy", F_OK) == 0, "needs the kernel's snd-dummy card"))
struct RealMixerTests {
  /// What amixer says, as the independent judge: each channel's level and whether it is on.
  private func amixer(_ words: String) -> String {
    guard let pipe = popen("amixer -c Dummy \(words)", "r") else { return "" }
    defer { pclose(pipe) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = fread(&bytes, 1, bytes.count, pipe)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  private func levels() -> [Int] {
    amixer("sget Master").matches(of: /\[(\d+)%\]/).compactMap { Int($0.1) }
  }

  private func ring(mixer: Int?, during: () async throws -> Void) async throws {
    let log = ReportLog()
    let configuration = OutputsConfiguration(speaker: .init(device: "plughw:Dummy", mixer: mixer))
    let controller = try OutputController(configuration: configuration) { log.add($0) }
    defer { controller.stop() }
    controller.ring(RingRequest(ring: 1, sound: "default", volume: 50))
    #expect(await log.sounding(1)?.fallbacks == [])
    try await during()
    controller.silence()
  }

  @Test("A low mixer is raised while it rings and put back afterwards, each channel as it was")
  func raised() async throws {
    _ = amixer("sset Master 20%,30%")
    let before = levels()
    #expect(before.count == 2 && before.allSatisfy { $0 < 35 })
    try await ring(mixer: 70) {
      let isRaised = try await eventually { levels().allSatisfy { $0 >= 69 } }
      #expect(isRaised)
    }
    #expect(try await eventually { levels() == before })
  }

  @Test("A mixer that somebody sets meanwhile stays as it is set; one that is loud enough, or not to be touched, is left alone")
  func setMeanwhile() async throws {
    _ = amixer("sset Master 20%")
    try await ring(mixer: 70) {
      let isRaised = try await eventually { levels().allSatisfy { $0 >= 69 } }
      #expect(isRaised)
      _ = amixer("sset Master 50%")
    }
    let set = levels()
    try await ring(mixer: 40) { #expect(levels() == set) }
    try await ring(mixer: nil) { #expect(levels() == set) }
    #expect(levels() == set)
  }

  @Test("A card that does not exist has a mixer that cannot be set, which is an error and no more")
  func missing() {
    #expect(throws: OutputError.self) { _ = try CardMixer(card: 31).raise(toAtLeast: 70) }
  }
}
