import JSON
import Testing

@testable import Client

@Suite("What is shown")
struct RenderingTests {
  private let plain = Style(isColored: false)

  private func documents() throws -> [JSONObject] {
    try [
      #"{"id":"wake-up","title":"Wake up","state":"scheduled","nextAlert":"2026-12-08T07:00:00.000+01:00","snoozes":0}"#,
      #"{"id":"pasta","title":"Pasta","state":"countdown","nextAlert":"2026-12-07T12:00:01.250+01:00","remaining":150,"total":600,"snoozes":0}"#,
      #"{"id":"old","title":null,"state":"disabled","snoozes":0}"#,
    ].map { try #require(try json($0).object) }
  }

  private func model() throws -> WatchModel {
    var model = WatchModel()
    model.isOnline = true
    for document in try documents() { model.take(document: document, id: document["id"]?.string ?? "") }
    return model
  }

  @Test("The table has the most urgent alarm first and times as the node gives them")
  func table() throws {
    #expect(
      try Report(style: plain, width: nil).table(documents()) == [
        "ID       TITLE    STATE      NEXT                     REMAINING",
        "pasta    Pasta    countdown  Mon 2026-12-07 12:00:01  02:30",
        "wake-up  Wake up  scheduled  Tue 2026-12-08 07:00     -",
        "old               disabled   -                        -",
      ])
    #expect(Report(style: plain, width: nil).table([]) == ["no alarms"])
  }

  @Test("A live view has a bar for each countdown, and no line is wider than the terminal", arguments: [20, 40, 80, 200])
  func screen(width: Int) throws {
    var model = try model()
    let long = try #require(try json(#"{"id":"l","state":"alerting","title":"\#(String(repeating: "長い", count: 60))","snoozes":0}"#).object)
    model.take(document: long, id: "l")
    let lines = WatchScreen(node: "bedroom", style: plain, width: width, height: 24).lines(model)
    #expect(lines.count == 5 && lines.allSatisfy { Text.width($0) <= width }, "\(lines)")
    if width == 80 { #expect(lines.contains { $0.contains("02:30") && $0.contains("[####") && $0.contains("---]") }) }
  }

  @Test("A view is never higher than the terminal, and says what it leaves out")
  func height() throws {
    var model = WatchModel()
    for number in 0..<50 {
      let document = try #require(try json(#"{"id":"a\#(number)","state":"scheduled","snoozes":0}"#).object)
      model.take(document: document, id: "a\(number)")
    }
    let lines = WatchScreen(node: "bedroom", style: plain, width: 80, height: 10).lines(model)
    #expect(lines.count < 10 && lines.last == "and 43 more")
  }

  @Test("Ticks move the countdown, and an empty document ends it")
  func ticks() throws {
    var model = try model()
    let tick = #"{"id":"pasta","state":"countdown","phase":"postAlert","remaining":149,"total":600}"#
    model.take(activity: try #require(try json(tick).object))
    #expect(model.alarms["pasta"].map(WatchScreen.plain) == "pasta  snoozed  02:29  75%  Pasta")
    model.take(document: nil, id: "pasta")
    #expect(model.alarms["pasta"] == nil && model.alarms.count == 2)
  }

  @Test("A bar is empty at 0 and full at 1")
  func bar() {
    #expect(WatchScreen.bar(0, 4) == "[----]" && WatchScreen.bar(0.5, 4) == "[##--]" && WatchScreen.bar(1, 4) == "[####]")
  }

  @Test("Only a colour terminal gets colours, and titles cannot send it commands")
  func escapes() throws {
    let evil = try #require(try json(#"{"id":"x","title":"\u001b[2Jgone\u202e\u009b","state":"alerting","snoozes":0}"#).object)
    #expect(!Report(style: plain, width: nil).table([evil]).joined().contains("\u{1b}"))
    let colored = Report(style: Style(isColored: true), width: nil).outcome("stop", evil)
    #expect(colored.contains("\u{1b}[31malerting\u{1b}[0m") && !colored.contains("[2J\u{1b}") && !colored.contains("\u{1b}[2J"))
    let event = try #require(
      try json(#"{"event_type":"stopped","id":"x","message":"\u001b]0;x","at":"2026-12-07T11:50:11.000+01:00"}"#).object)
    #expect(Report(style: plain, width: nil).event(event) == "2026-12-07 11:50:11  stopped        x  message= ]0;x")
  }

  @Test("Completions name every command and option in every shell", arguments: ["bash", "zsh", "fish"])
  func completions(shell: String) throws {
    let script = try #require(Completion.script(for: shell))
    for command in CommandTable.all {
      #expect(script.contains(command.name))
      for option in command.allOptions { #expect(script.contains(shell == "fish" ? "-l \(option.name.dropFirst(2))" : option.name)) }
    }
    #expect(Completion.script(for: "csh") == nil)
  }
}
