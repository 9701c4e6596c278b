import CYAML

/// A YAML file as a tree, read with libyaml's event interface.
///
/// It takes the part of YAML that a configuration needs: one document, text keys, at most 32 levels. Anchors, aliases and tags are refused,
/// so the tree is never larger than the file.
struct YAMLDocument {
  static let maximumDepth = 32
  static let maximumSize = 1 << 20

  /// `nil` for a file without any value.
  var root: YAMLNode?
  /// Keys that are there twice; the tree has the first.
  var problems: [ConfigurationProblem]

  /// Reads UTF-8 (or UTF-16 with a byte order mark). Throws the first problem that makes the file unreadable as a whole.
  init(bytes: [UInt8]) throws(ConfigurationProblem) {
    guard bytes.count <= Self.maximumSize else {
      throw ConfigurationProblem(line: 1, column: 1, key: "", message: "the file is larger than 1 MiB")
    }
    let reader = EventReader(bytes: bytes)
    root = try reader.document()
    problems = reader.problems
  }
}

extension ConfigurationProblem: Error {}

private typealias Position = YAMLNode.Position

/// What the tree needs of a `yaml_event_t`.
private struct Event {
  var type: yaml_event_type_t
  var position: Position
  var text = ""
  var isPlain = false
}

/// The `yaml_parser_t` and the walk through its events.
private final class EventReader {
  private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
  private let bytes: UnsafeMutableBufferPointer<UInt8>
  private let isReady: Bool
  var problems: [ConfigurationProblem] = []

  init(bytes source: [UInt8]) {
    // libyaml keeps pointers to the text and to the parser itself, so both stay where they are.
    bytes = .allocate(capacity: source.count)
    _ = bytes.initialize(from: source)
    parser.initialize(to: yaml_parser_t())
    isReady = yaml_parser_initialize(parser) == 1
    if isReady { yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count) }
  }

  deinit {
    if isReady { yaml_parser_delete(parser) }
    parser.deallocate()
    bytes.deallocate()
  }

  func document() throws(ConfigurationProblem) -> YAMLNode? {
    guard isReady else { throw problem(Position(line: 1, column: 1), "memory is short") }
    var event = try next()
    if event.type == YAML_STREAM_START_EVENT { event = try next() }
    guard event.type != YAML_STREAM_END_EVENT else { return nil }
    // The document's start; then its one value and its end.
    let root = try node(try next(), depth: 1)
    _ = try next()
    event = try next()
    guard event.type == YAML_STREAM_END_EVENT else { throw problem(event.position, "the file has a second document; keep one") }
    return root
  }

  private func node(_ start: Event, depth: Int) throws(ConfigurationProblem) -> YAMLNode {
    switch start.type {
    case YAML_SCALAR_EVENT:
      return YAMLNode(position: start.position, content: .scalar(start.text, isPlain: start.isPlain))
    case YAML_SEQUENCE_START_EVENT:
      try check(depth, at: start)
      var items: [YAMLNode] = []
      while case let event = try next(), event.type != YAML_SEQUENCE_END_EVENT { items.append(try node(event, depth: depth + 1)) }
      return YAMLNode(position: start.position, content: .sequence(items))
    case YAML_MAPPING_START_EVENT:
      try check(depth, at: start)
      return YAMLNode(position: start.position, content: .mapping(try entries(depth: depth)))
    default:
      throw problem(start.position, "a value was expected")
    }
  }

  private func entries(depth: Int) throws(ConfigurationProblem) -> [YAMLNode.Entry] {
    var entries: [YAMLNode.Entry] = []
    var lines: [String: Int] = [:]
    while case let key = try next(), key.type != YAML_MAPPING_END_EVENT {
      guard key.type == YAML_SCALAR_EVENT else { throw problem(key.position, "a key must be a word, not a list or a mapping") }
      let value = try node(try next(), depth: depth + 1)
      if let line = lines[key.text] {
        problems.append(problem(key.position, "the key \(key.text.quoted) is already on line \(line)"))
      } else {
        lines[key.text] = key.position.line
        entries.append(YAMLNode.Entry(key: key.text, position: key.position, value: value))
      }
    }
    return entries
  }

  private func check(_ depth: Int, at event: Event) throws(ConfigurationProblem) {
    guard depth <= YAMLDocument.maximumDepth else {
      throw problem(event.position, "values are nested more than \(YAMLDocument.maximumDepth) deep")
    }
  }

  /// The next event (`yaml_parser_parse`); refuses what the tree does not take.
  private func next() throws(ConfigurationProblem) -> Event {
    var raw = yaml_event_t()
    guard yaml_parser_parse(parser, &raw) == 1 else { throw syntaxProblem() }
    defer { yaml_event_delete(&raw) }
    var event = Event(
      type: raw.type, position: Position(line: Int(raw.start_mark.line) + 1, column: Int(raw.start_mark.column) + 1))
    var (anchor, tag): (UnsafeMutablePointer<yaml_char_t>?, UnsafeMutablePointer<yaml_char_t>?)
    switch raw.type {
    case YAML_ALIAS_EVENT:
      throw problem(event.position, "aliases (*name) are not supported; repeat the value")
    case YAML_SCALAR_EVENT:
      let scalar = raw.data.scalar
      (anchor, tag) = (scalar.anchor, scalar.tag)
      event.text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
      event.isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
    case YAML_SEQUENCE_START_EVENT:
      (anchor, tag) = (raw.data.sequence_start.anchor, raw.data.sequence_start.tag)
    case YAML_MAPPING_START_EVENT:
      (anchor, tag) = (raw.data.mapping_start.anchor, raw.data.mapping_start.tag)
    default:
      break
    }
    guard anchor == nil else { throw problem(event.position, "anchors (&name) are not supported; take it out") }
    guard tag == nil else { throw problem(event.position, "tags (!name) are not supported; take it out") }
    return event
  }

  private func syntaxProblem() -> ConfigurationProblem {
    let state = parser.pointee
    guard state.error != YAML_MEMORY_ERROR else { return problem(Position(line: 1, column: 1), "memory is short") }
    let what = state.problem.map { String(cString: $0) } ?? "not YAML"
    if state.error == YAML_READER_ERROR {
      // Reader errors have no mark, only the offset of the byte. A line feed is one in UTF-16 as well, which is near enough.
      let before = bytes[..<min(Int(state.problem_offset), bytes.count)]
      let line = before.split(separator: 0x0A, omittingEmptySubsequences: false).last ?? before
      let column = line.count { $0 & 0xC0 != 0x80 } + 1
      return problem(Position(line: before.count { $0 == 0x0A } + 1, column: column), what)
    }
    let context = state.context.map { String(cString: $0) + ": " } ?? ""
    return problem(Position(line: Int(state.problem_mark.line) + 1, column: Int(state.problem_mark.column) + 1), context + what)
  }

  private func problem(_ position: Position, _ message: String) -> ConfigurationProblem {
    ConfigurationProblem(line: position.line, column: position.column, key: "", message: message)
  }
}
