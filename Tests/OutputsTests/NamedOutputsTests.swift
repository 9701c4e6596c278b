import Glibc
import Testing

@testable import Outputs

@Suite("Rings that name their outputs")
struct NamedOutputsTests {
  private let lines = FakeLines()
  private let cards = FakeCards("usb")
  private let log = ReportLog()

  private func controller() throws -> OutputController {
    let configuration = OutputsConfiguration(
      speaker: .init(device: "usb"), buzzer: .init(chip: "pi", line: 18, after: 60), light: .init(line: .init(chip: "pi", offset: 23)))
    return try OutputController(
      configuration: configuration, timing: OutputTiming(), openDevice: cards.open, openLine: lines.open, report: { [log] in log.add($0) })
  }

  private func request(_ outputs: Set<OutputKind>?) -> RingRequest {
    RingRequest(ring: 8, sound: "default", volume: 50, outputs: outputs)
  }

  private var frames: Int { cards["usb"].state.withLock { $0.framesTaken } }

  @Test("The buzzer alone sounds at once, beside a speaker that works")
  func buzzer() async throws {
    let controller = try controller()
    controller.start()
    controller.ring(request([.buzzer]))
    #expect(await log.sounding(8)?.results == [OutputResult(output: .buzzer, detail: "line 18 of pi", sound: "buzzer")])
    #expect(try await eventually { lines.buzzer.wasActive })
    try await Task.sleep(for: .milliseconds(300))
    #expect(frames == 0 && !lines.light.wasActive)
    controller.silence()
    #expect(try await eventually { !lines.buzzer.isActive })
    controller.stop()
    #expect(log.all.count == 1)
  }

  @Test("The light alone shines, and says whether it can", arguments: [false, true])
  func light(isMissing: Bool) async throws {
    lines.light.state.withLock { $0.isMissing = isMissing }
    let controller = try controller()
    controller.ring(request([.light]))
    #expect(await log.sounding(8)?.results.map(\.output) == [.light])
    #expect(await log.sounding(8)?.results.map(\.error?.code) == [isMissing ? .chipUnavailable : nil])
    #expect(try await eventually { lines.light.wasActive != isMissing })
    try await Task.sleep(for: .milliseconds(300))
    #expect(frames == 0 && !lines.buzzer.wasActive)
    controller.stop()
  }

  @Test("The speaker alone is not replaced by the buzzer: its failure is the result")
  func speaker() async throws {
    cards["usb"].state.withLock { $0.lastingFailure = -Int(ENODEV) }
    let controller = try controller()
    controller.ring(request([.speaker]))
    let sounding = await log.sounding(8)
    #expect(sounding?.results.map(\.output) == [.speaker])
    #expect(sounding?.results.map(\.ok) == [false])
    try await Task.sleep(for: .milliseconds(300))
    #expect(!lines.buzzer.wasActive && !lines.light.wasActive)
    controller.stop()
  }

  @Test("Several sound at once, and each is told for itself", arguments: [false, true])
  func all(speakerFails: Bool) async throws {
    if speakerFails { cards["usb"].state.withLock { $0.lastingFailure = -Int(ENODEV) } }
    let controller = try controller()
    controller.ring(request([.speaker, .buzzer, .light]))
    var told: [OutputKind: Bool] = [:]
    #expect(
      try await eventually {
        log.all.count { if case .sounding = $0 { true } else { false } } == 3
      })
    for case .sounding(8, let results, _) in log.all {
      #expect(results.count == 1)
      for result in results { told[result.output] = result.ok }
    }
    #expect(told == [.speaker: !speakerFails, .buzzer: true, .light: true])
    #expect(lines.buzzer.wasActive && lines.light.wasActive)
    controller.stop()
  }

  @Test("A ring that names outputs ends what sounded before on the others")
  func replacing() async throws {
    let controller = try controller()
    controller.ring(request(nil))
    #expect(await log.sounding(8) != nil)
    #expect(try await eventually { lines.light.isActive && frames > 0 })
    controller.ring(request([.buzzer]))
    #expect(try await eventually { lines.buzzer.wasActive && !lines.light.isActive && !cards["usb"].state.withLock { $0.isOpen } })
    controller.ring(request(nil))
    #expect(try await eventually { !lines.buzzer.isActive && cards["usb"].state.withLock { $0.isOpen } })
    controller.stop()
  }
}
