import AlarmEngine
import CivilTime
import JSON
import Testing

@Suite("Snoozing")
struct SnoozeTests {
  /// A ringing alarm: its document has the given members besides its id.
  private func ringing(_ members: String) -> EngineDriver {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"a",\#(members)}"#)
    driver.advance(seconds: 10)
    #expect(driver.state("a") == "alerting")
    return driver
  }

  private static let fixed = #""schedule":{"at":"2026-12-01T12:00:10"}"#

  @Test(
    "The length is the request's, else postAlert, else a timer's preAlert, else the setting",
    arguments: [
      (#""schedule":{"at":"2026-12-01T12:00:10"},"countdown":{"postAlert":120}"#, #","duration":"30s""#, 30),
      (#""schedule":{"at":"2026-12-01T12:00:10"},"countdown":{"postAlert":120}"#, "", 120),
      (#""countdown":{"preAlert":10,"postAlert":120}"#, "", 120),
      (#""duration":10"#, "", 10),
      (#""schedule":{"at":"2026-12-01T12:00:10"},"countdown":{"preAlert":5}"#, "", 540),
      (#""schedule":{"at":"2026-12-01T12:00:10"}"#, "", 540),
    ])
  func length(members: String, request: String, seconds: Int64) throws {
    let driver = ringing(members)
    let mark = driver.log.count
    #expect(driver.request("snooze", #"{"id":"a"\#(request)}"#).isOK)
    #expect(driver.sounding == nil)
    #expect(driver.state("a") == "countdown")
    let activity = try #require(driver.activities("a", since: mark).first)
    #expect(activity["phase"] == "postAlert")
    #expect(driver.document("a")["total"] == .integer(seconds))
    #expect(driver.document("a")["snoozes"] == 1)
    driver.advance(seconds: seconds)
    #expect(driver.alerts("a") == [10_000, 10_000 + seconds * 1000])
    #expect(driver.ticks("a", since: mark) == (0...seconds).map { Tick(seconds - $0, at: 10_000 + $0 * 1000) })
  }

  @Test("The setting snooze is the length where nothing else says one")
  func setting() {
    let driver = ringing(Self.fixed)
    driver.set("snooze", "60")
    driver.request("countdown", #"{"id":"a"}"#)
    driver.advance(seconds: 60)
    #expect(driver.alerts("a") == [10_000, 70_000])
  }

  @Test("Beyond maximumSnoozes it is limit_reached and goes on ringing")
  func limit() {
    let driver = ringing(Self.fixed + #","maximumSnoozes":2,"countdown":{"postAlert":5}"#)
    for _ in 0..<2 {
      #expect(driver.ask("snooze", "a").isOK)
      driver.advance(seconds: 5)
    }
    let before = driver.engine.records
    let answer = driver.ask("snooze", "a")
    #expect(answer.code == "limit_reached")
    #expect(driver.engine.records == before)
    #expect(driver.sounding == "default")
  }

  @Test("The count of snoozes starts anew with each occurrence")
  func countPerOccurrence() {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"a","schedule":{"time":"13:00","weekdays":"daily"},"maximumSnoozes":1,"countdown":{"postAlert":60}}"#)
    for _ in 0..<2 {
      driver.advance(seconds: 3600)
      #expect(driver.ask("snooze", "a").isOK)
      driver.advance(seconds: 60)
      #expect(driver.ask("snooze", "a").code == "limit_reached")
      driver.ask("stop", "a")
      driver.advance(seconds: 86_400 - 3660)
    }
  }

  @Test("Left alone it snoozes by itself three times and then ends as missed")
  func automatic() throws {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"a","schedule":{"time":"13:00","weekdays":"daily"},"ringFor":60,"countdown":{"postAlert":120}}"#)
    driver.advance(to: "2026-12-01T15:00:00")
    #expect(driver.alerts("a") == (0...3).map { 3_600_000 + $0 * 180_000 })
    #expect(driver.events("a", kind: "snoozed").count == 3)
    let missed = try #require(driver.events("a", kind: "missed").first)
    #expect(missed["reason"] == "unanswered")
    #expect(missed.now == 3_600_000 + 3 * 180_000 + 60_000)
    #expect(driver.state("a") == "scheduled")
    #expect(driver.sounding == nil)
  }

  @Test("Automatic snoozes end at the maximum")
  func automaticMaximum() {
    let driver = EngineDriver()
    driver.schedule(
      #"{"id":"a","schedule":{"time":"13:00","weekdays":"daily"},"ringFor":60,"countdown":{"postAlert":120},"maximumSnoozes":1}"#)
    driver.advance(to: "2026-12-01T15:00:00")
    #expect(driver.alerts("a").count == 2)
    #expect(driver.events("a", kind: "missed").map { $0["reason"] } == ["unanswered"])
  }

  @Test("With onRingTimeout stop it ends after ringFor, stopped by the timeout")
  func timeoutStop() throws {
    let driver = ringing(Self.fixed + #","ringFor":30,"onRingTimeout":"stop""#)
    driver.advance(seconds: 29)
    #expect(driver.state("a") == "alerting")
    driver.advance(seconds: 1)
    #expect(driver.state("a") == nil)
    #expect(driver.sounding == nil)
    let stopped = try #require(driver.events("a", kind: "stopped").first)
    #expect(stopped["by"] == "timeout")
  }

  @Test("A snooze does not move later occurrences")
  func laterOccurrences() {
    let driver = EngineDriver(at: "2026-12-01T06:59:50")
    driver.schedule(#"{"id":"a","schedule":{"time":"07:00","weekdays":"daily"},"countdown":{"preAlert":5,"postAlert":900}}"#)
    driver.advance(seconds: 15)
    driver.ask("snooze", "a")
    driver.advance(seconds: 900)
    driver.ask("stop", "a")
    #expect(driver.document("a")["nextAlert"] == "2026-12-02T07:00:00.000+01:00")
    driver.advance(to: "2026-12-02T07:00:00")
    #expect(driver.wallAlerts("a").last == instant("2026-12-02T07:00"))
  }

  @Test("A snooze can be paused and resumed, and stays a snooze")
  func pauseSnooze() {
    let driver = ringing(Self.fixed + #","countdown":{"postAlert":60}"#)
    driver.ask("snooze", "a")
    driver.advance(seconds: 20)
    #expect(driver.ask("pause", "a").isOK)
    #expect(driver.activities("a").last?["phase"] == "postAlert")
    driver.advance(seconds: 100)
    #expect(driver.ask("resume", "a").isOK)
    driver.advance(seconds: 40)
    #expect(driver.alerts("a") == [10_000, 170_000])
  }

  @Test("The same request of snooze with no length of its own, from a button, tells the button")
  func button() {
    let driver = ringing(Self.fixed)
    driver.button(.snooze(nil))
    #expect(driver.state("a") == "countdown")
    #expect(driver.events("a", kind: "snoozed").last?["by"] == "button")
  }
}
