import AlarmEngine
import JSON
import Testing

@Suite("Buttons, as the engine sees them")
struct ButtonTests {
  private func ringing() -> EngineDriver {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"a","duration":1}"#)
    driver.advance(seconds: 5)
    #expect(driver.sounding != nil)
    return driver
  }

  @Test("A button that goes down silences at once, and a press snoozes with no further sound and no reply")
  func press() {
    let driver = ringing()
    driver.step(.buttonDown)
    #expect(driver.sounding == nil && driver.state("a") == "alerting", "nobody knows yet what it means")
    driver.advance(milliseconds: 300)
    let mark = driver.log.count
    driver.button(.snooze(nil))
    driver.step(.buttonDecided)
    #expect(driver.sounding == nil && driver.state("a") == "countdown")
    #expect(driver.replies(since: mark).isEmpty)
    #expect(driver.events("a", kind: "snoozed").last?["by"] == "button")
  }

  @Test("Released without meaning anything, what rang rings on")
  func undecided() {
    let driver = ringing()
    driver.step(.buttonDown)
    driver.advance(milliseconds: 500)
    #expect(driver.sounding == nil)
    driver.step(.buttonDecided)
    #expect(driver.sounding != nil && driver.state("a") == "alerting")
  }

  @Test("A button that is stuck silences for two seconds, and nothing that begins to ring meanwhile")
  func stuck() {
    let driver = ringing()
    driver.schedule(#"{"id":"b","duration":1}"#)
    driver.advance(milliseconds: 500)
    driver.step(.buttonDown)
    #expect(driver.sounding == nil)
    driver.advance(milliseconds: 600)
    #expect(driver.sounding != nil, "b rings")
    driver.ask("stop", "b")
    #expect(driver.sounding == nil)
    driver.advance(milliseconds: 1399)
    #expect(driver.sounding == nil)
    driver.advance(milliseconds: 1)
    #expect(driver.sounding != nil, "and so does a again")
  }

  @Test("Whether a button has any use is known before")
  func use() {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"a","schedule":{"time":"12:01"},"countdown":{"preAlert":30}}"#)
    #expect(AlarmOperation.buttons.allSatisfy { !driver.engine.hasUse(for: $0) })
    driver.advance(seconds: 45)
    #expect(AlarmOperation.buttons.allSatisfy { !driver.engine.hasUse(for: $0) }, "a first countdown is nobody's business")
    driver.advance(seconds: 20)
    #expect(AlarmOperation.buttons.map { driver.engine.hasUse(for: $0) } == [true, true, false, false])
    driver.schedule(#"{"id":"t","duration":100}"#)
    #expect(AlarmOperation.buttons.map { driver.engine.hasUse(for: $0) } == [true, true, true, false])
  }

  @Test("A test names its outputs and says when nobody will hear it")
  func outputs() {
    let driver = EngineDriver()
    #expect(driver.request("test", #"{"outputs":["speaker"]}"#).data?["muted"] == .null)
    #expect(driver.sounding != nil)
    #expect(driver.request("test", #"{"outputs":"siren"}"#).field == "outputs")
    driver.set("silent", "ON")
    #expect(driver.request("test").data?["muted"] == "silent")
  }
}

extension AlarmOperation {
  /// What buttons ask for.
  fileprivate static let buttons: [AlarmOperation] = [.stop, .snooze(nil), .pause, .resume]
}
