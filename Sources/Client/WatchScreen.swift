/// The live view as lines: a picture for a terminal, or a line for each change elsewhere.
struct WatchScreen {
  var node: String
  var style: Style
  /// Columns.
  var width: Int
  /// Rows.
  var height: Int

  /// All lines; none is wider than the terminal, and they are fewer than it has rows.
  func lines(_ model: WatchModel) -> [String] {
    let status: (text: String, color: Style.Color?) =
      switch model.isOnline {
      case true?: ("online", .green)
      case false?: ("offline", .red)
      case nil: ("not heard of yet", .yellow)
      }
    let head = Text.cut("reveille  \(node)  ", to: max(width - Text.width(status.text), 0))
    let alarms = model.sorted
    // The title line, and one below for the cursor.
    let room = max(height - 2, 1)
    let shown = alarms.count > room ? Array(alarms.prefix(max(room - 1, 0))) : alarms
    var lines = [style.paint(head, .bold) + style.paint(Text.cut(status.text, to: width), status.color)]
    let names = min(max(shown.map { Text.width(name($0)) }.max() ?? 0, 8), max(width / 3, 8))
    lines += shown.map { row($0, names: names) }
    if alarms.isEmpty { lines.append(Text.cut("no alarms", to: width)) }
    if shown.count < alarms.count { lines.append(Text.cut("and \(alarms.count - shown.count) more", to: width)) }
    return lines
  }

  private func name(_ view: AlarmView) -> String { view.title.isEmpty ? view.id : view.title }

  private func row(_ view: AlarmView, names: Int) -> String {
    let color = Style.color(ofState: view.stateWord)
    let name = Text.column(name(view), names)
    let state = Text.column(view.stateWord, 9)
    guard let progress = view.progress, let remaining = view.remaining else {
      let next = view.state == "scheduled" ? view.nextAlert.map(Text.moment) ?? "" : ""
      return paint("\(name)  \(state)  \(next)", name: names, color)
    }
    let clock = Text.clock(remaining)
    let left = "\(name)  \(state)  \(String(repeating: " ", count: max(8 - clock.count, 0)))\(clock)  "
    let room = min(width - Text.width(left) - 2, 40)
    return paint(room >= 5 ? left + Self.bar(progress, room) : left, name: names, color)
  }

  /// Cuts a row to the width and paints what follows the name.
  private func paint(_ row: String, name: Int, _ color: Style.Color?) -> String {
    var cut = Text.cut(row, to: width)
    while cut.last == " " { cut.removeLast() }
    var used = 0
    let split = cut.firstIndex { character in
      defer { used += Text.width(String(character)) }
      return used >= name
    }
    guard let split else { return cut }
    return cut[..<split] + style.paint(String(cut[split...]), color)
  }

  /// `[####----]`, so many columns between the brackets.
  static func bar(_ progress: Double, _ columns: Int) -> String {
    let full = min(Int((progress * Double(columns)).rounded(.down)), columns)
    return "[" + String(repeating: "#", count: full) + String(repeating: "-", count: columns - full) + "]"
  }

  /// An alarm in one line, for pipes.
  static func plain(_ view: AlarmView) -> String {
    var parts = [view.id, view.stateWord]
    if let remaining = view.remaining, let progress = view.progress {
      parts += [Text.clock(remaining), "\(Int(progress * 100))%"]
    } else if let next = view.nextAlert {
      parts.append(Text.moment(next))
    }
    if !view.title.isEmpty { parts.append(view.title) }
    return parts.joined(separator: "  ")
  }
}
