import CivilTime
import JSON
import Testing

@Suite("Alarms that happen once")
struct OneShotTests {
  @Test("An instant rings at its instant and is gone when stopped")
  func fixed() {
    let driver = EngineDriver()
    #expect(driver.schedule(#"{"id":"a","schedule":{"at":"2026-12-01T14:00:00+01:00"}}"#).isOK)
    #expect(driver.state("a") == "scheduled")
    #expect(driver.retainedNode?["next"] == ["id": "a", "title": .null, "at": "2026-12-01T14:00:00.000+01:00"])
    driver.advance(to: "2026-12-01T14:00:05")
    #expect(driver.wallAlerts("a") == [instant("2026-12-01T14:00")])
    #expect(driver.events("a", kind: "alerting").first?["lateness"]?.double == 0)
    driver.ask("stop", "a")
    #expect(driver.state("a") == nil)
    #expect(driver.disk.alarms["a"] == nil)
  }

  @Test("An instant without an offset is the alarm's own zone's")
  func otherZone() {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"a","schedule":{"at":"2026-12-01T14:00","timeZone":"America/New_York"}}"#)
    driver.advance(to: "2026-12-01T20:00:00")
    #expect(driver.wallAlerts("a") == [instant("2026-12-01T19:00:00Z")])
  }

  @Test("A past instant is refused, and so is the present one", arguments: ["2026-12-01T11:59:59", "2026-12-01T12:00:00"])
  func past(at: String) {
    let driver = EngineDriver()
    let answer = driver.schedule(#"{"id":"a","schedule":{"at":"\#(at)"}}"#)
    #expect(answer.code == "invalid_argument")
    #expect(answer.field == "schedule.at")
    #expect(driver.engine.records.isEmpty)
    #expect(!driver.commits().contains { !$0.alarms.isEmpty })
  }

  @Test(
    "A time without weekdays is the next time the clock shows it, once",
    arguments: [
      ("12:00:01", "2026-12-01T12:00:01"), ("12:00", "2026-12-02T12:00:00"), ("07:00", "2026-12-02T07:00:00"),
      ("23:59:59", "2026-12-01T23:59:59"),
    ])
  func timeOnce(time: String, expected: String) {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"a","schedule":{"time":"\#(time)"},"ringFor":5,"onRingTimeout":"stop"}"#)
    driver.advance(seconds: 3 * 86_400)
    #expect(driver.wallAlerts("a") == [instant(expected)])
    #expect(driver.state("a") == nil)
  }

  @Test("A one-shot with a preAlert counts down before its instant and alerts at it")
  func preAlert() {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"a","schedule":{"at":"2026-12-01T12:10"},"countdown":{"preAlert":60}}"#)
    driver.advance(to: "2026-12-01T12:09:00")
    #expect(driver.state("a") == "countdown")
    driver.advance(to: "2026-12-01T12:10:01")
    #expect(driver.ticks("a") == (0...60).map { Tick(60 - $0, at: 540_000 + $0 * 1000) })
    #expect(driver.alerts("a") == [600_000])
    #expect(driver.kinds("a") == ["scheduled", "started", "alerting"])
  }

  @Test("Scheduled within its preAlert it starts late, with the total unchanged and the first tick on the next whole second")
  func lateStart() {
    let driver = EngineDriver(at: "2026-12-01T12:00:00.300")
    driver.schedule(#"{"id":"a","schedule":{"at":"2026-12-01T12:00:10"},"countdown":{"preAlert":60}}"#)
    #expect(driver.state("a") == "countdown")
    #expect(driver.document("a")["total"] == 60)
    #expect(driver.document("a")["fireDate"] == "2026-12-01T12:00:10.000+01:00")
    driver.advance(seconds: 12)
    #expect(driver.ticks("a") == (0...9).map { Tick(9 - $0, at: 700 + $0 * 1000) })
    #expect(driver.alerts("a") == [9700])
  }

  @Test("The document tells when it alerts next, its occurrence and the time left")
  func document() {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"a","schedule":{"at":"2026-12-01T12:10"},"countdown":{"preAlert":60}}"#)
    let scheduled = driver.document("a")
    #expect(scheduled["nextAlert"] == "2026-12-01T12:10:00.000+01:00")
    #expect(scheduled["fireDate"] == .null)
    #expect(scheduled["remaining"] == .null)
    #expect(scheduled["occurrence"]?.string != nil)
    #expect(driver.retained["a"].map { json($0.description) } == scheduled)
    driver.advance(to: "2026-12-01T12:09:15")
    let counting = driver.document("a")
    #expect(counting["fireDate"] == "2026-12-01T12:10:00.000+01:00")
    #expect(counting["total"] == 60)
    #expect(counting["remaining"] == 45)
    #expect(counting["occurrence"] == scheduled["occurrence"])
  }

  @Test("One that nobody answered and that ends missed stays disabled, and goes after 7 days")
  func missed() throws {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"a","schedule":{"at":"2026-12-01T12:10"},"ringFor":60,"maximumSnoozes":0}"#)
    driver.advance(to: "2026-12-01T12:11:30")
    #expect(driver.state("a") == "disabled")
    let document = driver.document("a")
    #expect(document["enabled"] == false)
    #expect(document["lastOutcome"] == "missed")
    let missed = try #require(driver.events("a", kind: "missed").first)
    #expect(missed["reason"] == "unanswered")
    #expect(driver.events("a", kind: "missed").count == 1)
    driver.advance(to: "2026-12-08T12:10:00")
    #expect(driver.state("a") == "disabled")
    driver.advance(to: "2026-12-08T12:11:30")
    #expect(driver.state("a") == nil)
    #expect(driver.retained["a"] == nil)
    #expect(driver.disk.alarms.isEmpty)
  }

  @Test("A missed one-shot still goes when the node was off on its seventh day")
  func missedOverRestart() {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"a","schedule":{"at":"2026-12-01T12:10"},"missedPolicy":"miss"}"#)
    driver.restart(afterDowntime: 3_600_000)
    #expect(driver.state("a") == "disabled")
    driver.restart(afterDowntime: 8 * 86_400_000)
    driver.advance(seconds: 1)
    #expect(driver.state("a") == nil)
  }

  @Test("A reminder is an event and a chime, each at its own time before the alert")
  func reminders() {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"a","schedule":{"at":"2026-12-01T13:00"},"reminders":[1800,60]}"#)
    driver.advance(to: "2026-12-01T12:30:20")
    let reminders = driver.events("a", kind: "reminder")
    #expect(reminders.map(\.wall) == [instant("2026-12-01T12:30")])
    #expect(driver.soundings.map(\.at).first == 1_800_000)
    #expect(driver.sounding == nil, "a chime is short")
    #expect(driver.state("a") == "scheduled")
    driver.advance(to: "2026-12-01T13:00:00")
    #expect(driver.events("a", kind: "reminder").map(\.wall) == [instant("2026-12-01T12:30"), instant("2026-12-01T12:59")])
    #expect(driver.wallAlerts("a") == [instant("2026-12-01T13:00")])
  }

  @Test("A reminder whose time has passed when the alarm is scheduled is not given")
  func pastReminder() {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"a","schedule":{"at":"2026-12-01T12:10"},"reminders":[1800]}"#)
    driver.advance(to: "2026-12-01T12:10:00")
    #expect(driver.events("a", kind: "reminder").isEmpty)
  }
}
