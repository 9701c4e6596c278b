import Glibc
import Testing

@testable import Outputs

@Suite("Speaker: every ALSA call failing with every error that it documents")
struct SpeakerErrorTableTests {
  enum Call: String, CaseIterable, Sendable {
    case open = "snd_pcm_open"
    case settings = "snd_pcm_set_params"
    case available = "snd_pcm_avail_update"
    case write = "snd_pcm_writei"
    case start = "snd_pcm_start"
    case prepare = "snd_pcm_prepare"

    /// What alsa-lib's documentation and the kernel's drivers answer.
    var errors: [Int32] {
      switch self {
      case .open: [ENOENT, ENODEV, ENXIO, EBUSY, EACCES, EPERM, ENOMEM, EINVAL, EAGAIN, EMFILE, ENOTTY]
      case .settings: [EINVAL, ENODEV, ENOMEM, EBUSY, EBADFD, EIO]
      case .available: [EPIPE, ESTRPIPE, ENODEV, EBADFD, EIO, EAGAIN]
      case .write: [EAGAIN, EPIPE, ESTRPIPE, ENODEV, EBADFD, EIO, EINTR, EINVAL, ENOMEM]
      case .start: [EPIPE, EBADFD, ENODEV, ESTRPIPE, EIO]
      case .prepare: [EBADFD, ENODEV, ESTRPIPE, EIO]
      }
    }
  }

  /// A card of which one call fails always.
  private final class BrokenCard: PlaybackDevice, Sendable {
    let call: Call
    let errno: Int32
    let card: Int32? = nil
    init(_ call: Call, _ errno: Int32) { (self.call, self.errno) = (call, errno) }
    private func answer(_ asked: Call, or good: Int) -> Int { asked == call ? -Int(errno) : good }
    func available() -> Int { answer(.available, or: 4_800) }
    // What fails in `prepare` needs an underrun first.
    func write(_ frames: UnsafePointer<Int16>, count: Int) -> Int { call == .prepare ? -Int(EPIPE) : answer(.write, or: count) }
    func begin() -> Int { answer(.start, or: 0) }
    func prepare() -> Int { answer(.prepare, or: 0) }
    func close() {}
  }

  @Test(
    "The next step of the chain sounds: the default card, and where that fails alike the buzzer", arguments: Call.allCases, [true, false])
  func table(call: Call, hasDefault: Bool) async throws {
    for errno in call.errors {
      let log = ReportLog()
      let line = FakeLine()
      let good = FakeCards("default")
      let open: PlaybackDeviceOpener = { name, rate throws(OutputError) in
        if hasDefault, name == "default" { return try good.open(name, rate) }
        switch call {
        case .open: throw OutputError(code: .deviceUnavailable, operation: call.rawValue, errno: errno, message: "Plug it in.")
        case .settings: throw OutputError(code: .deviceUnsuitable, operation: call.rawValue, errno: errno, message: "Name another.")
        default: return BrokenCard(call, errno)
        }
      }
      let configuration = OutputsConfiguration(
        speaker: .init(device: "usb"), buzzer: OutputsConfiguration.Buzzer(chip: "gpiochip0", line: 18))
      let controller = try OutputController(
        configuration: configuration, timing: OutputTiming(stall: 200), openDevice: open, openLine: line.open, report: { log.add($0) })
      controller.ring(RingRequest(ring: 1, sound: "radar", volume: 50))
      let sounding = await log.sounding(1)
      let last = sounding?.results.last
      let comment = "\(call.rawValue) \(String(cString: strerror(errno)))"
      #expect(last?.ok == true, "\(comment)")
      if [EINTR, EPIPE, ESTRPIPE].contains(errno), sounding?.fallbacks.isEmpty == true {
        // Mended, again and again, until it stalls: then the chain goes on.
        #expect(last?.detail == "usb", "\(comment)")
      } else {
        #expect(sounding?.fallbacks.last == (hasDefault ? "default-card" : "buzzer"), "\(comment): \(sounding?.fallbacks ?? [])")
        #expect(
          log.all.contains {
            if case .failed(.speaker, let error) = $0 { error.errno == errno || error.code == .deviceStalled } else { false }
          }, "\(comment)")
      }
      controller.stop()
    }
  }
}
