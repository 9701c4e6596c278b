import Glibc
import LinuxSupport
import Testing

@testable import Outputs

/// The directory of the kernel's gpio-sim chip, such as `/sys/devices/platform/gpio-sim.0/gpiochip0`.
private let simulator = getenv("VPI_GPIO").map { String(cString: $0) }

@Suite(
  "Buzzer, on the kernel's simulated chip", .serialized,
  .enabled(if: simulator != nil, "needs VPI_GPIO, the sysfs directory of a gpio-sim chip"))
struct RealLineTests {
  private func level(_ line: Int) -> String {
    guard let simulator, let file = fopen("\(simulator)/sim_gpio\(line)/value", "r") else { return "?" }
    defer { fclose(file) }
    return String(UnicodeScalar(UInt8(max(0, fgetc(file)))))
  }

  private func pull(_ line: Int, up: Bool) {
    guard let simulator else { return }
    TestCards.write(up ? "pull-up" : "pull-down", to: "\(simulator)/sim_gpio\(line)/pull")
  }

  private func requestError(_ chip: String, line: UInt32) -> OutputError? {
    do throws(OutputError) {
      try GPIOOutputLine(.init(chip: chip, offset: line)).release()
      return nil
    } catch { return error }
  }

  @Test(
    "The line is active while the buzzer beeps, and inactive before, between, after silence and after stop",
    arguments: ["pinctrl-bcm2711", "gpiochip0", "/dev/gpiochip0"], [false, true])
  func line(_ chip: String, activeLow: Bool) async throws {
    let (active, inactive) = activeLow ? ("0", "1") : ("1", "0")
    // A line given back falls to its resistor, which belongs to the buzzer's wiring.
    pull(18, up: activeLow)
    let log = ReportLog()
    let configuration = OutputsConfiguration(buzzer: .init(chip: chip, line: 18, activeLow: activeLow))
    let controller = try OutputController(configuration: configuration) { log.add($0) }
    controller.start()
    #expect(try await eventually { level(18) == inactive })
    // A second holder finds the line taken: it is held while nothing sounds.
    try await Task.sleep(for: .milliseconds(200))
    let busy = requestError(chip, line: 18)
    #expect(busy?.code == .lineUnavailable && busy?.errno == EBUSY)
    controller.ring(RingRequest(ring: 1, sound: "default", volume: 100))
    #expect(await log.sounding(1)?.results.map(\.ok) == [true])
    for _ in 0..<3 {
      #expect(try await eventually { level(18) == active })
      #expect(try await eventually { level(18) == inactive })
    }
    #expect(try await eventually { level(18) == active })
    let start = SystemClock.elapsedMilliseconds()
    controller.silence()
    #expect(try await eventually { level(18) == inactive })
    let took = SystemClock.elapsedMilliseconds() - start
    print("silence took \(took) ms")
    #expect(took < 200)
    controller.ring(RingRequest(ring: 2, sound: "default", volume: 100))
    #expect(try await eventually { level(18) == active })
    controller.stop()
    #expect(level(18) == inactive)
    _ = try GPIOOutputLine(.init(chip: chip, offset: 18)).release()
    #expect(log.all.count == 2)
  }

  @Test("The light is on while it rings and during a countdown, and off before, after silence and after stop", arguments: [false, true])
  func light(activeLow: Bool) async throws {
    let (active, inactive) = activeLow ? ("0", "1") : ("1", "0")
    pull(23, up: activeLow)
    let log = ReportLog()
    let light = OutputsConfiguration.Light(
      line: .init(chip: "pinctrl-bcm2711", offset: 23, activeLow: activeLow), alerting: .blinking(every: 500), countdown: .steady)
    let controller = try OutputController(configuration: OutputsConfiguration(light: light)) { log.add($0) }
    controller.start()
    #expect(try await eventually { level(23) == inactive })
    controller.setCountdown(true)
    #expect(try await eventually { level(23) == active })
    controller.ring(RingRequest(ring: 1, sound: "default", volume: 100))
    for _ in 0..<2 {
      #expect(try await eventually { level(23) == inactive })
      #expect(try await eventually { level(23) == active })
    }
    controller.setCountdown(false)
    controller.silence()
    #expect(try await eventually { level(23) == inactive })
    controller.setCountdown(true)
    #expect(try await eventually { level(23) == active })
    controller.stop()
    #expect(level(23) == inactive)
    #expect(log.all.isEmpty)
  }

  @Test("A line beyond the chip's last is an error that says so")
  func noLine() {
    let error = requestError("pinctrl-bcm2711", line: 54)
    #expect(error?.code == .lineUnavailable && error?.errno == EINVAL)
  }
}
