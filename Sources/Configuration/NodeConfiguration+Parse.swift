extension NodeConfiguration {
  /// Most problems that are told at once.
  private static let maximumProblems = 100

  /// Reads a configuration from YAML text; `file` is for messages. Throws all problems at once.
  package static func parse(text: String, file: String) throws(ConfigurationErrors) -> NodeConfiguration {
    try parse(bytes: Array(text.utf8), file: file, hostName: systemHostName())
  }

  static func parse(bytes: [UInt8], file: String, hostName: String) throws(ConfigurationErrors) -> NodeConfiguration {
    let document: YAMLDocument
    do {
      document = try YAMLDocument(bytes: bytes)
    } catch {
      throw ConfigurationErrors(file: file, problems: [error])
    }
    var configuration = NodeConfiguration(hostName: hostName)
    let notes = SectionReader.Notes()
    notes.problems = document.problems
    if let root = document.root, !root.isNull {
      if case .mapping(let entries) = root.content {
        configuration.read(SectionReader(path: "", position: root.position, entries: entries, notes: notes))
      } else {
        throw ConfigurationErrors(file: file, message: "the file must be a mapping of keys to values")
      }
    }
    guard notes.problems.isEmpty else {
      let sorted = notes.problems.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
      throw ConfigurationErrors(file: file, problems: Array(sorted.prefix(maximumProblems)))
    }
    return configuration
  }

  private mutating func read(_ file: SectionReader) {
    node =
      file.text("node") { name in
        name.isWord(maximum: 32) && name == name.lowercased()
          ? nil : "must be 1 to 32 of the characters a-z, 0-9, _ and -"
      } ?? node
    topicPrefix =
      file.text("topic_prefix") { level in
        level.wholeMatch(of: /[A-Za-z0-9_-]{1,64}/) != nil
          ? nil : "must be one topic level, 1 to 64 of the characters A-Z, a-z, 0-9, _ and -"
      } ?? topicPrefix
    timeZone = file.text("time_zone")
    stateDirectory = file.path("state_directory") ?? stateDirectory
    soundsDirectory = file.path("sounds_directory") ?? soundsDirectory
    if let section = file.section("mqtt") { mqtt.read(section) }
    var lines = UsedLines()
    if let section = file.section("outputs") { outputs.read(section, &lines) }
    buttons = file.sections("buttons").compactMap { Button(section: $0, &lines) }
    let section = file.section("home_assistant")
    if let section { homeAssistant.read(section) }
    if sharesTopics(with: homeAssistant.prefix) {
      if let section, section.has("prefix") {
        section.note("prefix", "must not be the topic_prefix, and not lie below the node's own topics")
      } else {
        file.note("topic_prefix", "must not be home_assistant.prefix, which is \(homeAssistant.prefix.quoted) if it is left out")
      }
    }
    if let section = file.section("limits") { limits.read(section) }
    responseTopics = file.texts("response_topics", rule: topicRule)
    file.finish()
  }

  /// Whether documents below the prefix of Home Assistant's could be taken for the node's, or the other way round.
  private func sharesTopics(with prefix: String) -> Bool {
    prefix == topicPrefix || "\(prefix)/".hasPrefix("\(topicPrefix)/\(node)/")
  }
}

/// The lines that have a user, by chip and offset.
private struct UsedLines {
  private struct Line: Hashable {
    var chip: String
    var offset: Int
  }

  private var users: [Line: String] = [:]

  /// Reads `chip` and `line`, which belong together and to one user only.
  mutating func take(_ section: SectionReader) -> (chip: String, line: Int)? {
    for key in ["chip", "line"] where !section.has(key) { section.note(key, "is missing") }
    let (chip, line) = (section.text("chip"), section.integer("line", in: 0...1023))
    guard let chip, let line else { return nil }
    if let user = users.updateValue(section.path, forKey: Line(chip: chip, offset: line)) {
      section.note("line", "line \(line) of \(chip.quoted) is already used by \(user)")
    }
    return (chip, line)
  }
}

/// The objection to a topic prefix, if there is one.
private func topicRule(_ topic: String) -> String? {
  let isRight =
    !topic.hasPrefix("$") && !topic.contains { $0 == "+" || $0 == "#" }
    && topic.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty }
  return isRight ? nil : "must be topic levels with / between them, none of them empty, without + and # and a leading $"
}

extension NodeConfiguration.MQTT {
  fileprivate mutating func read(_ section: SectionReader) {
    host =
      section.text("host") { host in
        let isRight = host.utf8.count <= 255 && host.utf8.filter { $0 == 0x3A }.count != 1 && !host.contains { " /@".contains($0) }
        return isRight ? nil : "must be a host name or an address alone, without scheme and port"
      } ?? host
    let givenPort = section.integer("port", in: 1...65535)
    username = section.text("username")
    passwordFile = section.path("password_file")
    caFile = section.path("ca_file")
    certificateFile = section.path("certificate_file")
    keyFile = section.path("key_file")
    osCertificates = section.boolean("os_certificates") ?? osCertificates
    protocolVersion = section.choice("protocol") ?? protocolVersion
    // Without one the node would not notice that the broker is gone.
    keepAlive = section.integer("keep_alive", in: 5...65535) ?? keepAlive
    if section.has("password_file"), !section.has("username") { section.note("password_file", "needs username as well") }
    for (key, partner) in [("certificate_file", "key_file"), ("key_file", "certificate_file")] where section.has(key) {
      if !section.has(partner) { section.note(key, "needs \(partner) as well") }
      if !section.has("ca_file") && !osCertificates { section.note(key, "needs ca_file or os_certificates: true as well") }
    }
    port = givenPort ?? (usesTLS ? 8883 : port)
    section.finish()
  }
}

extension NodeConfiguration.Outputs {
  fileprivate mutating func read(_ section: SectionReader, _ lines: inout UsedLines) {
    if section.isOff("speaker") {
      speaker = nil
    } else if let part = section.section("speaker") {
      var speaker = NodeConfiguration.Speaker(device: part.text("device") ?? "default")
      speaker.mixer = part.isOff("mixer") ? nil : part.integer("mixer", in: 1...100) ?? speaker.mixer
      self.speaker = speaker
      part.finish()
    }
    if !section.isOff("buzzer"), let part = section.section("buzzer") { buzzer = NodeConfiguration.Buzzer(section: part, &lines) }
    if !section.isOff("light"), let part = section.section("light") { light = NodeConfiguration.Light(section: part, &lines) }
    section.finish()
  }
}

extension NodeConfiguration.OutputLine {
  fileprivate init?(section: SectionReader, _ lines: inout UsedLines) {
    let place = lines.take(section)
    let activeLow = section.boolean("active_low") ?? false
    guard let place else { return nil }
    self.init(chip: place.chip, line: place.line, activeLow: activeLow)
  }
}

extension NodeConfiguration.Buzzer {
  fileprivate init?(section: SectionReader, _ lines: inout UsedLines) {
    let isPassive = section.has("pwm")
    let isActive = section.has("chip") || section.has("line")
    if isActive && isPassive {
      section.note("pwm", "is for a passive buzzer, chip and line are for an active one; give only one of them")
    } else if !isActive && !isPassive {
      section.note("chip", "is missing, and so is pwm; give chip and line for an active buzzer or pwm for a passive one")
    }
    let kind = isPassive ? Self.passive(section) : isActive ? Self.active(section, &lines) : nil
    // Read in any case, so that they are known; where they do not belong that is told once.
    for key in ["chip", "line"] { _ = section.has(key) }
    for key in ["active_low", "pattern", "tick"] where section.has(key) && isPassive && !isActive {
      section.note(key, "is for an active buzzer, one with chip and line")
    }
    for key in ["channel", "melody"] where section.has(key) && isActive && !isPassive {
      section.note(key, "is for a passive buzzer, one with pwm")
    }
    let after = section.integer("after", in: 0...3600)
    section.finish()
    guard let kind else { return nil }
    self.init(kind: kind, after: after)
  }

  private static func active(_ section: SectionReader, _ lines: inout UsedLines) -> Kind? {
    let line = NodeConfiguration.OutputLine(section: section, &lines)
    let pattern =
      section.text("pattern") { text in
        text == "beep" || text == "urgent" || (text.wholeMatch(of: /[01]{1,64}/) != nil && text.contains("1"))
          ? nil : "must be beep, urgent, or 1 to 64 of the digits 1 and 0 in quotes, with at least one 1"
      }
    let tick = section.integer("tick", in: 20...2000) ?? 100
    return line.map { .active($0, pattern: pattern.map(Pattern.init) ?? .beep, tick: tick) }
  }

  private static func passive(_ section: SectionReader) -> Kind? {
    let pwm = section.text("pwm")
    let channel = section.integer("channel", in: 0...255) ?? 0
    var melody = Melody.standard
    if let text = section.text("melody") {
      do throws(MelodyError) { melody = try Melody(rtttl: text) } catch { section.note("melody", error.description) }
    }
    return pwm.map { .passive(pwm: $0, channel: channel, melody: melody) }
  }
}

extension NodeConfiguration.Buzzer.Pattern {
  fileprivate init(_ text: String) {
    switch text {
    case "beep": self = .beep
    case "urgent": self = .urgent
    default: self = .digits(text)
    }
  }
}

extension NodeConfiguration.Light {
  fileprivate init?(section: SectionReader, _ lines: inout UsedLines) {
    let line = NodeConfiguration.OutputLine(section: section, &lines)
    let alerting = section.choice("alerting") ?? Alerting.blink
    let countdown = section.choice("countdown") ?? Countdown.off
    section.finish()
    guard let line else { return nil }
    self.init(line: line, alerting: alerting, countdown: countdown)
  }
}

extension NodeConfiguration.Button {
  /// The words of `idle`.
  private enum IdleWord: String, CaseIterable {
    case none, chime, light
  }

  fileprivate init?(section: SectionReader, _ lines: inout UsedLines) {
    let place = lines.take(section)
    let (press, hold, idle) = (Self.action("press", section), Self.action("hold", section), Self.idle(section))
    if !section.has("press") && !section.has("hold") && (!section.has("idle") || idle == Idle.none) {
      section.note("press", "is missing, and so are hold and idle; give one of them or more")
    }
    let debounce = section.integer("debounce", in: 5...200) ?? 30
    let activeLow = section.boolean("active_low") ?? true
    let bias = section.choice("bias") ?? (activeLow ? Bias.pullUp : .pullDown)
    section.finish()
    guard let place else { return nil }
    self.init(
      chip: place.chip, line: place.line, press: press, hold: hold, idle: idle ?? Idle.none, debounce: debounce, activeLow: activeLow,
      bias: bias)
  }

  private static func action(_ key: String, _ section: SectionReader) -> Action? {
    if section.isMapping(key) { return message(key, section).map { .message(topic: $0.topic, payload: $0.payload) } }
    return section.choice(key, Operation.self, or: messageForm).map { .operation($0) }
  }

  private static func idle(_ section: SectionReader) -> Idle? {
    if section.isMapping("idle") { return message("idle", section).map { .message(topic: $0.topic, payload: $0.payload) } }
    return section.choice("idle", IdleWord.self, or: messageForm).map { word in
      switch word {
      case .none: .none
      case .chime: .chime
      case .light: .light
      }
    }
  }

  private static let messageForm = "{topic: T, payload: P}"

  /// A message; its payload may be left out.
  private static func message(_ key: String, _ section: SectionReader) -> (topic: String, payload: String)? {
    guard let part = section.section(key) else { return nil }
    if !part.has("topic") { part.note("topic", "is missing") }
    let topic = part.text("topic") { topic in
      topic.hasPrefix("$") || topic.contains { $0 == "+" || $0 == "#" } ? "must be a topic without + and # and a leading $" : nil
    }
    let payload = part.payload("payload") ?? ""
    part.finish()
    return topic.map { ($0, payload) }
  }
}

extension NodeConfiguration.HomeAssistant {
  fileprivate mutating func read(_ section: SectionReader) {
    discovery = section.boolean("discovery") ?? discovery
    prefix = section.text("prefix", rule: topicRule) ?? prefix
    alarms = section.choice("alarms") ?? alarms
    section.finish()
  }
}

extension NodeConfiguration.Limits {
  fileprivate mutating func read(_ section: SectionReader) {
    alarms = section.integer("alarms", in: 1...1000) ?? alarms
    operations = section.texts("operations") { $0.isWord(maximum: 32) ? nil : "must be an operation's name" }
    section.finish()
  }
}
