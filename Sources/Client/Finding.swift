import JSON

/// One thing that `doctor` has looked at.
struct Finding: Equatable {
  enum Verdict: String {
    case ok, warn, fail
  }

  var verdict: Verdict
  /// A stable word.
  var check: String
  /// What was found and, where it is not well, what to do.
  var message: String

  init(_ verdict: Verdict, _ check: String, _ message: String) {
    self.verdict = verdict
    self.check = check
    self.message = message
  }

  var json: JSONObject { ["check": .string(check), "verdict": .string(verdict.rawValue), "message": .string(message)] }

  func line(_ style: Style) -> String {
    let color: Style.Color = verdict == .ok ? .green : verdict == .warn ? .yellow : .red
    return "\(style.paint(Text.column(verdict.rawValue, 4), color))  \(Text.column(check, 11))  \(Text.printable(message))"
  }
}
