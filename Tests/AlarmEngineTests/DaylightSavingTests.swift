import CivilTime
import JSON
import Testing

@Suite("Daylight saving time")
struct DaylightSavingTests {
  @Test(
    "07:00 on weekdays stays 07:00 over both changes, for more than a year",
    arguments: ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe"])
  func weekdays(zone: String) throws {
    let driver = EngineDriver(at: "2026-01-01T12:00:00", zone: zone)
    let answer = driver.request("preview", #"{"schedule":{"time":"07:00","weekdays":"weekdays"},"count":400}"#)
    let alerts = try #require(answer.data?.array).compactMap { $0["at"]?.string }.map { instant($0) }
    var day = try #require(LocalDate("2026-01-02"))
    for alert in alerts {
      while [.saturday, .sunday].contains(day.weekday) { day = day.adding(days: 1) }
      let local = rules(zone).local(at: alert)
      #expect(local.date == day)
      #expect(local.time == LocalTime("07:00"))
      day = day.adding(days: 1)
    }
    #expect(alerts.count == 400)
  }

  @Test("It rings at 07:00 on each day around both changes", arguments: ["2026-03-27T12:00:00", "2026-10-23T12:00:00"])
  func around(start: String) throws {
    let driver = EngineDriver(at: start)
    driver.schedule(#"{"id":"a","schedule":{"time":"07:00","weekdays":"daily"},"ringFor":1,"onRingTimeout":"stop"}"#)
    driver.advance(seconds: 4 * 86_400)
    #expect(driver.wallAlerts("a").count == 4)
    for alert in driver.wallAlerts("a") { #expect(berlin.local(at: alert).time == LocalTime("07:00")) }
  }

  @Test("A time that the clock skips fires at the first instant after the gap, at its time the day after")
  func gap() {
    let driver = EngineDriver(at: "2026-03-28T12:00:00")
    driver.schedule(#"{"id":"a","schedule":{"time":"02:30","weekdays":"daily"},"ringFor":1,"onRingTimeout":"stop"}"#)
    driver.schedule(#"{"id":"once","schedule":{"time":"02:30"},"ringFor":1,"onRingTimeout":"stop"}"#)
    driver.schedule(#"{"id":"at","schedule":{"at":"2026-03-29T02:30"},"ringFor":1,"onRingTimeout":"stop"}"#)
    driver.advance(to: "2026-03-30T12:00:00")
    #expect(driver.wallAlerts("a") == [instant("2026-03-29T01:00:00Z"), instant("2026-03-30T00:30:00Z")])
    #expect(driver.wallAlerts("once") == [instant("2026-03-29T01:00:00Z")])
    #expect(driver.wallAlerts("at") == [instant("2026-03-29T01:00:00Z")])
  }

  @Test("A time that the clock shows twice fires at the first only")
  func overlap() {
    let driver = EngineDriver(at: "2026-10-24T12:00:00")
    driver.schedule(#"{"id":"a","schedule":{"time":"02:30","weekdays":"daily"},"ringFor":1,"onRingTimeout":"stop"}"#)
    driver.advance(to: "2026-10-26T12:00:00")
    #expect(driver.wallAlerts("a") == [instant("2026-10-25T00:30:00Z"), instant("2026-10-26T01:30:00Z")])
  }

  @Test("A preAlert over a change is as long as it says")
  func preAlert() {
    let driver = EngineDriver(at: "2026-03-28T12:00:00")
    driver.schedule(#"{"id":"a","schedule":{"time":"03:15","weekdays":"daily"},"countdown":{"preAlert":1800}}"#)
    driver.advance(to: "2026-03-29T03:15:00")
    #expect(driver.events("a", kind: "started").map(\.wall) == [instant("2026-03-29T00:45:00Z")])
    #expect(driver.wallAlerts("a").first == instant("2026-03-29T01:15:00Z"))
    #expect(driver.ticks("a").count == 1801)
  }

  @Test("A countdown of 72 hours over a change lasts 72 hours", arguments: ["2026-03-28T12:00:00", "2026-10-24T12:00:00"])
  func longTimer(start: String) {
    let driver = EngineDriver(at: start)
    driver.schedule(#"{"id":"t","duration":"72h"}"#)
    driver.disconnect()
    driver.advance(seconds: 80 * 3600)
    #expect(driver.alerts("t").first == 259_200_000)
  }

  @Test("Two alarms of different zones at the same instant both ring at it")
  func twoZones() {
    let driver = EngineDriver(at: "2026-07-01T06:00:00")
    driver.schedule(#"{"id":"berlin","schedule":{"time":"07:00","weekdays":"daily"}}"#)
    driver.schedule(#"{"id":"kathmandu","schedule":{"time":"10:45","weekdays":"daily","timeZone":"Asia/Kathmandu"}}"#)
    driver.advance(to: "2026-07-01T07:00:00")
    #expect(driver.wallAlerts("berlin") == [instant("2026-07-01T05:00:00Z")])
    #expect(driver.wallAlerts("kathmandu") == [instant("2026-07-01T05:00:00Z")])
    #expect(driver.document("kathmandu")["occurrence"] == "2026-07-01")
  }

  @Test("A date that does not exist in its zone has no occurrence")
  func missingDate() {
    // Samoa left out 30 December 2011.
    let driver = EngineDriver(at: "2011-12-29T00:00:00", zone: "Pacific/Apia")
    driver.schedule(#"{"id":"a","schedule":{"time":"07:00","weekdays":"daily"},"ringFor":1,"onRingTimeout":"stop"}"#)
    driver.advance(seconds: 3 * 86_400)
    #expect(driver.events("a", kind: "alerting").map { $0["occurrence"] } == ["2011-12-29", "2011-12-31", "2012-01-01"])
  }
}
