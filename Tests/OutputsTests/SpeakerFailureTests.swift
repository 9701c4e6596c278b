import Glibc
import Testing

@testable import Outputs

@Suite("Speaker, with cards that fail on demand")
struct SpeakerFailureTests {
  private func controller(_ cards: FakeCards, timing: OutputTiming = OutputTiming(), log: ReportLog) throws -> OutputController {
    try OutputController(
      configuration: OutputsConfiguration(speaker: .init(device: "usb")), timing: timing, openDevice: cards.open,
      openLine: FakeLine().open, report: { log.add($0) })
  }

  @Test("A card that takes everything at once gets no more than real time and a quarter of a second")
  func pace() async throws {
    let cards = FakeCards("usb")
    let controller = try controller(cards, log: ReportLog())
    let start = ContinuousClock.now
    controller.ring(RingRequest(ring: 1, sound: "default", volume: 50))
    try await Task.sleep(for: .seconds(1.5))
    controller.stop()
    let elapsed = (ContinuousClock.now - start) / .seconds(1)
    let taken = Double(cards["usb"].state.withLock { $0.framesTaken }) / 48_000
    #expect(taken < elapsed * 1.001 + 0.251)
    #expect(taken > 0.5)
    #expect(!cards["usb"].state.withLock { $0.isOpen })
  }

  @Test("An underrun or a suspend is mended without a word", arguments: [EPIPE, ESTRPIPE])
  func underrun(_ code: Int32) async throws {
    let cards = FakeCards("usb", "default")
    let log = ReportLog()
    let controller = try controller(cards, log: log)
    controller.ring(RingRequest(ring: 1, sound: "default", volume: 50))
    _ = await log.sounding(1)
    let before = cards["usb"].state.withLock { state in
      state.nextFailure = -Int(code)
      return state.framesTaken
    }
    #expect(try await eventually { cards["usb"].state.withLock { $0.prepared == 1 && $0.framesTaken > before + 4_800 } })
    controller.stop()
    #expect(log.all.count == 1)
  }

  @Test("A card that is unplugged while ringing gives way to the default card, and takes over again when it is back")
  func unplugged() async throws {
    let cards = FakeCards("usb", "default")
    let log = ReportLog()
    let controller = try controller(cards, timing: OutputTiming(retry: 200), log: log)
    controller.ring(RingRequest(ring: 1, sound: "radar", volume: 50))
    _ = await log.sounding(1)
    cards["usb"].state.withLock { $0.lastingFailure = -Int(ENODEV) }
    #expect(try await eventually { cards["default"].state.withLock { $0.framesTaken > 24_000 } })
    #expect(await log.failure(.speaker, .deviceLost)?.errno == ENODEV)
    #expect(log.all.count == 2)
    cards["usb"].state.withLock { $0.lastingFailure = nil }
    #expect(await log.first { $0 == .recovered(output: .speaker) } != nil)
    #expect(try await eventually { !cards["default"].state.withLock { $0.isOpen } })
    controller.stop()
  }

  @Test("A card that says EAGAIN for ever has stalled, and the next one sounds")
  func stalled() async throws {
    let cards = FakeCards("usb", "default")
    cards["usb"].state.withLock { $0.lastingFailure = -Int(EAGAIN) }
    let log = ReportLog()
    let controller = try controller(cards, log: log)
    controller.ring(RingRequest(ring: 1, sound: "radar", volume: 50))
    let sounding = await log.sounding(1)
    #expect(sounding?.results == [OutputResult(output: .speaker, detail: "default", sound: "default")])
    #expect(sounding?.fallbacks == ["default-card"])
    #expect(await log.failure(.speaker, .deviceStalled) != nil)
    controller.stop()
  }

  @Test("A machine that was asleep has not stalled: the suspended card plays on")
  func asleep() throws {
    let card = FakeCard()
    let playback = Playback(
      device: card, deviceName: "usb", source: ToneSource(.standard),
      loudness: Loudness(RingRequest(ring: 1, sound: "default", volume: 50)),
      ringStart: 0, now: 0, stall: 1_000)
    #expect(try playback.topUp(now: 0))
    #expect(card.state.withLock { $0.framesTaken } == 12_000)
    card.state.withLock { $0.nextFailure = -Int(ESTRPIPE) }
    #expect(try playback.topUp(now: 3_600_000))
    #expect(card.state.withLock { $0.framesTaken } == 24_000)
    card.state.withLock { $0.lastingFailure = -Int(EAGAIN) }
    #expect(try !playback.topUp(now: 7_200_000))
    // A second awake is another matter, and so is a card that breaks again and again.
    #expect(throws: OutputError.self) {
      for now in stride(from: Int64(7_200_040), through: 7_201_000, by: 40) { _ = try playback.topUp(now: now) }
    }
    card.state.withLock { $0.lastingFailure = -Int(EPIPE) }
    #expect(throws: OutputError.self) {
      for now in stride(from: Int64(7_201_040), through: 7_202_040, by: 40) { _ = try playback.topUp(now: now) }
    }
  }

  @Test("A file that appears while ringing takes the tone's place on the same card")
  func soundReturns() async throws {
    let sounds = TestCards.soundsDirectory("returning")
    let cards = FakeCards("usb")
    let log = ReportLog()
    let controller = try OutputController(
      configuration: OutputsConfiguration(speaker: .init(device: "usb"), soundsDirectory: sounds), timing: OutputTiming(retry: 200),
      openDevice: cards.open, openLine: FakeLine().open, report: { log.add($0) })
    controller.ring(RingRequest(ring: 1, sound: "late", volume: 50))
    #expect(await log.sounding(1)?.fallbacks == ["built-in-tone"])
    // Whole at once.
    try writeSine(sounds + "/late.part", format: FileKind.wav, rate: 44_100)
    #expect(rename(sounds + "/late.part", sounds + "/late.wav") == 0)
    #expect(await log.first { $0 == .recovered(output: .speaker) } != nil)
    controller.stop()
    #expect(log.all.count == 3)
  }
}
