/// Colours by name, or none.
struct Style: Equatable {
  enum Color: String {
    case red = "31"
    case green = "32"
    case yellow = "33"
    case dim = "2"
    case bold = "1"
  }

  var isColored: Bool

  /// ECMA-48 §8.3.117, Select Graphic Rendition.
  func paint(_ text: String, _ color: Color?) -> String {
    guard isColored, let color else { return text }
    return "\u{1b}[\(color.rawValue)m\(text)\u{1b}[0m"
  }

  static func color(ofState state: String) -> Color? {
    switch state {
    case "alerting": .red
    case "countdown": .green
    case "paused", "snoozed": .yellow
    case "disabled": .dim
    default: nil
    }
  }
}
