import CivilTime
import JSON
import Testing

@Suite("The nights that a clock is judged by")
struct WorstNightTests {
  @Test("A weekday alarm rings 400 times at 07:00, over three clock changes, on each weekday and no other")
  func fourHundred() throws {
    let driver = EngineDriver(at: "2026-01-01T12:00:00")
    driver.schedule(#"{"id":"a","schedule":{"time":"07:00","weekdays":"mon-fri"},"ringFor":1,"onRingTimeout":"stop"}"#)
    driver.advance(seconds: 562 * 86_400)
    var day = try #require(LocalDate("2026-01-02"))
    let alerts = driver.wallAlerts("a")
    for alert in alerts {
      while [.saturday, .sunday].contains(day.weekday) { day = day.adding(days: 1) }
      let local = berlin.local(at: alert)
      #expect(local.date == day && local.time == LocalTime("07:00"))
      day = day.adding(days: 1)
    }
    #expect(alerts.count >= 400)
    #expect(driver.events("a", kind: "stopped").count == alerts.count, "each ended, and only once")
  }

  @Test("An instant on 29 February rings then; one in a year without that day is no instant")
  func leapDay() {
    let driver = EngineDriver(at: "2028-02-27T12:00:00")
    let refusal = driver.schedule(#"{"id":"b","schedule":{"at":"2027-02-29T06:30"}}"#)
    #expect(refusal.code == "invalid_argument" && refusal.field == "schedule.at")
    driver.schedule(#"{"id":"a","schedule":{"at":"2028-02-29T06:30"}}"#)
    driver.schedule(#"{"id":"daily","schedule":{"time":"06:30","weekdays":"daily"},"ringFor":1,"onRingTimeout":"stop"}"#)
    driver.advance(to: "2028-03-02T00:00:00")
    #expect(driver.wallAlerts("a").first == instant("2028-02-29T05:30:00Z"))
    #expect(driver.events("daily", kind: "alerting").map { $0["occurrence"] } == ["2028-02-28", "2028-02-29", "2028-03-01"])
  }

  @Test(
    "Alarms at 00:00, one for each weekday, ring as their weekday begins",
    arguments: ["Europe/Berlin", "America/Sao_Paulo", "Asia/Kolkata", "Pacific/Auckland"])
  func midnights(zone: String) {
    let driver = EngineDriver(at: "2026-11-29T12:00:00", zone: zone)
    let week = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    for day in week {
      driver.schedule(#"{"id":"\#(day)","schedule":{"time":"00:00","weekdays":["\#(day)"]},"ringFor":1,"onRingTimeout":"stop"}"#)
    }
    driver.advance(seconds: 7 * 86_400)
    // 2026-11-30 is a Monday.
    for (number, day) in week.enumerated() {
      let date = LocalDate(dayNumber: LocalDate("2026-11-30").map(\.dayNumber).map { $0 + number } ?? 0)
      let locals = driver.wallAlerts(day).map { rules(zone).local(at: $0) }
      #expect(locals.map(\.date) == [date] && locals.map(\.time) == [LocalTime("00:00")], "\(day)")
    }
  }

  @Test(
    "A countdown over a clock change publishes each of its numbers once, on its second",
    arguments: ["2026-03-29T01:00:00", "2026-10-25T01:30:00"])
  func ticksOverChange(start: String) {
    let driver = EngineDriver(at: start)
    driver.schedule(#"{"id":"t","duration":"3h"}"#)
    driver.advance(seconds: 3 * 3600)
    let ticks = driver.ticks("t")
    #expect(ticks.map(\.seconds) == Array((0...10_800).reversed()))
    #expect(ticks.map(\.at) == (0...10_800).map { $0 * 1000 })
    #expect(driver.alerts("t") == [10_800_000])
  }

  @Test("Stopped while it snoozes, a repeating alarm comes again the next day at its time")
  func stopWhileSnoozed() {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"a","schedule":{"time":"12:30","weekdays":"daily"},"countdown":{"postAlert":300}}"#)
    driver.advance(to: "2026-12-01T12:31:00")
    driver.ask("snooze", "a")
    driver.advance(seconds: 60)
    #expect(driver.ask("stop", "a").isOK)
    #expect(driver.state("a") == "scheduled")
    driver.advance(to: "2026-12-02T12:29:59")
    #expect(driver.wallAlerts("a") == [instant("2026-12-01T11:30:00Z")], "the snooze is over")
    driver.advance(seconds: 1)
    #expect(driver.wallAlerts("a") == [instant("2026-12-01T11:30:00Z"), instant("2026-12-02T11:30:00Z")])
  }

  @Test("A loop that stands still for 5 s over the due instant rings once, and says how late")
  func stalled() throws {
    for document in [#""schedule":{"time":"12:01","weekdays":"daily"}"#, #""duration":60"#, #""schedule":{"at":"2026-12-01T12:01"}"#] {
      let driver = EngineDriver()
      driver.schedule(#"{"id":"a",\#(document)}"#)
      driver.advance(seconds: 58)
      driver.stall(milliseconds: 5000)
      driver.advance(seconds: 300)
      let alerts = driver.events("a", kind: "alerting")
      #expect(alerts.count == 1 && alerts.first?["lateness"] == .number(3) && driver.events("a", kind: "missed").isEmpty, "\(document)")
      #expect(driver.soundings.filter { $0.sound != nil }.count == 1, "\(document)")
    }
  }

  @Test("With a grace of 900 s what is 899 s late rings and what is 901 s late is missed, whether asleep, off or set forward")
  func grace() {
    enum Accident: CaseIterable { case off, stalled, clock }
    for accident in Accident.allCases {
      for (late, rings) in [(899, true), (901, false)] as [(Int64, Bool)] {
        let driver = EngineDriver()
        driver.schedule(#"{"id":"a","schedule":{"time":"12:01","weekdays":"daily"},"missedGrace":900}"#)
        driver.advance(seconds: 30)
        let gone = (30 + late) * 1000
        switch accident {
        case .off: driver.restart(afterDowntime: gone)
        case .stalled: driver.stall(milliseconds: gone)
        case .clock: driver.setClock(by: gone)
        }
        driver.advance(seconds: 0)
        #expect(driver.events("a", kind: rings ? "alerting" : "missed").count == 1, "\(late) s, \(accident)")
        #expect(driver.events("a", kind: rings ? "missed" : "alerting").isEmpty, "\(late) s, \(accident)")
        #expect((driver.sounding != nil) == rings, "\(late) s, \(accident)")
      }
    }
  }
}
