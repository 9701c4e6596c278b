import Configuration
import Glibc
import LinuxSupport

/// What `doctor` sees on this machine without asking anybody.
struct LocalChecks {
  var configuration: NodeConfiguration
  /// Below which the kernel's files lie; tests have their own.
  var root = ""

  func clock() -> Finding {
    TimeService.isSynchronized
      ? Finding(.ok, "clock", "set by a time service")
      : Finding(.warn, "clock", "no time service has set it: 'timedatectl set-ntp true' starts one; alarms ring by the clock as it is")
  }

  /// The kernel's list of cards, and whether the configured one is among them.
  func card() -> Finding? {
    guard let speaker = configuration.outputs.speaker else { return nil }
    let list = Self.read("\(root)/proc/asound/cards") ?? ""
    // Two lines a card: ` 0 [Headphones     ]: bcm2835_headpho - bcm2835 Headphones`, and a longer name.
    let cards = list.split(separator: "\n").compactMap { line -> (number: String, name: String)? in
      guard let open = line.firstIndex(of: "["), let close = line.firstIndex(of: "]"), open < close else { return nil }
      return (Self.trimmed(line[..<open]), Self.trimmed(line[line.index(after: open)..<close]))
    }
    let names = cards.map(\.name).joined(separator: ", ")
    let wanted = Self.card(of: speaker.device)
    guard !cards.isEmpty else {
      // A device that names no card may be one that needs none.
      return Finding(
        wanted == nil ? .warn : .fail, "card",
        "the kernel has no sound card: connect one, or load its driver (on a Raspberry Pi: dtparam=audio=on); 'aplay -l' lists them")
    }
    guard let wanted else { return Finding(.ok, "card", "\(speaker.device); the kernel has \(names)") }
    return cards.contains { $0.number == wanted || $0.name == wanted }
      ? Finding(.ok, "card", "\(wanted) is there")
      : Finding(
        .fail, "card", "outputs.speaker.device asks for the card \(wanted), but the kernel has \(names): correct it, or connect that card")
  }

  /// The card that an ALSA name is about: `plughw:CARD=Headphones,DEV=0`, `hw:1,0`; `nil` where it names none.
  static func card(of device: String) -> String? {
    guard let colon = device.firstIndex(of: ":") else { return nil }
    let first = device[device.index(after: colon)...].prefix { $0 != "," }
    let name = first.hasPrefix("CARD=") ? first.dropFirst(5) : first
    return name.isEmpty || name.contains("=") ? nil : String(name)
  }

  /// The GPIO chips that the configuration names: by label, name or path.
  func chips() -> [Finding] {
    var wanted = configuration.buttons.map(\.chip)
    if let light = configuration.outputs.light { wanted.append(light.line.chip) }
    if case .active(let line, _, _)? = configuration.outputs.buzzer?.kind { wanted.append(line.chip) }
    let present = present()
    return Set(wanted).sorted().map { chip in
      guard let found = present.first(where: { [$0.name, $0.label, "/dev/\($0.name)"].contains(chip) }) else {
        let list =
          present.isEmpty
          ? "there is no GPIO chip at all" : "there are " + present.map { "\($0.name) (\($0.label))" }.joined(separator: ", ")
        return Finding(.fail, "gpio", "no chip \(chip): \(list); correct the configuration ('gpiodetect' lists them)")
      }
      return access("\(root)/dev/\(found.name)", R_OK | W_OK) == 0
        ? Finding(.ok, "gpio", "\(chip) is \(found.name)")
        : Finding(.warn, "gpio", "\(chip) is \(found.name), but this user may not use it: the node's user must be in the group gpio")
    }
  }

  private func present() -> [(name: String, label: String)] {
    let devices = "\(root)/sys/bus/gpio/devices"
    return Self.entries(devices).filter { $0.hasPrefix("gpiochip") }.sorted().map { name in
      (name, label(name) ?? "")
    }
  }

  /// The character device has no label in sysfs, but the old class has one for each chip, linked to the same device.
  private func label(_ name: String) -> String? {
    guard let device = Self.realPath("\(root)/sys/bus/gpio/devices/\(name)") else { return nil }
    for entry in Self.entries("\(root)/sys/class/gpio") where entry.hasPrefix("gpiochip") {
      let directory = "\(root)/sys/class/gpio/\(entry)"
      // Either the chip itself or its parent.
      let parent = Self.realPath("\(directory)/device")
      let isSame = parent == device || parent == Self.parent(of: device)
      if isSame, let label = Self.read("\(directory)/label") { return Self.trimmed(label) }
    }
    return nil
  }

  private static func parent(of path: String) -> String { path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } }

  private static func realPath(_ path: String) -> String? {
    guard let found = realpath(path, nil) else { return nil }
    defer { free(found) }
    return String(cString: found)
  }

  private static func entries(_ path: String) -> [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: Int(entry.pointee.d_reclen)) { String(cString: $0) }
        })
    }
    return names
  }

  /// A small file; `nil` where it cannot be read.
  private static func read(_ path: String) -> String? {
    do throws(FileContents.Failure) {
      return String(decoding: try FileContents(path: path, limit: 1 << 16).bytes, as: UTF8.self)
    } catch { return nil }
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
