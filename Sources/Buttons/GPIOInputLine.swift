import CGPIOD
import Glibc
import LinuxSupport

/// An input line of a GPIO chip, through libgpiod.
final class GPIOInputLine: InputLine {
  let descriptor: Int32
  private let chip: OpaquePointer
  private var line: reveille_gpio_input
  private var buffer = [reveille_gpio_edge](repeating: reveille_gpio_edge(), count: Int(REVEILLE_GPIO_EDGES))

  /// Opens the chip and requests the line. Errors: `chipUnavailable`, `lineUnavailable`.
  init(_ configuration: ButtonConfiguration) throws(ButtonError) {
    var chip: OpaquePointer?
    let opened = reveille_gpio_chip_open(configuration.chip, &chip)
    guard opened == 0, let chip else { throw .chipUnavailable(configuration, errno: -opened) }
    var line = reveille_gpio_input()
    let requested = reveille_gpio_input_request(
      chip, configuration.line, configuration.activeLow, configuration.bias.value, "reveille", &line)
    guard requested == 0 else {
      reveille_gpio_chip_close(chip)
      throw .lineUnavailable(configuration, errno: -requested)
    }
    descriptor = reveille_gpio_input_descriptor(&line)
    self.chip = chip
    self.line = line
  }

  func takeEdges() throws(SystemCallError) -> [Edge] {
    let count = reveille_gpio_input_read(&line, &buffer)
    guard count >= 0 else { throw SystemCallError(call: "gpiod_line_request_read_edge_events", errno: -count) }
    guard count > 0 else { return [] }
    let (now, kernelNow) = (SystemClock.elapsedMilliseconds(), monotonicNanoseconds())
    return buffer[..<Int(count)].map { Edge(isDown: $0.active, time: now - age(of: $0.timestamp, at: kernelNow)) }
  }

  func isDown() throws(SystemCallError) -> Bool {
    let level = reveille_gpio_input_get(&line)
    guard level >= 0 else { throw SystemCallError(call: "gpiod_line_request_get_value", errno: -level) }
    return level == 1
  }

  func release() {
    reveille_gpio_input_release(&line)
    reveille_gpio_chip_close(chip)
  }

  /// How many milliseconds ago an edge was.
  ///
  /// The kernel's time of an edge counts, not that of its reading: on a machine that stalls for half a second, as on a slow SD card, a short
  /// press would else be read as a hold, and a snooze become a stop. It serves only as a difference, from the present, so that our one clock is
  /// what everything else is measured by. One that is not of the last ten seconds is of another clock (CLOCK_REALTIME in kernels before 5.7) and
  /// left out of account.
  private func age(of timestamp: UInt64, at now: UInt64) -> Int64 {
    guard timestamp <= now, now - timestamp < 10_000_000_000 else { return 0 }
    return Int64((now - timestamp) / 1_000_000)
  }
}

/// `CLOCK_MONOTONIC`, by which the kernel times edges.
private func monotonicNanoseconds() -> UInt64 {
  var time = timespec()
  // Cannot fail: the clock always exists and the pointer is valid.
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

extension ButtonConfiguration.Bias {
  fileprivate var value: reveille_gpio_bias {
    switch self {
    case .pullUp: REVEILLE_GPIO_BIAS_PULL_UP
    case .pullDown: REVEILLE_GPIO_BIAS_PULL_DOWN
    case .disabled: REVEILLE_GPIO_BIAS_DISABLED
    case .asIs: REVEILLE_GPIO_BIAS_AS_IS
    }
  }
}
