import CivilTime

/// Text for people at terminals.
enum Text {
  /// Without control characters, which a title could use to play tricks on a terminal.
  static func printable(_ text: String) -> String {
    let isHarmless = text.unicodeScalars.allSatisfy { !isControl($0) }
    return isHarmless ? text : String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? " " : $0 }))
  }

  /// C0, DEL, C1, and the marks that change the direction of writing.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7f...0x9f, 0x2028...0x202e, 0x2066...0x2069: true
    default: false
    }
  }

  /// How many columns a terminal needs: two for East Asian wide characters and emoji, else one.
  static func width(_ text: String) -> Int { text.reduce(0) { $0 + width($1) } }

  private static func width(_ character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    let isEmoji =
      scalar.properties.isEmojiPresentation || character.unicodeScalars.contains { $0.value == 0xfe0f }
    switch scalar.value {
    case 0x1100...0x115f, 0x2e80...0x303e, 0x3041...0xa4cf, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f, 0xff00...0xff60,
      0xffe0...0xffe6, 0x20000...0x3fffd:
      return 2
    default: return isEmoji ? 2 : 1
    }
  }

  /// Cut to a width, with an ellipsis where something is left out.
  static func cut(_ text: String, to columns: Int) -> String {
    guard width(text) > columns else { return text }
    var result = ""
    var used = 0
    for character in text {
      used += width(character)
      if used > columns - 1 { break }
      result.append(character)
    }
    return columns > 0 ? result + "…" : ""
  }

  /// Cut or filled with spaces to a width.
  static func column(_ text: String, _ columns: Int) -> String {
    let text = cut(text, to: columns)
    return text + String(repeating: " ", count: max(columns - width(text), 0))
  }

  /// A published instant in its own zone: `Mon 2026-12-07 07:00`, with seconds where there are any. Anything else stays as it is.
  static func moment(_ instant: String) -> String {
    guard instant.count >= 19, let date = LocalDate(String(instant.prefix(10))) else { return printable(instant) }
    let weekday = String(describing: date.weekday)
    let time = instant.dropFirst(11).prefix(8)
    return "\(weekday.prefix(1).uppercased())\(weekday.dropFirst().prefix(2)) \(date) \(time.hasSuffix(":00") ? time.prefix(5) : time)"
  }

  /// `MM:SS`, from one hour on `H:MM:SS`.
  static func clock(_ seconds: Int64) -> String {
    func two(_ number: Int64) -> String { (number < 10 ? "0" : "") + String(number) }
    let minutes = seconds / 60
    return minutes < 60 ? "\(two(minutes)):\(two(seconds % 60))" : "\(minutes / 60):\(two(minutes % 60)):\(two(seconds % 60))"
  }
}
