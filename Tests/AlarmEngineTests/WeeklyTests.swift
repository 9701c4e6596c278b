import CivilTime
import JSON
import Testing

@Suite("Weekly alarms")
struct WeeklyTests {
  @Test("It rings on its weekdays only, and is scheduled again when it ended")
  func weekdays() {
    // A Tuesday.
    let driver = EngineDriver(at: "2026-12-01T06:00:00")
    driver.schedule(#"{"id":"a","schedule":{"time":"07:00","weekdays":["tue","fri"]}}"#)
    driver.advance(to: "2026-12-11T12:00:00")
    // Nobody answers: each rings again after its snoozes, so look at each occurrence's first ring.
    var firsts: [String] = []
    for event in driver.events("a", kind: "alerting") {
      guard let occurrence = event["occurrence"]?.string, firsts.last != occurrence else { continue }
      firsts.append(occurrence)
    }
    #expect(firsts == ["2026-12-01", "2026-12-04", "2026-12-08", "2026-12-11"])
    #expect(driver.state("a") == "scheduled")
  }

  @Test("Stopping the countdown before the alert ends the occurrence, and the next one comes")
  func stopPreAlert() {
    let driver = EngineDriver(at: "2026-12-01T06:50:00")
    driver.schedule(#"{"id":"a","schedule":{"time":"07:00","weekdays":"daily"},"countdown":{"preAlert":300}}"#)
    driver.advance(to: "2026-12-01T06:56:00")
    #expect(driver.ask("stop", "a").isOK)
    #expect(driver.state("a") == "scheduled")
    #expect(driver.document("a")["nextAlert"] == "2026-12-02T07:00:00.000+01:00")
    driver.advance(to: "2026-12-02T07:00:00")
    #expect(driver.wallAlerts("a") == [instant("2026-12-02T07:00")])
  }

  @Test("An unfinished occurrence ends as missed when the next one's preAlert comes")
  func overlap() throws {
    let driver = EngineDriver(at: "2026-12-01T06:00:00")
    driver.schedule(
      #"{"id":"a","schedule":{"time":"07:00","weekdays":"daily"},"countdown":{"preAlert":600,"postAlert":"20h"},"maximumSnoozes":100}"#)
    driver.advance(to: "2026-12-01T07:00:10")
    driver.ask("snooze", "a")
    // Without a broker there are no ticks to wait for.
    driver.disconnect()
    driver.advance(to: "2026-12-02T03:00:11")
    #expect(driver.state("a") == "alerting")
    driver.ask("snooze", "a")
    driver.advance(to: "2026-12-02T06:49:59")
    driver.connect()
    #expect(driver.document("a")["occurrence"] == "2026-12-01")
    driver.advance(to: "2026-12-02T06:50:01")
    let missed = try #require(driver.events("a", kind: "missed").first)
    #expect(missed["reason"] == "overlapped")
    #expect(missed["occurrence"] == "2026-12-01")
    #expect(driver.document("a")["occurrence"] == "2026-12-02")
    #expect(driver.state("a") == "countdown")
    driver.advance(to: "2026-12-02T07:00:00")
    #expect(driver.wallAlerts("a").last == instant("2026-12-02T07:00"))
  }

  @Test("Without a preAlert an unfinished occurrence ends when the next one alerts")
  func overlapAtAlert() {
    let driver = EngineDriver(at: "2026-12-01T06:00:00")
    driver.schedule(#"{"id":"a","schedule":{"time":"07:00","weekdays":"daily"},"countdown":{"postAlert":"30h"}}"#)
    driver.advance(to: "2026-12-01T07:00:00")
    driver.ask("snooze", "a")
    driver.disconnect()
    driver.advance(to: "2026-12-02T06:59:59")
    driver.connect()
    #expect(driver.document("a")["occurrence"] == "2026-12-01")
    driver.advance(to: "2026-12-02T07:00:00")
    #expect(driver.events("a", kind: "missed").map { $0["reason"] } == ["overlapped"])
    #expect(driver.wallAlerts("a") == [instant("2026-12-01T07:00"), instant("2026-12-02T07:00")])
    #expect(driver.state("a") == "alerting")
    #expect(driver.sounding == "default")
  }

  @Test("A paused countdown before the alert ends as missed when the next occurrence comes, and makes the node unready meanwhile")
  func pausedScheduled() {
    let driver = EngineDriver(at: "2026-12-01T06:50:00")
    driver.schedule(#"{"id":"a","schedule":{"time":"07:00","weekdays":"daily"},"countdown":{"preAlert":300}}"#)
    driver.advance(to: "2026-12-01T06:56:00")
    #expect(driver.engine.problems.isEmpty)
    driver.ask("pause", "a")
    #expect(driver.engine.problems.map(\.code) == ["alarm_paused"])
    driver.advance(to: "2026-12-02T06:54:59")
    #expect(driver.state("a") == "paused")
    #expect(driver.alerts("a") == [])
    driver.advance(to: "2026-12-02T06:55:00")
    #expect(driver.events("a", kind: "missed").map { $0["reason"] } == ["overlapped"])
    #expect(driver.engine.problems.isEmpty)
    driver.advance(to: "2026-12-02T07:00:00")
    #expect(driver.wallAlerts("a") == [instant("2026-12-02T07:00")])
  }

  @Test("A resumed countdown follows elapsed time, and later occurrences stay where they were")
  func resumedScheduled() {
    let driver = EngineDriver(at: "2026-12-01T06:50:00")
    driver.schedule(#"{"id":"a","schedule":{"time":"07:00","weekdays":"daily"},"countdown":{"preAlert":300}}"#)
    driver.advance(to: "2026-12-01T06:56:00")
    driver.ask("pause", "a")
    driver.advance(to: "2026-12-01T07:30:00")
    driver.ask("resume", "a")
    #expect(driver.document("a")["fireDate"] == "2026-12-01T07:34:00.000+01:00")
    #expect(driver.document("a")["total"] == 300)
    driver.setClock(by: 600_000)
    driver.advance(seconds: 240)
    #expect(driver.alerts("a") == [2_640_000])
    driver.ask("stop", "a")
    #expect(driver.document("a")["nextAlert"] == "2026-12-02T07:00:00.000+01:00")
  }

  @Test("Excepted dates and ranges are left out")
  func exceptDates() {
    let driver = EngineDriver(at: "2026-12-23T12:00:00")
    driver.schedule(
      #"{"id":"a","schedule":{"time":"07:00","weekdays":"daily"},"exceptDates":["2026-12-25","2026-12-27/2027-01-02"],"ringFor":1,"onRingTimeout":"stop"}"#
    )
    driver.advance(to: "2027-01-04T12:00:00")
    #expect(
      driver.wallAlerts("a")
        == ["2026-12-24T07:00", "2026-12-26T07:00", "2027-01-03T07:00", "2027-01-04T07:00"].map { instant($0) })
  }

  @Test("Two alarms alert at once; each is stopped for itself and the outputs sound until the last one ends")
  func twoAtOnce() {
    let driver = EngineDriver(at: "2026-12-01T06:59:00")
    driver.schedule(#"{"id":"a","schedule":{"time":"07:00","weekdays":"daily"},"sound":"bell"}"#)
    driver.schedule(#"{"id":"b","schedule":{"time":"07:00","weekdays":"daily"},"sound":"gong"}"#)
    driver.advance(to: "2026-12-01T07:00:01")
    #expect(driver.state("a") == "alerting")
    #expect(driver.state("b") == "alerting")
    #expect(driver.retainedNode?["alerting"] == ["a", "b"])
    let first = driver.sounding
    let other = first == "bell" ? "gong" : "bell"
    driver.ask("stop", first == "bell" ? "a" : "b")
    #expect(driver.sounding == other)
    driver.ask("stop", first == "bell" ? "b" : "a")
    #expect(driver.sounding == nil)
  }

  @Test("The node's state is that of its most urgent alarm, and next leaves out timers and disabled alarms")
  func nodeState() {
    let driver = EngineDriver()
    #expect(driver.engine.nodeDocument()["state"] == "idle")
    driver.schedule(#"{"id":"off","enabled":false,"schedule":{"time":"12:30"}}"#)
    #expect(driver.retainedNode?["state"] == "idle")
    driver.schedule(#"{"id":"week","title":"Wake","schedule":{"time":"13:00","weekdays":"daily"}}"#)
    #expect(driver.retainedNode?["state"] == "scheduled")
    driver.schedule(#"{"id":"t","duration":60}"#)
    driver.schedule(#"{"id":"u","duration":600}"#)
    #expect(driver.retainedNode?["state"] == "countdown")
    driver.ask("pause", "t")
    #expect(driver.retainedNode?["state"] == "countdown")
    driver.ask("pause", "u")
    #expect(driver.retainedNode?["state"] == "paused")
    driver.ask("resume", "t")
    driver.advance(seconds: 60)
    #expect(driver.retainedNode?["state"] == "alerting")
    #expect(driver.retainedNode?["alerting"] == ["t"])
    #expect(driver.retainedNode?["alarms"] == 4)
    #expect(driver.retainedNode?["next"] == ["id": "week", "title": "Wake", "at": "2026-12-01T13:00:00.000+01:00"])
  }
}
