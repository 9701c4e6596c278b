import AlarmEngine
import JSON
import Testing

@Suite("Operations without an id")
struct WithoutIdentifierTests {
  /// A weekly alarm `week` that is alerting at 12:01, a one-shot `snoozed` that is snoozing, a timer `timer` and a weekly alarm `soon` in
  /// its first countdown.
  private func busy(alerting: Bool = true) -> EngineDriver {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"snoozed","schedule":{"at":"2026-12-01T12:00:30"},"countdown":{"postAlert":600}}"#)
    if alerting { driver.schedule(#"{"id":"week","schedule":{"time":"12:01","weekdays":"daily"}}"#) }
    driver.schedule(#"{"id":"timer","duration":600}"#)
    driver.schedule(#"{"id":"soon","schedule":{"time":"12:05","weekdays":"daily"},"countdown":{"preAlert":280}}"#)
    driver.advance(seconds: 35)
    #expect(driver.ask("snooze", "snoozed").isOK)
    driver.advance(seconds: 30)
    return driver
  }

  private func states(_ driver: EngineDriver) -> [String: String] { driver.engine.records.mapValues(\.state.rawValue) }

  @Test("Stop ends what alerts, and nothing else")
  func stopAlerting() {
    let driver = busy()
    #expect(driver.request("stop").isOK)
    #expect(states(driver) == ["snoozed": "countdown", "week": "scheduled", "timer": "countdown", "soon": "countdown"])
  }

  @Test("If nothing alerts, stop ends what snoozes, and never a first countdown")
  func stopSnoozing() {
    let driver = busy(alerting: false)
    #expect(driver.request("stop").isOK)
    #expect(states(driver) == ["timer": "countdown", "soon": "countdown"])
    #expect(driver.request("stop").code == "nothing_to_do")
    #expect(states(driver) == ["timer": "countdown", "soon": "countdown"])
  }

  @Test("Snooze takes all that alert")
  func snooze() {
    let driver = busy()
    driver.schedule(#"{"id":"second","schedule":{"at":"2026-12-01T12:01:10"}}"#)
    driver.advance(seconds: 10)
    #expect(driver.request("snooze", #"{"duration":45}"#).isOK)
    #expect(states(driver)["week"] == "countdown")
    #expect(states(driver)["second"] == "countdown")
    #expect(driver.sounding == nil)
    #expect(driver.document("week")["total"] == 45)
    #expect(driver.document("snoozed")["total"] == 600)
    #expect(driver.request("snooze").code == "nothing_to_do")
  }

  @Test("Pause and resume touch only alarms without a schedule")
  func pause() {
    let driver = busy()
    #expect(driver.request("pause").isOK)
    #expect(states(driver) == ["snoozed": "countdown", "week": "alerting", "timer": "paused", "soon": "countdown"])
    #expect(driver.request("pause").code == "nothing_to_do")
    driver.ask("pause", "soon")
    #expect(driver.request("resume").isOK)
    #expect(states(driver) == ["snoozed": "countdown", "week": "alerting", "timer": "countdown", "soon": "paused"])
    #expect(driver.request("resume").code == "nothing_to_do")
  }

  @Test("A null id is an absent one")
  func nullIdentifier() {
    let driver = busy()
    #expect(driver.request("stop", #"{"id":null}"#).isOK)
    #expect(states(driver)["week"] == "scheduled")
  }

  @Test("Buttons do likewise, and the events tell of the button")
  func buttons() {
    let driver = busy()
    driver.button(.stop)
    #expect(driver.sounding == nil)
    #expect(driver.events("week", kind: "stopped").map { $0["by"] } == ["button"])
    driver.button(.stop)
    #expect(driver.events("snoozed", kind: "stopped").map { $0["by"] } == ["button"])
    driver.button(.stop)
    driver.button(.snooze(nil))
    #expect(states(driver) == ["week": "scheduled", "timer": "countdown", "soon": "countdown"])
  }

  @Test("Other operations need an id", arguments: ["cancel", "enable", "disable", "skip", "unskip", "adjust", "get"])
  func needed(operation: String) {
    let driver = busy()
    let before = driver.engine.records
    #expect(driver.request(operation, operation == "adjust" ? #"{"at":null}"# : "{}").code == "invalid_argument")
    #expect(driver.engine.records == before)
  }
}
