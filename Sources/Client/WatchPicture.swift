/// Draws the live view in place, over what it drew before.
struct WatchPicture {
  private let node: String
  private let terminal: Terminal
  /// How many rows the picture takes, its cursor below them.
  private var rows = 0

  init(node: String, terminal: Terminal) {
    self.node = node
    self.terminal = terminal
  }

  /// Hides the cursor.
  func begin() { Terminal.write("\u{1b}[?25l") }

  /// Shows the cursor again.
  func end() { Terminal.write("\u{1b}[?25h") }

  /// Answers `false` where nobody looks any more.
  mutating func show(_ model: WatchModel) -> Bool {
    let size = terminal.size ?? (80, 24)
    let lines = WatchScreen(node: node, style: terminal.style, width: size.columns, height: size.rows).lines(model)
    let up = rows > 0 ? "\r\u{1b}[\(min(rows, size.rows - 1))A" : ""
    rows = lines.count
    // Each line is cleared behind its end and not before its start, so that nothing flickers.
    return Terminal.write(up + lines.map { $0 + "\u{1b}[K\n" }.joined() + "\u{1b}[J")
  }
}
