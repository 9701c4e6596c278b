/// One mapping of the file while it is read into a value.
///
/// A getter answers `nil` where the key is absent or its value is wrong; the latter is noted. `finish()` then notes the keys that nobody asked
/// for, so that what is known is what is read.
final class SectionReader {
  /// Collects what is wrong, over all sections.
  final class Notes {
    var problems: [ConfigurationProblem] = []
  }

  let path: String
  let position: YAMLNode.Position
  let notes: Notes
  private let entries: [YAMLNode.Entry]
  private var asked: [String] = []

  init(path: String, position: YAMLNode.Position, entries: [YAMLNode.Entry], notes: Notes) {
    self.path = path
    self.position = position
    self.entries = entries
    self.notes = notes
  }

  /// Notes a problem with a key's value, or with the whole section if the key is absent.
  func note(_ key: String, _ message: String) {
    note(entry(key)?.value.position ?? position, name(key), message)
  }

  private func note(_ position: YAMLNode.Position, _ name: String, _ message: String) {
    notes.problems.append(ConfigurationProblem(line: position.line, column: position.column, key: name, message: message))
  }

  /// Whether the key has a value, right or wrong.
  func has(_ key: String) -> Bool { value(key) != nil }

  /// Whether the value is `false` or `no`.
  func isOff(_ key: String) -> Bool { value(key)?.boolean == false }

  /// Whether the value is a mapping, where a word would do as well.
  func isMapping(_ key: String) -> Bool {
    if case .mapping = value(key)?.content { true } else { false }
  }

  /// Any text without control characters that `rule` has no objection to.
  func text(_ key: String, rule: (String) -> String? = { _ in nil }) -> String? {
    value(key).flatMap { text($0, name(key), rule) }
  }

  /// Any text, empty or with control characters as well.
  func payload(_ key: String) -> String? {
    value(key).flatMap { text($0, name(key), isFree: true) { _ in nil } }
  }

  /// An absolute path.
  func path(_ key: String) -> String? {
    text(key) { $0.hasPrefix("/") ? nil : "must be an absolute path, one that starts with /" }
  }

  func integer(_ key: String, in range: ClosedRange<Int>) -> Int? {
    guard let node = value(key) else { return nil }
    guard let number = node.integer, range.contains(number) else {
      note(key, "must be a whole number from \(range.lowerBound) to \(range.upperBound)" + (node.isQuotedNumber ? ", without quotes" : ""))
      return nil
    }
    return number
  }

  func boolean(_ key: String) -> Bool? {
    guard let node = value(key) else { return nil }
    if node.boolean == nil { note(key, "must be true or false") }
    return node.boolean
  }

  /// One of a few words, quoted or not; `form` is what else could stand there, for the message.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ key: String, _: Choice.Type = Choice.self, or form: String? = nil
  ) -> Choice? {
    guard let node = value(key) else { return nil }
    let choice = node.text.flatMap { Choice(rawValue: $0) }
    if choice == nil {
      note(key, "must be one of " + Choice.allCases.map(\.rawValue).joined(separator: ", ") + (form.map { " or \($0)" } ?? ""))
    }
    return choice
  }

  /// A mapping below this one.
  func section(_ key: String) -> SectionReader? {
    value(key).flatMap { section($0, name(key)) }
  }

  /// A list of mappings.
  func sections(_ key: String) -> [SectionReader] {
    items(key).compactMap { section($0.node, $0.name) }
  }

  /// A list of texts.
  func texts(_ key: String, rule: (String) -> String?) -> [String] {
    items(key).compactMap { text($0.node, $0.name, rule) }
  }

  /// Notes the keys that are not known.
  func finish() {
    for entry in entries where !asked.contains(entry.key) {
      let hint =
        entry.key.nearest(of: asked).map { "did you mean \($0)?" } ?? "known here: " + asked.joined(separator: ", ")
      note(entry.position, name(entry.key), "unknown key; \(hint)")
    }
  }

  private func entry(_ key: String) -> YAMLNode.Entry? { entries.first { $0.key == key } }

  private func value(_ key: String) -> YAMLNode? {
    if !asked.contains(key) { asked.append(key) }
    return entry(key).flatMap { $0.value.isNull ? nil : $0.value }
  }

  private func name(_ key: String) -> String { path.isEmpty ? key.pathPart : "\(path).\(key.pathPart)" }

  private func text(_ node: YAMLNode, _ name: String, isFree: Bool = false, _ rule: (String) -> String?) -> String? {
    let objection: String?
    if let text = node.text {
      if node.boolean != nil || node.isNumber {
        objection = "must be text; write it in quotes: \(text.quoted)"
      } else if text.isEmpty && !isFree {
        objection = "must not be empty"
      } else if text.utf8.count > 4096 {
        objection = "must not be longer than 4096 bytes"
      } else if !isFree && text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
        objection = "must not contain control characters"
      } else {
        objection = rule(text)
      }
      if objection == nil { return text }
    } else {
      objection = "must be text"
    }
    if let objection { note(node.position, name, objection) }
    return nil
  }

  private func section(_ node: YAMLNode, _ name: String) -> SectionReader? {
    guard case .mapping(let entries) = node.content else {
      note(node.position, name, "must be a mapping of keys to values")
      return nil
    }
    return SectionReader(path: name, position: node.position, entries: entries, notes: notes)
  }

  private func items(_ key: String) -> [(node: YAMLNode, name: String)] {
    guard let node = value(key) else { return [] }
    guard case .sequence(let items) = node.content else {
      note(key, "must be a list")
      return []
    }
    return items.enumerated().map { ($1, "\(name(key))[\($0)]") }
  }
}
