import Glibc

/// Standard output, as a terminal or not.
struct Terminal {
  /// Whether it is a terminal that can move its cursor.
  let isInteractive: Bool
  let style: Style

  /// https://no-color.org: a variable NO_COLOR that is not empty means no colour.
  init(environment: (String) -> String? = ClientSettings.environment) {
    let kind = environment("TERM") ?? ""
    isInteractive = isatty(STDOUT_FILENO) == 1 && kind != "dumb" && !kind.isEmpty
    style = Style(isColored: isInteractive && (environment("NO_COLOR") ?? "").isEmpty)
  }

  /// Columns and rows; `nil` where it has none to tell.
  var size: (columns: Int, rows: Int)? {
    var size = winsize()
    guard isInteractive, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Writes everything; answers `false` where nobody reads any more.
  @discardableResult
  static func write(_ text: String, to descriptor: Int32 = STDOUT_FILENO) -> Bool {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return false }
      bytes = bytes.dropFirst(count)
    }
    return true
  }

  @discardableResult
  static func print(_ lines: [String]) -> Bool { write(lines.map { $0 + "\n" }.joined()) }
}
