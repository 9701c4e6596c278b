import TestSupport
import Testing

@testable import Configuration

@Suite("The keys that the parser, the packaged file and the manual know")
struct DocumentedKeysTests {
  /// The keys that the parser asks for, without their sections: as it lists them itself where a key is unknown.
  private static let known: Set<String> = {
    let section = "q9q9q9q9: 1"
    let lines = complaints(
      """
      \(section)
      mqtt: {\(section)}
      outputs:
        \(section)
        speaker: {\(section)}
        buzzer: {chip: a, line: 1, \(section)}
        light: {chip: a, line: 2, \(section)}
      buttons: [{chip: a, line: 3, press: {topic: t, \(section)}, \(section)}]
      home_assistant: {\(section)}
      limits: {\(section)}
      """)
    return Set(lines.flatMap { line in line.split(separator: "known here: ").dropFirst().joined().split(separator: ", ").map(String.init) })
  }()

  /// Those of them that hold others, and the members of a message, have no row of their own in the manual.
  private static let unlisted: Set<String> = [
    "mqtt", "outputs", "buzzer", "speaker", "light", "buttons", "home_assistant", "limits", "topic", "payload",
  ]

  /// The packaged file with its keys in force. Its prose begins with "# ", its keys with "#" or "#  ".
  private func uncommented() throws -> String {
    try ProjectFile.read("deploy/debian/reveille.yaml").split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.prefixMatch(of: /#([a-z]|  )/) == nil ? $0 : $0.dropFirst() }.joined(separator: "\n")
  }

  @Test("As packaged the file is that of an empty one")
  func asPackaged() throws {
    #expect(try parse(ProjectFile.read("deploy/debian/reveille.yaml")) == NodeConfiguration(hostName: "pi"))
  }

  @Test("With all comments removed the packaged file is right, and has every key")
  func conffile() throws {
    #expect(Self.known.count > 40)
    let active = try uncommented()
    #expect(complaints(active).isEmpty, "\(complaints(active))")
    // A passive buzzer instead of the active one.
    let passive = active.replacing(
      #/    chip: [^\n]*\n    line: 18\n    active_low: [^\n]*\n    pattern: [^\n]*\n    tick: [^\n]*\n/#, with: ""
    )
    .replacing("\n  #   ", with: "\n    ")
    #expect(complaints(passive).isEmpty, "\(complaints(passive))")
    guard case .passive = try parse(passive).outputs.buzzer?.kind else {
      Issue.record("no passive buzzer in\n\(passive)")
      return
    }
    let keys = Set((active + passive).matches(of: /([a-z_]+):(?: |\n)/).map { String($0.1) })
    #expect(Self.known.subtracting(keys).isEmpty, "not in reveille.yaml: \(Self.known.subtracting(keys))")
  }

  @Test("The manual page has every key and no other")
  func manual() throws {
    let page = try Subprocess([ProjectFile.path("deploy/debian/manual-page"), ProjectFile.path("docs/configuration.md")])
    #expect(page.wait() == 0)
    _ = page.output.first { _ in false }
    let lines = page.output.all
    let headings = zip(lines, lines.dropFirst()).filter { $0.0 == ".TP" }.map { $0.1.split(separator: " (default")[0] }
    let names = headings.flatMap { $0.matches(of: /\\fB([a-z_.]+)\\fR/).map { String($0.1.split(separator: ".").last ?? "") } }
    let expected = Self.known.subtracting(Self.unlisted)
    #expect(Set(names) == expected, "only one of both has: \(Set(names).symmetricDifference(expected))")
  }
}
