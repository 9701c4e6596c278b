import CivilTime
import JSON
import Testing

@Suite("Restarts and downtime")
struct RestartTests {
  @Test("A timer goes on through a restart and alerts at its original instant", arguments: [false, true], [false, true])
  func timer(reboot: Bool, crash: Bool) {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"t","duration":60}"#)
    driver.advance(milliseconds: 20_400)
    let mark = driver.log.count
    driver.restart(afterDowntime: 10_300, reboot: reboot, crash: crash)
    #expect(driver.state("t") == "countdown")
    #expect(driver.document("t")["total"] == 60)
    driver.advance(seconds: 40)
    #expect(driver.alerts("t") == [60_000])
    // It goes on at 30 700: 29 is left at 31 000.
    #expect(driver.ticks("t", since: mark) == (0...29).map { Tick(29 - $0, at: 31_000 + $0 * 1000) })
  }

  @Test("A restart in the same boot is not fooled by a clock that was set meanwhile")
  func timerSameBootClockSet() {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"t","duration":600}"#)
    driver.advance(seconds: 100)
    driver.setClock(by: 3_600_000)
    driver.restart(afterDowntime: 5000)
    driver.advance(seconds: 600)
    #expect(driver.alerts("t") == [600_000])
  }

  @Test("A timer whose end fell into the downtime alerts at once with its lateness", arguments: [false, true])
  func timerEndedMeanwhile(reboot: Bool) throws {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"t","duration":60}"#)
    driver.restart(afterDowntime: 90_000, reboot: reboot)
    #expect(driver.alerts("t") == [90_000])
    let alerting = try #require(driver.events("t", kind: "alerting").first)
    #expect(alerting["lateness"]?.double == 30)
    #expect(driver.sounding == "default")
  }

  @Test("A paused timer holds through a restart", arguments: [false, true])
  func paused(reboot: Bool) {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"t","duration":60}"#)
    driver.advance(seconds: 20)
    driver.ask("pause", "t")
    driver.restart(afterDowntime: 86_400_000, reboot: reboot)
    #expect(driver.state("t") == "paused")
    #expect(driver.document("t")["remaining"] == 40)
    driver.advance(seconds: 100)
    driver.ask("resume", "t")
    driver.advance(seconds: 40)
    #expect(driver.alerts("t") == [86_560_000])
  }

  @Test("What alerted rings again, with no second alerting for an occurrence that was answered", arguments: [false, true], [false, true])
  func alerting(reboot: Bool, crash: Bool) {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"a","schedule":{"time":"12:01","weekdays":"daily"},"sound":"bell"}"#)
    driver.advance(seconds: 65)
    driver.restart(afterDowntime: 20_000, reboot: reboot, crash: crash)
    #expect(driver.state("a") == "alerting")
    #expect(driver.sounding == "bell")
    driver.ask("stop", "a")
    driver.restart(afterDowntime: 20_000, reboot: reboot, crash: crash)
    #expect(driver.state("a") == "scheduled")
    #expect(driver.sounding == nil)
    #expect(driver.document("a")["nextAlert"] == "2026-12-02T12:01:00.000+01:00")
  }

  @Test("A crash before the ring is on disk rings again all the same")
  func crashAtAlert() {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"a","schedule":{"time":"12:01","weekdays":"daily"}}"#)
    driver.schedule(#"{"id":"b","schedule":{"at":"2026-12-01T12:01"}}"#)
    driver.schedule(#"{"id":"t","duration":60}"#)
    driver.store = .holds
    driver.advance(seconds: 61)
    driver.store = .answers(after: 0)
    driver.restart(afterDowntime: 5000, reboot: true, crash: true)
    for id in ["a", "b", "t"] { #expect(driver.state(id) == "alerting") }
  }

  @Test("A snoozed alarm goes on snoozing and alerts at its instant", arguments: [false, true])
  func snoozed(reboot: Bool) {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"a","schedule":{"time":"12:01","weekdays":"daily"},"countdown":{"postAlert":300}}"#)
    driver.advance(seconds: 70)
    driver.ask("snooze", "a")
    driver.restart(afterDowntime: 100_000, reboot: reboot)
    #expect(driver.state("a") == "countdown")
    #expect(driver.document("a")["snoozes"] == 1)
    #expect(driver.sounding == nil)
    driver.advance(seconds: 300)
    #expect(driver.alerts("a") == [60_000, 370_000])
  }

  @Test("An evening snooze and a boot the next morning: missed, silent")
  func eveningSnooze() throws {
    let driver = EngineDriver(at: "2026-12-01T21:59:00")
    driver.schedule(#"{"id":"a","schedule":{"time":"22:00","weekdays":"daily"}}"#)
    driver.advance(seconds: 70)
    driver.ask("snooze", "a")
    let mark = driver.log.count
    driver.restart(afterDowntime: 9 * 3_600_000, reboot: true)
    #expect(driver.state("a") == "scheduled")
    #expect(driver.soundings.filter { $0.sound != nil }.count == 1)
    #expect(driver.ticks("a", since: mark).isEmpty)
    let missed = try #require(driver.events("a", kind: "missed").first)
    #expect(missed["reason"] == "downtime")
    #expect(driver.document("a")["lastOutcome"] == "missed")
    #expect(driver.document("a")["nextAlert"] == "2026-12-02T22:00:00.000+01:00")
  }

  @Test("An alarm that was alerting in the evening is missed in the morning, silent")
  func eveningAlert() {
    let driver = EngineDriver(at: "2026-12-01T21:59:00")
    driver.schedule(#"{"id":"a","schedule":{"time":"22:00","weekdays":"daily"}}"#)
    driver.advance(seconds: 70)
    driver.restart(afterDowntime: 9 * 3_600_000, reboot: true)
    #expect(driver.sounding == nil || driver.soundings.last!.at == 60_000)
    #expect(driver.state("a") == "scheduled")
    #expect(driver.events("a", kind: "missed").count == 1)
  }

  @Test(
    "Due less than missedGrace ago it alerts with its true lateness, longer ago it is missed",
    arguments: [(1, true), (899, true), (901, false), (40_000, false)] as [(Int64, Bool)])
  func grace(late: Int64, rings: Bool) throws {
    for (id, schedule) in [
      ("week", #"{"time":"12:01","weekdays":"daily"}"#), ("once", #"{"at":"2026-12-01T12:01"}"#), ("time", #"{"time":"12:01"}"#),
    ] {
      let driver = EngineDriver()
      driver.schedule(#"{"id":"\#(id)","schedule":\#(schedule)}"#)
      driver.restart(afterDowntime: (60 + late) * 1000, reboot: true)
      if rings {
        #expect(driver.state(id) == "alerting", "\(id)")
        #expect(driver.events(id, kind: "alerting").first?["lateness"]?.double == Double(late))
        #expect(driver.events(id, kind: "missed").isEmpty)
      } else {
        #expect(driver.state(id) == (id == "week" ? "scheduled" : "disabled"), "\(id)")
        #expect(driver.soundings.isEmpty)
        let missed = try #require(driver.events(id, kind: "missed").first, "\(id)")
        #expect(missed["reason"] == "downtime")
        #expect(driver.document(id)["lastOutcome"] == "missed")
      }
    }
  }

  @Test("missedGrace is the alarm's own")
  func ownGrace() {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"a","schedule":{"time":"12:01","weekdays":"daily"},"missedGrace":60}"#)
    driver.schedule(#"{"id":"b","schedule":{"time":"12:01","weekdays":"daily"},"missedGrace":7200}"#)
    driver.restart(afterDowntime: 3_660_000)
    #expect(driver.state("a") == "scheduled")
    #expect(driver.state("b") == "alerting")
  }

  @Test("With missedPolicy miss it is missed however short the downtime")
  func policyMiss() {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"a","schedule":{"time":"12:01","weekdays":"daily"},"missedPolicy":"miss"}"#)
    driver.restart(afterDowntime: 120_000)
    #expect(driver.state("a") == "scheduled")
    #expect(driver.events("a", kind: "missed").map { $0["reason"] } == ["downtime"])
    #expect(driver.soundings.isEmpty)
  }

  @Test("Ten missed days are one decision: one missed event, which counts them")
  func tenDays() throws {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"a","schedule":{"time":"07:00","weekdays":"daily"}}"#)
    driver.restart(afterDowntime: 10 * 86_400_000, reboot: true)
    #expect(driver.soundings.isEmpty)
    let missed = driver.events("a", kind: "missed")
    #expect(missed.count == 1)
    #expect(missed.first?["count"] == 10)
    #expect(driver.document("a")["nextAlert"] == "2026-12-12T07:00:00.000+01:00")
    driver.advance(to: "2026-12-12T07:00:00")
    #expect(driver.wallAlerts("a") == [instant("2026-12-12T07:00")])
  }

  @Test("After ten days down an occurrence within its grace alerts once, and the others are one missed event at most")
  func tenDaysThenOne() {
    let driver = EngineDriver(at: "2026-12-01T07:05:00")
    driver.schedule(#"{"id":"a","schedule":{"time":"07:00","weekdays":"daily"}}"#)
    driver.restart(afterDowntime: 10 * 86_400_000, reboot: true)
    #expect(driver.alerts("a").count == 1)
    #expect(driver.events("a", kind: "alerting").first?["occurrence"] == "2026-12-11")
    #expect(driver.events("a", kind: "missed").count <= 1)
    driver.ask("stop", "a")
    driver.advance(seconds: 3600)
    #expect(driver.alerts("a").count == 1)
  }

  @Test("Downtime within the preAlert begins the countdown late and alerts on time")
  func withinPreAlert() {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"a","schedule":{"time":"12:10","weekdays":"daily"},"countdown":{"preAlert":300}}"#)
    let mark = driver.log.count
    driver.restart(afterDowntime: 590_500, reboot: true)
    #expect(driver.document("a")["total"] == 300)
    driver.advance(seconds: 12)
    #expect(driver.ticks("a", since: mark) == (0...9).map { Tick(9 - $0, at: 591_000 + $0 * 1000) })
    #expect(driver.wallAlerts("a") == [instant("2026-12-01T12:10")])
  }

  @Test("Reminders that fell into the downtime are not rung in a burst")
  func reminders() {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"a","schedule":{"time":"13:00","weekdays":"daily"},"reminders":[3000,2400,1800,600]}"#)
    driver.restart(afterDowntime: 2_000_000)
    let chimes = driver.soundings.filter { $0.sound != nil }.count
    #expect(chimes <= 1)
    driver.advance(to: "2026-12-01T13:00:00")
    #expect(driver.events("a", kind: "reminder").last?.wall == instant("2026-12-01T12:50"))
    #expect(driver.wallAlerts("a") == [instant("2026-12-01T13:00")])
  }

  @Test("Settings survive a restart, muted too")
  func settings() {
    let driver = EngineDriver()
    for (name, value) in [("volume", "33"), ("sound", "bell"), ("snooze", "120"), ("muted", "ON"), ("silent", "ON"), ("focus", "work")] {
      driver.set(name, value)
    }
    let before = driver.engine.settings
    driver.restart(reboot: true, crash: true)
    #expect(driver.engine.settings == before)
    #expect(driver.engine.settings.volume == 33)
    #expect(driver.engine.settings.isMuted)
  }

  @Test("Every kind of record is the same after it went through the store", arguments: Shape.allCases)
  func records(shape: Shape) {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"a","title":"Ä","metadata":{"k":[1,2.5,null]},\#(shape.members)}"#)
    for operations in [[], ["pause"], ["resume"], ["disable"], ["enable"]] {
      for operation in operations { driver.ask(operation, "a") }
      let document = driver.document("a")
      driver.restart(afterDowntime: 0)
      #expect(driver.document("a") == document)
      driver.advance(seconds: 4)
    }
  }
}
