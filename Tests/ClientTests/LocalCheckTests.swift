import Configuration
import Glibc
import TestSupport
import Testing

@testable import Client

@Suite("What doctor sees on this machine")
struct LocalCheckTests {
  private func checks(_ yaml: String, _ directory: TemporaryDirectory) throws -> LocalChecks {
    LocalChecks(configuration: try NodeConfiguration.parse(text: yaml, file: "x"), root: directory.path)
  }

  @Test("The configured card must be among the kernel's")
  func cards() throws {
    let directory = try TemporaryDirectory()
    let named = "outputs: {speaker: {device: \"plughw:CARD=Headphones,DEV=0\"}}"
    #expect(try checks(named, directory).card()?.verdict == .fail)
    // A device that names no card may need none.
    #expect(try checks("outputs: {speaker: {device: \"null\"}}", directory).card()?.verdict == .warn)
    for part in ["/proc", "/proc/asound"] { mkdir(directory.path + part, 0o755) }
    try directory.write(
      "proc/asound/cards", " 0 [Headphones     ]: bcm2835_headpho - bcm2835 Headphones\n                      bcm2835 Headphones\n")
    #expect(try checks(named, directory).card()?.verdict == .ok)
    #expect(try checks("outputs: {speaker: {device: \"hw:0,0\"}}", directory).card()?.verdict == .ok)
    let missing = try #require(try checks("outputs: {speaker: {device: \"hw:USB\"}}", directory).card())
    #expect(missing.verdict == .fail && missing.message.contains("Headphones"))
    #expect(try checks("outputs: {speaker: false}", directory).card() == nil)
  }

  @Test("A GPIO chip is found by name, path and label, and a missing one is named")
  func chips() throws {
    let directory = try TemporaryDirectory()
    for part in [
      "/dev", "/sys", "/sys/bus", "/sys/bus/gpio", "/sys/bus/gpio/devices", "/sys/class", "/sys/class/gpio", "/sys/class/gpio/gpiochip512",
      "/sys/devices", "/sys/devices/gpiochip0",
    ] { mkdir(directory.path + part, 0o755) }
    symlink("\(directory.path)/sys/devices/gpiochip0", "\(directory.path)/sys/bus/gpio/devices/gpiochip0")
    symlink("\(directory.path)/sys/devices/gpiochip0", "\(directory.path)/sys/class/gpio/gpiochip512/device")
    try directory.write("sys/class/gpio/gpiochip512/label", "pinctrl-rp1\n")
    try directory.write("dev/gpiochip0", "")
    for chip in ["pinctrl-rp1", "gpiochip0", "/dev/gpiochip0"] {
      #expect(try checks("outputs: {buzzer: {chip: \(chip), line: 18}}", directory).chips().map(\.verdict) == [.ok])
    }
    let missing = try checks("buttons: [{chip: pinctrl-bcm2711, line: 1, press: stop}]", directory).chips()
    #expect(missing.map(\.verdict) == [.fail] && missing[0].message.contains("gpiochip0 (pinctrl-rp1)"))
  }
}
