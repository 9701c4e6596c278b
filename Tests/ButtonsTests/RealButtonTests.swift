import Glibc
import LinuxSupport
import TestSupport
import Testing

@testable import Buttons

/// The directory of the kernel's gpio-sim chip, such as `/sys/devices/platform/gpio-sim.0/gpiochip0`.
private let simulator = getenv("VPI_GPIO").map { String(cString: $0) }

@Suite(
  "Buttons, on the kernel's simulated chip", .serialized,
  .enabled(if: simulator != nil, "needs VPI_GPIO, the sysfs directory of a gpio-sim chip"))
struct RealButtonTests {
  /// What was told, and when.
  private struct Told: Sendable {
    var event: ButtonEvent
    var time: Int64
  }

  private let log = Recorder<Told>()

  private func write(_ text: String, to path: String) {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      Issue.record("open \(path): \(errno)")
      return
    }
    defer { close(descriptor) }
    #expect(Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count, "write \(path): \(errno)")
  }

  private func pull(_ line: Int, up: Bool) {
    write(up ? "pull-up" : "pull-down", to: "\(simulator ?? "")/sim_gpio\(line)/pull")
  }

  private func resistor(_ line: Int) -> String {
    guard let simulator, let file = fopen("\(simulator)/sim_gpio\(line)/pull", "r") else { return "?" }
    defer { fclose(file) }
    var text = [UInt8](repeating: 0, count: 32)
    return String(decoding: text[..<fread(&text, 1, 32, file)].filter { $0 > 0x20 }, as: UTF8.self)
  }

  private func controller(_ buttons: [ButtonConfiguration]) throws -> ButtonController {
    let log = log
    return try ButtonController(buttons: buttons) { log.append(Told(event: $0, time: SystemClock.elapsedMilliseconds())) }
  }

  private func button(_ chip: String = "pinctrl-bcm2711", line: UInt32 = 27) -> ButtonConfiguration {
    ButtonConfiguration(chip: chip, line: line)
  }

  /// Starts the buttons and waits until their lines are held: the simulated resistor of one more line, the last to be requested, shows it.
  private func started(_ buttons: [ButtonConfiguration]) async throws -> ButtonController {
    pull(26, up: false)
    let controller = try controller(buttons + [button(line: 26)])
    #expect(try await eventually { resistor(26) == "pull-up" })
    return controller
  }

  private func time(of event: ButtonEvent, after start: Int64 = 0) async throws -> Int64 {
    let log = log
    let told = try await blocking { log.first { $0.event == event && $0.time >= start } }
    return try #require(told, "\(event)").time
  }

  /// Long enough to be no spike, and too short to be a hold. It keeps its thread: another test in its place might take longer than a second.
  private func letFingerRest() { usleep(50_000) }

  /// Lets the millisecond of the latest event pass, so that what comes after it is told from it by its time.
  private func nextMillisecond() async throws -> Int64 {
    try await Task.sleep(for: .milliseconds(2))
    return SystemClock.elapsedMilliseconds()
  }

  @Test(
    "Going down is told at once, then a press or a hold, and the release",
    arguments: ["pinctrl-bcm2711", "gpiochip0", "/dev/gpiochip0"], [true, false])
  func pressAndHold(_ chip: String, activeLow: Bool) async throws {
    let configuration = ButtonConfiguration(chip: chip, line: 27, activeLow: activeLow, bias: activeLow ? .pullUp : .pullDown)
    pull(27, up: activeLow)
    let controller = try await started([configuration])
    var delays: [Int64] = []
    for _ in 0..<10 {
      let start = try await nextMillisecond()
      pull(27, up: !activeLow)
      letFingerRest()
      pull(27, up: activeLow)
      delays.append(try await time(of: .down(button: 0), after: start) - start)
      _ = try await time(of: .up(button: 0), after: start)
    }
    print("edge to down: \(delays) ms")
    // The median: an emulated machine on a busy one is now and then stopped for longer than that.
    #expect(delays.sorted()[delays.count / 2] < 100)
    let start = try await nextMillisecond()
    pull(27, up: !activeLow)
    let hold = try await time(of: .hold(button: 0), after: start) - start
    print("edge to hold: \(hold) ms")
    // The kernel's clock and ours are read one after the other, which may cost a millisecond or two.
    #expect(hold >= 990 && hold < 2_000)
    pull(27, up: activeLow)
    _ = try await time(of: .up(button: 0), after: start + 1_000)
    controller.stop()
    let presses: [ButtonEvent] = (0..<10).flatMap { _ in [.down(button: 0), .press(button: 0), .up(button: 0)] }
    #expect(log.all.map(\.event) == presses + [.down(button: 0), .hold(button: 0), .up(button: 0)])
    try GPIOInputLine(configuration).release()
  }

  @Test("Twenty edges in a row are one press, and more than the kernel keeps leave nothing wrong")
  func bounces() async throws {
    pull(27, up: true)
    // An emulated machine takes longer than 15 ms for twenty edges.
    let controller = try await started([ButtonConfiguration(chip: "pinctrl-bcm2711", line: 27, debounce: 200)])
    let start = SystemClock.elapsedMilliseconds()
    for edge in 0...20 { pull(27, up: !edge.isMultiple(of: 2)) }
    print("20 edges took \(SystemClock.elapsedMilliseconds() - start) ms")
    letFingerRest()
    pull(27, up: true)
    _ = try await time(of: .up(button: 0), after: start)
    #expect(log.all.map(\.event) == [.down(button: 0), .press(button: 0), .up(button: 0)])
    let next = try await nextMillisecond()
    for edge in 0..<401 { pull(27, up: !edge.isMultiple(of: 2)) }
    let held = try await time(of: .hold(button: 0), after: next)
    pull(27, up: true)
    _ = try await time(of: .up(button: 0), after: held)
    controller.stop()
    let hold: [ButtonEvent] = [.down(button: 0), .hold(button: 0), .up(button: 0)]
    #expect(Array(log.all.map(\.event).suffix(3)) == hold)
  }

  @Test("A press that the kernel saw and a stalled thread reads late is still a press")
  func late() throws {
    pull(27, up: true)
    let line = try GPIOInputLine(button())
    defer { line.release() }
    #expect(try !line.isDown())
    let start = SystemClock.elapsedMilliseconds()
    pull(27, up: false)
    usleep(300_000)
    #expect(try line.isDown())
    pull(27, up: true)
    // The stall itself.
    usleep(1_200_000)
    var edges: [Edge] = []
    while case let more = try line.takeEdges(), !more.isEmpty { edges += more }
    #expect(edges.map(\.isDown) == [true, false])
    let times = edges.map { $0.time - start }
    print("edges at 0 and 300 ms read as \(times)")
    #expect(times.count == 2 && times[0] >= -1 && times[0] < 100 && times[1] >= 298 && times[1] < 600)
    #expect(try line.takeEdges().isEmpty)
  }

  @Test(
    "The resistor is what the configuration says",
    arguments: [(ButtonConfiguration.Bias.pullUp, "pull-up"), (.pullDown, "pull-down"), (.asIs, "pull-up")])
  func bias(_ bias: ButtonConfiguration.Bias, _ text: String) throws {
    pull(22, up: bias != .pullUp)
    let line = try GPIOInputLine(ButtonConfiguration(chip: "pinctrl-bcm2711", line: 22, bias: bias))
    #expect(resistor(22) == text)
    line.release()
  }

  @Test("A button that is down at start-up tells nothing until it has been released once")
  func downAtStart() async throws {
    pull(27, up: false)
    let configuration = ButtonConfiguration(chip: "pinctrl-bcm2711", line: 27, bias: .asIs)
    let controller = try await started([configuration])
    try await Task.sleep(for: .milliseconds(1_200))
    #expect(log.all.isEmpty)
    pull(27, up: true)
    try await Task.sleep(for: .milliseconds(500))
    let start = SystemClock.elapsedMilliseconds()
    pull(27, up: false)
    _ = try await time(of: .down(button: 0), after: start)
    controller.stop()
    #expect(log.all.map(\.event) == [.down(button: 0)])
  }

  @Test("A line that is beyond the chip's last, or in use, is reported while the others go on")
  func others() async throws {
    pull(27, up: true)
    let taken = try GPIOInputLine(button(line: 17))
    let controller = try await started([button(line: 54), button(line: 17), button()])
    let start = SystemClock.elapsedMilliseconds()
    pull(27, up: false)
    _ = try await time(of: .down(button: 2), after: start)
    let failures = log.all.compactMap { if case .failed(let button, let error) = $0.event { (button, error) } else { nil } }
    #expect(failures.map(\.0) == [0, 1])
    #expect(failures.map(\.1.errno) == [EINVAL, EBUSY])
    taken.release()
    _ = try await time(of: .recovered(button: 1))
    controller.stop()
    pull(27, up: true)
  }

  @Test("A chip that goes is reported within its 10 s, and used again when it is back")
  func chipGone() async throws {
    let bank = "/sys/kernel/config/gpio-sim/reveille-buttons"
    #expect(mkdir(bank, 0o755) == 0 && mkdir("\(bank)/bank0", 0o755) == 0, "\(errno)")
    defer {
      write("0", to: "\(bank)/live")
      rmdir("\(bank)/bank0")
      rmdir(bank)
    }
    write("8", to: "\(bank)/bank0/num_lines")
    write("reveille-buttons", to: "\(bank)/bank0/label")
    write("1", to: "\(bank)/live")
    let configuration = button("reveille-buttons", line: 3)
    let controller = try await started([configuration])
    let start = SystemClock.elapsedMilliseconds()
    write("0", to: "\(bank)/live")
    let log = log
    let failed = try await blocking { log.first { if case .failed = $0.event { true } else { false } } }
    print("chip gone: \(String(describing: failed?.event)) after \((failed?.time ?? 0) - start) ms")
    #expect(failed != nil)
    write("1", to: "\(bank)/live")
    _ = try await time(of: .recovered(button: 0))
    controller.stop()
    #expect(log.all.count == 2)
  }
}
