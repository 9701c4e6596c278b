import CivilTime
import JSON
import Testing

@Suite("Steps of the wall clock")
struct ClockTests {
  private static let hour: Int64 = 3_600_000
  private static let short = #""ringFor":1,"onRingTimeout":"stop""#

  @Test("A step of an hour back rings nothing twice and delays nothing that was due")
  func hourBack() {
    let driver = EngineDriver(at: "2026-12-01T06:00:00")
    driver.schedule(#"{"id":"a","schedule":{"time":"07:00","weekdays":"daily"},\#(Self.short)}"#)
    driver.schedule(#"{"id":"b","schedule":{"time":"07:40","weekdays":"daily"},\#(Self.short)}"#)
    driver.advance(to: "2026-12-01T07:30:00")
    driver.setClock(by: -Self.hour)
    driver.advance(to: "2026-12-02T12:00:00")
    #expect(driver.wallAlerts("a") == [instant("2026-12-01T07:00"), instant("2026-12-02T07:00")])
    #expect(driver.wallAlerts("b") == [instant("2026-12-01T07:40"), instant("2026-12-02T07:40")])
  }

  @Test("A ringing alarm goes on ringing when the clock is set back, and does not ring again")
  func hourBackWhileRinging() {
    let driver = EngineDriver(at: "2026-12-01T06:59:00")
    driver.schedule(#"{"id":"a","schedule":{"time":"07:00","weekdays":"daily"}}"#)
    driver.advance(seconds: 70)
    driver.setClock(by: -Self.hour)
    #expect(driver.sounding == "default")
    driver.ask("stop", "a")
    driver.advance(seconds: 7200)
    #expect(driver.alerts("a").count == 1)
  }

  @Test("After a step of more than 3 h back, marks later than the new time are dropped: the clock had been wrong")
  func fiveHoursBack() {
    let driver = EngineDriver(at: "2026-12-01T06:59:00")
    driver.schedule(#"{"id":"a","schedule":{"time":"07:00","weekdays":"daily"},\#(Self.short)}"#)
    driver.advance(to: "2026-12-01T07:30:00")
    driver.setClock(by: -5 * Self.hour)
    driver.advance(to: "2026-12-01T08:00:00")
    #expect(driver.wallAlerts("a") == [instant("2026-12-01T07:00"), instant("2026-12-01T07:00")])
  }

  @Test("A clock that had run days ahead and is corrected does not silence the days between")
  func daysBack() {
    let driver = EngineDriver(at: "2026-12-11T06:59:00")
    driver.schedule(#"{"id":"a","schedule":{"time":"07:00","weekdays":"daily"},\#(Self.short)}"#)
    driver.advance(to: "2026-12-11T07:30:00")
    driver.setClock(by: -10 * 24 * Self.hour)
    driver.advance(to: "2026-12-02T12:00:00")
    #expect(driver.wallAlerts("a").dropFirst() == [instant("2026-12-02T07:00")])
  }

  @Test("A step of 14 days forward is one decision, with no burst")
  func daysForward() {
    let driver = EngineDriver(at: "2026-12-01T12:00:00")
    driver.schedule(#"{"id":"a","schedule":{"time":"07:00","weekdays":"daily"},"reminders":[600,300]}"#)
    driver.schedule(#"{"id":"b","schedule":{"at":"2026-12-05T12:00"}}"#)
    driver.setClock(by: 14 * 24 * Self.hour)
    driver.advance(seconds: 900)
    #expect(driver.soundings.isEmpty)
    #expect(driver.events("a", kind: "missed").count == 1)
    #expect(driver.events("b", kind: "missed").count == 1)
    #expect(driver.events("a", kind: "reminder").isEmpty)
    driver.advance(to: "2026-12-16T07:00:00")
    #expect(driver.wallAlerts("a") == [instant("2026-12-16T07:00")])
  }

  @Test("A small step forward over an alarm's instant rings it at once, with its lateness")
  func smallForward() {
    let driver = EngineDriver(at: "2026-12-01T06:55:00")
    driver.schedule(#"{"id":"a","schedule":{"time":"07:00","weekdays":"daily"}}"#)
    driver.setClock(by: 600_000)
    #expect(driver.alerts("a") == [0])
    #expect(driver.events("a", kind: "alerting").first?["lateness"]?.double == 300)
  }

  @Test(
    "Timers, snoozes and their ticks are unmoved, and their fireDate is published anew",
    arguments: [-7200, -3600, 3600, 1_209_600] as [Int64])
  func timers(step: Int64) {
    let driver = EngineDriver(at: "2026-12-01T12:00:00")
    driver.schedule(#"{"id":"t","duration":60}"#)
    driver.schedule(#"{"id":"s","duration":5}"#)
    driver.advance(seconds: 10)
    driver.request("snooze", #"{"id":"s","duration":60}"#)
    driver.advance(seconds: 10)
    driver.setClock(by: step * 1000)
    let expected = (instant("2026-12-01T12:01:00") + step * 1000).formatted(in: berlin)
    #expect(driver.retained["t"]?["fireDate"]?.string == expected)
    #expect(driver.retained["s"]?["fireDate"]?.string == (instant("2026-12-01T12:01:10") + step * 1000).formatted(in: berlin))
    driver.advance(seconds: 60)
    #expect(driver.alerts("t") == [60_000])
    #expect(driver.alerts("s") == [5000, 70_000])
    #expect(driver.ticks("t") == (0...60).map { Tick(60 - $0, at: $0 * 1000) })
  }

  @Test("A step is a clock_changed event that tells how far; drift of some milliseconds is none")
  func event() throws {
    let driver = EngineDriver()
    driver.setClock(by: 3_600_000)
    let changed = try #require(driver.events(kind: "clock_changed").first)
    #expect(changed.event.document.contains { $0.value.double == 3600 })
    driver.setClock(by: -3)
    driver.setClock(by: 2)
    #expect(driver.events(kind: "clock_changed").count == 1)
  }

  @Test("A pre-alert follows the wall clock, both ways")
  func preAlertFollows() {
    let driver = EngineDriver(at: "2026-12-01T06:50:00")
    driver.schedule(#"{"id":"a","schedule":{"time":"07:00","weekdays":"daily"},"countdown":{"preAlert":300}}"#)
    driver.advance(to: "2026-12-01T06:56:00")
    driver.setClock(by: 60_000)
    #expect(driver.document("a")["remaining"] == 180)
    driver.setClock(by: -90_000)
    #expect(driver.document("a")["remaining"] == 270)
    driver.advance(to: "2026-12-01T07:00:00")
    #expect(driver.wallAlerts("a") == [instant("2026-12-01T07:00")])
  }

  @Test("A clock set back to before the pre-alert began reverts it, and it comes again")
  func preAlertReverts() {
    let driver = EngineDriver(at: "2026-12-01T06:50:00")
    driver.schedule(#"{"id":"a","schedule":{"time":"07:00","weekdays":"daily"},"countdown":{"preAlert":300}}"#)
    driver.advance(to: "2026-12-01T06:56:00")
    driver.setClock(by: -1_800_000)
    #expect(driver.state("a") == "scheduled")
    #expect(driver.document("a")["nextAlert"] == "2026-12-01T07:00:00.000+01:00")
    driver.advance(to: "2026-12-01T06:55:00")
    #expect(driver.state("a") == "countdown")
    driver.advance(to: "2026-12-01T07:00:00")
    #expect(driver.wallAlerts("a") == [instant("2026-12-01T07:00")])
    #expect(driver.events("a", kind: "missed").isEmpty)
  }

  @Test("A one-shot that had rung does not ring again when the clock is set back")
  func oneShotBack() {
    let driver = EngineDriver(at: "2026-12-01T06:59:00")
    driver.schedule(#"{"id":"a","schedule":{"at":"2026-12-01T07:00"},\#(Self.short)}"#)
    driver.advance(seconds: 90)
    driver.setClock(by: -Self.hour)
    driver.advance(seconds: 7200)
    #expect(driver.alerts("a").count == 1)
  }

  @Test("Steps in both directions leave nothing that asks to be woken in the past, and a timer alone")
  func quiet() {
    let driver = EngineDriver()
    driver.schedule(
      #"{"id":"a","schedule":{"time":"13:00","weekdays":"daily"},"countdown":{"preAlert":300,"postAlert":60},"reminders":[60,600]}"#)
    driver.schedule(#"{"id":"t","duration":4000}"#)
    driver.disconnect()
    for step in [3_600_000, -7_200_000, 86_400_000, -40_000_000, 1000, -1000, 250_000] as [Int64] {
      driver.setClock(by: step)
      driver.advance(seconds: 1800)
    }
    #expect(driver.alerts("t").first == 4_000_000)
  }
}
