import JSON

/// Replies and documents in words, as lines.
struct Report {
  var style: Style
  /// Columns that there are; `nil`: any number.
  var width: Int?

  /// The alarms of a list.
  func table(_ documents: [JSONObject]) -> [String] {
    let views = documents.compactMap(AlarmView.init).sorted(by: AlarmView.isBefore)
    guard !views.isEmpty else { return ["no alarms"] }
    let head = ["ID", "TITLE", "STATE", "NEXT", "REMAINING"]
    let rows = views.map { view in
      [view.id, view.title, view.stateWord, view.nextAlert.map(Text.moment) ?? "-", view.remaining.map(Text.clock) ?? "-"]
    }
    var widths = head.indices.map { column in ([head] + rows).map { Text.width($0[column]) }.max() ?? 0 }
    // What is too much for the terminal is taken from the title, then from the id.
    if let width {
      for (column, least) in [(1, 8), (0, 8)] {
        let excess = widths.reduce(0, +) + 2 * (widths.count - 1) - width
        if excess > 0 { widths[column] = max(widths[column] - excess, min(widths[column], least)) }
      }
    }
    func line(_ cells: [String], color: Style.Color?) -> String {
      let padded = zip(cells, widths).enumerated().map { column, cell in
        let text = column == cells.count - 1 ? cell.0 : Text.column(cell.0, cell.1)
        return column == 2 ? style.paint(text, color) : text
      }
      return padded.joined(separator: "  ")
    }
    return [style.paint(line(head, color: nil), .bold)] + rows.map { line($0, color: Style.color(ofState: $0[2])) }
  }

  /// A whole document: each value on a line, those within others with dots; what is null is left out.
  func document(_ value: JSONValue) -> [String] {
    let lines = Self.flat(value, "")
    let width = min(lines.map { Text.width($0.name) }.max() ?? 0, 32)
    return lines.map { "\(Text.column($0.name, max(width, Text.width($0.name))))  \($0.text)" }
  }

  private static func flat(_ value: JSONValue, _ name: String) -> [(name: String, text: String)] {
    switch value {
    case .null: return []
    case .object(let object):
      return object.flatMap { flat($0.value, name.isEmpty ? Text.printable($0.key) : "\(name).\(Text.printable($0.key))") }
    case .array(let values) where values.contains { $0.object != nil }:
      return values.enumerated().flatMap { flat($0.element, "\(name)[\($0.offset)]") }
    case .array(let values): return values.isEmpty ? [] : [(name, values.map(plain).joined(separator: ", "))]
    default: return [(name, plain(value))]
    }
  }

  private static func plain(_ value: JSONValue) -> String { Text.printable(value.string ?? value.description) }

  /// What became of an alarm.
  func outcome(_ operation: String, _ document: JSONObject) -> String {
    let id = Text.printable(document["id"]?.string ?? "")
    let title = document["title"]?.string.map { " (\(Text.printable($0)))" } ?? ""
    guard let view = AlarmView(document: document) else { return "\(id)\(title): gone" }
    var text = "\(id)\(title): \(style.paint(view.stateWord, Style.color(ofState: view.stateWord)))"
    if let remaining = view.remaining { text += ", \(Text.clock(remaining)) left" }
    if let next = view.nextAlert { text += ", rings \(Text.moment(next))" }
    if let skipped = document["skipped"]?.string { text += ", \(Text.printable(skipped)) is left out" }
    return text
  }

  /// What a reply's data say about one alarm, or several.
  func outcomes(_ operation: String, _ data: JSONValue) -> [String] {
    let documents = data.object?["alarms"]?.array?.compactMap(\.object) ?? [data.object].compactMap(\.self)
    return documents.isEmpty ? ["done"] : documents.map { outcome(operation, $0) }
  }

  func preview(_ data: JSONValue) -> [String] {
    let entries = (data.array ?? []).compactMap(\.object)
    return entries.isEmpty
      ? ["never"]
      : entries.map { entry in
        let note =
          switch entry["note"]?.string {
          case "gap": "  the clock skips this time: the first instant after"
          case "overlap": "  the clock shows this time twice: the first"
          case let other?: "  \(Text.printable(other))"
          case nil: ""
          }
        let at = entry["at"]?.string ?? "?"
        return "\(Text.moment(at)) \(at.suffix(6))\(note)"
      }
  }

  func event(_ document: JSONObject) -> String {
    let at = document["at"]?.string ?? ""
    let time = at.count >= 19 ? "\(at.prefix(10)) \(at.dropFirst(11).prefix(8))" : at
    let type = Text.printable(document["event_type"]?.string ?? "?")
    let id = document["id"]?.string.map { Text.printable($0) }
    let title = document["title"]?.string.map { " (\(Text.printable($0)))" } ?? ""
    let common: Set<String> = ["event_type", "id", "title", "body", "occurrence", "at", "sequence"]
    let rest = document.filter { !common.contains($0.key) && $0.value != .null }
      .map { "\(Text.printable($0.key))=\(Self.plain($0.value))" }
    let color: Style.Color? = ["missed", "output_failed"].contains(type) ? .red : Style.color(ofState: type)
    return ([Text.printable(time), style.paint(Text.column(type, 13), color)] + [id.map { $0 + title }].compactMap(\.self) + rest)
      .joined(separator: "  ")
  }

  func health(_ document: JSONObject, availability: String?) -> [String] {
    let isOnline = availability == "online"
    let isReady = document["ready"]?.bool == true
    let verdict = isOnline ? (isReady ? style.paint("ready", .green) : style.paint("not ready", .red)) : style.paint("offline", .red)
    var lines = [isOnline ? verdict : "\(verdict); what follows is the last that it said"]
    for problem in document["problems"]?.array ?? [] {
      let code = problem.object?["code"]?.string ?? "?"
      lines.append("  \(Text.printable(code)): \(Text.printable(problem.object?["message"]?.string ?? ""))")
    }
    var rest = document
    for key in ["ready", "problems"] { rest[key] = nil }
    return lines + self.document(.object(rest))
  }
}
