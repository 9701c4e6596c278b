import JSON
import Testing

@Suite("Replacing, enabling and disabling")
struct ReplacingTests {
  private static let weekly = #"{"id":"a","title":"Wake","schedule":{"time":"13:00","weekdays":"daily"},"countdown":{"preAlert":600}}"#

  @Test("An equal document changes nothing", arguments: [false, true])
  func equal(whileRinging: Bool) {
    let driver = EngineDriver()
    driver.schedule(Self.weekly)
    if whileRinging { driver.advance(to: "2026-12-01T13:00:01") }
    let (records, mark) = (driver.engine.records, driver.log.count)
    let answer = driver.schedule(
      #"{"countdown":{"preAlert":"PT10M"},"schedule":{"weekdays":"mon-sun","time":"13:00:00"},"title":"Wake","id":"a"}"#)
    #expect(answer.isOK)
    #expect(answer.data?["revision"] == 1)
    #expect(driver.engine.records == records)
    #expect(!driver.commits(since: mark).contains { !$0.alarms.isEmpty || !$0.events.isEmpty })
    #expect(driver.publishedKinds(since: mark) == ["reply"])
  }

  @Test("An equal timer goes on; a different one restarts")
  func timer() {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"t","duration":60}"#)
    driver.advance(seconds: 20)
    driver.schedule(#"{"id":"t","duration":"1m"}"#)
    #expect(driver.document("t")["remaining"] == 40)
    driver.schedule(#"{"id":"t","duration":61}"#)
    #expect(driver.document("t")["remaining"] == 61)
    #expect(driver.events("t", kind: "stopped").map { $0["by"] } == ["replaced"])
    #expect(driver.document("t")["revision"] == 2)
    driver.advance(seconds: 61)
    #expect(driver.alerts("t") == [81_000])
  }

  @Test("A different document ends the ringing occurrence and is judged afresh, whatever rang today")
  func different() throws {
    let driver = EngineDriver()
    driver.schedule(Self.weekly)
    driver.advance(to: "2026-12-01T13:00:30")
    #expect(driver.sounding != nil)
    #expect(driver.schedule(#"{"id":"a","title":"Later","schedule":{"time":"13:05","weekdays":"daily"}}"#).isOK)
    #expect(driver.sounding == nil)
    let stopped = try #require(driver.events("a", kind: "stopped").first)
    #expect(stopped["by"] == "replaced")
    #expect(driver.kinds("a").last == "updated")
    driver.advance(to: "2026-12-01T13:05:00")
    #expect(driver.wallAlerts("a") == [instant("2026-12-01T13:00"), instant("2026-12-01T13:05")])
  }

  @Test("ifRevision accepts the present revision and refuses any other")
  func revision() {
    let driver = EngineDriver()
    driver.schedule(Self.weekly)
    #expect(driver.document("a")["revision"] == 1)
    let changed = #"{"id":"a","schedule":{"time":"14:00","weekdays":"daily"},"ifRevision":"#
    #expect(driver.schedule(changed + "2}").code == "conflict")
    #expect(driver.document("a")["title"] == "Wake")
    #expect(driver.schedule(changed + "1}").isOK)
    #expect(driver.document("a")["revision"] == 2)
    #expect(driver.schedule(changed + "1}").code == "conflict")
    #expect(driver.schedule(#"{"id":"new","duration":5,"ifRevision":3}"#).code == "conflict")
    #expect(driver.state("new") == nil)
  }

  @Test("Read, edit and send back changes the one thing that was edited")
  func roundTrip() {
    let driver = EngineDriver()
    driver.schedule(Self.weekly)
    driver.advance(to: "2026-12-01T12:55:00")
    var document = driver.document("a")
    #expect(driver.schedule(document.description).data?["revision"] == 1)
    document["title"] = "Edited"
    #expect(driver.schedule(document.description).data?["revision"] == 2)
    #expect(driver.document("a")["title"] == "Edited")
    #expect(driver.document("a")["countdown"]?["preAlert"] == 600)
  }

  @Test("A disabled alarm keeps its place and never fires; enabling judges from then on and nothing is missed")
  func disable() {
    let driver = EngineDriver()
    driver.schedule(Self.weekly)
    driver.advance(to: "2026-12-01T12:55:00")
    driver.ask("disable", "a")
    #expect(driver.events("a", kind: "stopped").map { $0["by"] } == ["disabled"])
    #expect(driver.document("a")["state"] == "disabled")
    #expect(driver.document("a")["enabled"] == false)
    #expect(driver.document("a")["nextAlert"] == .null)
    driver.advance(to: "2026-12-03T13:05:00")
    driver.ask("enable", "a")
    #expect(driver.alerts("a") == [])
    #expect(driver.events("a", kind: "missed").isEmpty)
    #expect(driver.document("a")["nextAlert"] == "2026-12-04T13:00:00.000+01:00")
    driver.advance(to: "2026-12-04T13:00:00")
    #expect(driver.wallAlerts("a") == [instant("2026-12-04T13:00")])
  }

  @Test("Enabling within the preAlert begins the countdown late")
  func enableWithinPreAlert() {
    let driver = EngineDriver()
    driver.schedule(Self.weekly)
    driver.ask("disable", "a")
    driver.advance(to: "2026-12-01T12:58:00")
    driver.ask("enable", "a")
    driver.advance(milliseconds: 0)
    #expect(driver.state("a") == "countdown")
    #expect(driver.document("a")["total"] == 600)
  }

  @Test("Enabling a one-shot whose instant is past is invalid_argument and changes nothing")
  func enablePast() {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"a","schedule":{"at":"2026-12-01T13:00"}}"#)
    driver.ask("disable", "a")
    driver.advance(to: "2026-12-01T14:00:00")
    let records = driver.engine.records
    #expect(driver.ask("enable", "a").code == "invalid_argument")
    #expect(driver.engine.records == records)
    #expect(driver.alerts("a") == [])
  }

  @Test("A disabled one-shot with a time comes the next time that the clock shows it after enabling")
  func enableTimeOnce() {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"a","schedule":{"time":"13:00"}}"#)
    driver.ask("disable", "a")
    driver.advance(to: "2026-12-02T14:00:00")
    #expect(driver.ask("enable", "a").isOK)
    driver.advance(to: "2026-12-03T13:00:00")
    #expect(driver.wallAlerts("a") == [instant("2026-12-03T13:00")])
  }

  @Test("A timer that is enabled again starts full")
  func enableTimer() {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"t","duration":60}"#)
    driver.advance(seconds: 20)
    driver.ask("disable", "t")
    driver.advance(seconds: 100)
    #expect(driver.alerts("t") == [])
    driver.ask("enable", "t")
    #expect(driver.document("t")["remaining"] == 60)
    driver.advance(seconds: 60)
    #expect(driver.alerts("t") == [180_000])
  }

  @Test("An alarm may be scheduled disabled, and then neither rings nor ticks")
  func scheduledDisabled() {
    let driver = EngineDriver()
    #expect(driver.schedule(#"{"id":"a","enabled":false,"schedule":{"time":"13:00","weekdays":"daily"}}"#).isOK)
    #expect(driver.schedule(#"{"id":"t","enabled":"OFF","duration":5}"#).isOK)
    driver.advance(seconds: 90_000)
    #expect(driver.state("a") == "disabled")
    #expect(driver.state("t") == "disabled")
    #expect(driver.soundings.isEmpty)
    #expect(driver.ticks("t").isEmpty)
  }

  @Test("Cancelling removes it altogether, repeating or not")
  func cancel() {
    let driver = EngineDriver()
    driver.schedule(Self.weekly)
    driver.advance(to: "2026-12-01T13:00:01")
    #expect(driver.ask("cancel", "a").isOK)
    #expect(driver.sounding == nil)
    #expect(driver.kinds("a").contains("cancelled"))
    #expect(driver.retained["a"] == nil)
    #expect(driver.disk.alarms.isEmpty)
    driver.advance(seconds: 200_000)
    #expect(driver.alerts("a").count == 1)
  }

  @Test("One alarm more than allowed is limit_reached; replacing one is not")
  func limit() {
    let driver = EngineDriver(maximumAlarms: 3)
    for id in ["a", "b", "c"] { #expect(driver.schedule(#"{"id":"\#(id)","duration":100}"#).isOK) }
    #expect(driver.schedule(#"{"id":"d","duration":100}"#).code == "limit_reached")
    #expect(driver.schedule(#"{"id":"c","duration":101}"#).isOK)
    #expect(driver.engine.records.count == 3)
    driver.ask("cancel", "a")
    #expect(driver.schedule(#"{"id":"d","duration":100}"#).isOK)
  }

  @Test("A document without an id gets one, which the reply tells")
  func madeIdentifier() {
    let driver = EngineDriver()
    let first = driver.schedule(#"{"duration":100}"#).data?["id"]?.string
    let second = driver.schedule(#"{"duration":100}"#).data?["id"]?.string
    #expect(first != nil && first != second)
    #expect(driver.engine.records.count == 2)
  }
}
