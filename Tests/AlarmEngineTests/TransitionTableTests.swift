import JSON
import Testing

/// Which alarm a cell of the table is about.
enum Shape: String, CaseIterable, Sendable {
  case timer, once, onceByTime, weekly

  /// The document without its id; it alerts 60 s after the driver's begin, with 30 s of countdown before where it has a schedule.
  var members: String {
    switch self {
    case .timer: #""countdown":{"preAlert":60,"postAlert":20}"#
    case .once: #""schedule":{"at":"2026-12-01T12:01"},"countdown":{"preAlert":30,"postAlert":20}"#
    case .onceByTime: #""schedule":{"time":"12:01"},"countdown":{"preAlert":30,"postAlert":20}"#
    case .weekly: #""schedule":{"time":"12:01","weekdays":"daily"},"countdown":{"preAlert":30,"postAlert":20}"#
    }
  }
}

/// The states of the life cycle, each of the two countdowns and pauses for itself.
enum Stage: String, CaseIterable, Sendable {
  case disabled, scheduled, preAlert, postAlert, paused, pausedSnooze, alerting

  var state: String {
    switch self {
    case .disabled, .scheduled, .alerting: rawValue
    case .preAlert, .postAlert: "countdown"
    case .paused, .pausedSnooze: "paused"
    }
  }
}

@Suite("The life cycle's table: operation × state")
struct TransitionTableTests {
  /// A driver whose alarm `a` is in a stage; a timer is never scheduled.
  private func driver(_ shape: Shape, in stage: Stage) -> EngineDriver {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"a",\#(shape.members)}"#)
    switch stage {
    case .disabled: driver.ask("disable", "a")
    case .scheduled: driver.advance(seconds: 10)
    case .preAlert: driver.advance(seconds: 45)
    case .alerting: driver.advance(seconds: 65)
    case .postAlert, .pausedSnooze:
      driver.advance(seconds: 65)
      driver.ask("snooze", "a")
      driver.advance(seconds: 5)
      if stage == .pausedSnooze { driver.ask("pause", "a") }
    case .paused:
      driver.advance(seconds: 45)
      driver.ask("pause", "a")
    }
    #expect(driver.state("a") == stage.state, "\(shape) \(stage)")
    return driver
  }

  private static let operations = [
    "cancel", "pause", "resume", "stop", "snooze", "countdown", "enable", "disable", "skip", "unskip", "adjust",
  ]

  /// What the contract's table allows.
  private func isAllowed(_ operation: String, _ shape: Shape, _ stage: Stage) -> Bool {
    switch operation {
    case "cancel", "enable", "disable": true
    case "pause": [.preAlert, .postAlert].contains(stage)
    case "resume": [.paused, .pausedSnooze].contains(stage)
    case "stop": [.alerting, .preAlert, .postAlert, .paused, .pausedSnooze].contains(stage)
    case "snooze", "countdown": stage == .alerting
    default: stage == .scheduled && shape == .weekly
    }
  }

  /// The state after an allowed operation; `nil`: the alarm is gone.
  private func outcome(_ operation: String, _ shape: Shape, _ stage: Stage) -> String? {
    switch operation {
    case "cancel": return nil
    case "pause": return "paused"
    case "resume", "snooze", "countdown": return "countdown"
    case "stop": return shape == .weekly ? "scheduled" : nil
    case "disable": return "disabled"
    case "enable":
      guard stage == .disabled else { return stage.state }
      return shape == .timer ? "countdown" : "scheduled"
    default: return "scheduled"
    }
  }

  @Test("Each cell does what the table says, or is invalid_transition and changes nothing", arguments: Shape.allCases, Stage.allCases)
  func table(shape: Shape, stage: Stage) {
    guard shape != .timer || stage != .scheduled else { return }
    for operation in Self.operations {
      let driver = driver(shape, in: stage)
      let extra = operation == "adjust" ? #","at":"2026-12-01T12:02""# : ""
      let (records, disk, mark) = (driver.engine.records, driver.disk.alarms, driver.log.count)
      let answer = driver.request(operation, #"{"id":"a"\#(extra)}"#)
      let cell = "\(operation) of a \(shape) in \(stage)"
      if isAllowed(operation, shape, stage) {
        #expect(answer.isOK, "\(cell): \(answer.message ?? "")")
        #expect(driver.state("a") == outcome(operation, shape, stage), "\(cell)")
        #expect((driver.sounding != nil) == (driver.state("a") == "alerting"), "\(cell)")
      } else {
        #expect(answer.code == "invalid_transition", "\(cell)")
        #expect(driver.engine.records == records, "\(cell)")
        #expect(driver.disk.alarms == disk, "\(cell)")
        #expect(driver.publishedKinds(since: mark) == ["reply"], "\(cell)")
        #expect(driver.commits(since: mark).isEmpty, "\(cell)")
      }
    }
  }

  @Test(
    "Every set word does what the request of its name does",
    arguments: ["pause", "resume", "stop", "snooze", "cancel", "enable", "disable", "skip", "unskip"])
  func words(word: String) {
    for stage in Stage.allCases {
      let driver = driver(.weekly, in: stage)
      let answer = driver.word(word, to: "a")
      #expect(answer.document?["operation"]?.string == word)
      #expect(answer.isOK == isAllowed(word, .weekly, stage), "\(word) in \(stage): \(answer.message ?? "")")
    }
  }

  @Test("An alarm that does not exist is not_found", arguments: operations)
  func notFound(operation: String) {
    let driver = EngineDriver()
    let answer = driver.request(operation, #"{"id":"nobody"\#(operation == "adjust" ? #","at":null"# : "")}"#)
    #expect(answer.code == "not_found")
  }

  @Test("A stale occurrence is a conflict, the present one is accepted")
  func occurrence() {
    for shape in Shape.allCases {
      let driver = driver(shape, in: .alerting)
      #expect(driver.request("stop", #"{"id":"a","occurrence":"1999-01-01"}"#).code == "conflict")
      #expect(driver.state("a") == "alerting")
      let occurrence = driver.document("a")["occurrence"]?.string ?? ""
      #expect(!occurrence.isEmpty, "a \(shape) has an occurrence")
      #expect(driver.request("stop", #"{"id":"a","occurrence":"\#(occurrence)"}"#).isOK)
    }
  }

  @Test("A second run of the same timer is another occurrence")
  func timerOccurrence() {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"a","duration":5}"#)
    let first = driver.document("a")["occurrence"]?.string ?? ""
    driver.advance(seconds: 5)
    driver.ask("stop", "a")
    driver.schedule(#"{"id":"a","duration":5}"#)
    #expect(driver.request("stop", #"{"id":"a","occurrence":"\#(first)"}"#).code == "conflict")
  }
}
