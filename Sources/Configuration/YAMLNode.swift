/// One value of a YAML file, with its place.
struct YAMLNode: Sendable, Equatable {
  /// Line and column, from 1; columns count Unicode code points.
  struct Position: Sendable, Equatable {
    var line: Int
    var column: Int
  }

  enum Content: Sendable, Equatable {
    /// `isPlain`: neither quoted nor a block; only such text can be a number, a boolean or null.
    case scalar(String, isPlain: Bool)
    case sequence([YAMLNode])
    /// In the order of the file; no key twice.
    case mapping([Entry])
  }

  struct Entry: Sendable, Equatable {
    var key: String
    var position: Position
    var value: YAMLNode
  }

  var position: Position
  var content: Content

  /// The text, however it is written.
  var text: String? {
    if case .scalar(let text, _) = content { text } else { nil }
  }

  private var plain: String? {
    if case .scalar(let text, isPlain: true) = content { text } else { nil }
  }

  /// Nothing, `~` or `null`.
  var isNull: Bool { plain.map { ["", "~", "null", "Null", "NULL"].contains($0) } ?? false }

  /// `true`, `yes`, `false` and `no` in any case. YAML 1.1 has more words, but `on` and `off` are needed as text.
  var boolean: Bool? {
    switch plain?.lowercased() {
    case "true", "yes": true
    case "false", "no": false
    default: nil
    }
  }

  /// A decimal whole number. Leading zeros are refused: they are octal in YAML 1.1 and decimal in 1.2.
  var integer: Int? {
    guard let plain, plain.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2B }) else { return nil }
    let digits = plain.drop { $0 == "-" || $0 == "+" }
    return digits.count > 1 && digits.first == "0" ? nil : Int(plain)
  }

  /// Whether YAML takes it for a number rather than for text.
  var isNumber: Bool {
    guard let plain, let first = plain.utf8.first else { return false }
    // Double also reads words such as "nan" and "infinity".
    return ((0x30...0x39).contains(first) || "+-.".utf8.contains(first)) && Double(plain) != nil
  }

  /// A number, but in quotes.
  var isQuotedNumber: Bool {
    if case .scalar(let text, isPlain: false) = content { Int(text) != nil } else { false }
  }
}
