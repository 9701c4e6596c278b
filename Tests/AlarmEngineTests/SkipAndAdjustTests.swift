import CivilTime
import JSON
import Testing

@Suite("Skipping, adjusting and previewing")
struct SkipAndAdjustTests {
  private func weekly(_ members: String = "") -> EngineDriver {
    let driver = EngineDriver(at: "2026-12-01T06:00:00")
    driver.schedule(#"{"id":"a","schedule":{"time":"07:00","weekdays":"daily"},"ringFor":1,"onRingTimeout":"stop"\#(members)}"#)
    return driver
  }

  @Test("Skip leaves out the next occurrence only; twice is one skip, and it clears itself")
  func skip() {
    let driver = weekly()
    #expect(driver.ask("skip", "a").isOK)
    #expect(driver.ask("skip", "a").isOK)
    #expect(driver.document("a")["skipped"] != .null)
    #expect(driver.document("a")["nextAlert"] == "2026-12-02T07:00:00.000+01:00")
    #expect(driver.retainedNode?["next"]?["at"] == "2026-12-02T07:00:00.000+01:00")
    #expect(driver.kinds("a").filter { $0 == "skipped" }.count == 1)
    driver.advance(to: "2026-12-01T07:00:01")
    #expect(driver.document("a")["skipped"] == .null)
    #expect(driver.retained["a"]?["skipped"] == .null)
    driver.advance(to: "2026-12-03T12:00:00")
    #expect(driver.wallAlerts("a") == [instant("2026-12-02T07:00"), instant("2026-12-03T07:00")])
    #expect(driver.events("a", kind: "missed").isEmpty)
  }

  @Test("A skipped occurrence has no preAlert and no reminder")
  func skipQuiet() {
    let driver = weekly(#","countdown":{"preAlert":300},"reminders":[1200]"#)
    driver.ask("skip", "a")
    driver.advance(to: "2026-12-02T06:39:00")
    #expect(driver.ticks("a").isEmpty)
    #expect(driver.events("a", kind: "reminder").isEmpty)
    #expect(driver.soundings.isEmpty)
  }

  @Test("Unskip restores it; without a skip it changes nothing")
  func unskip() {
    let driver = weekly()
    driver.ask("skip", "a")
    #expect(driver.ask("unskip", "a").isOK)
    #expect(driver.document("a")["skipped"] == .null)
    #expect(driver.ask("unskip", "a").isOK)
    driver.advance(to: "2026-12-01T07:00:00")
    #expect(driver.wallAlerts("a") == [instant("2026-12-01T07:00")])
  }

  @Test("A skip survives a restart, and downtime over it is not a missed alarm", arguments: [1800, 3660] as [Int64])
  func skipOverRestart(downtime: Int64) {
    let driver = weekly()
    driver.ask("skip", "a")
    driver.restart(afterDowntime: downtime * 1000, reboot: true)
    driver.advance(to: "2026-12-01T08:00:00")
    #expect(driver.alerts("a") == [])
    #expect(driver.events("a", kind: "missed").isEmpty)
    #expect(driver.document("a")["nextAlert"] == "2026-12-02T07:00:00.000+01:00")
  }

  @Test(
    "Adjust moves the next occurrence only, earlier or later",
    arguments: ["2026-12-01T06:15:00", "2026-12-01T09:30:00", "2026-12-02T06:59:00"])
  func adjust(at: String) {
    let driver = weekly()
    #expect(driver.request("adjust", #"{"id":"a","at":"\#(at)"}"#).isOK)
    #expect(driver.document("a")["nextAlert"]?.string == instant(at).formatted(in: berlin))
    #expect(driver.document("a")["adjusted"] != .null)
    #expect(driver.kinds("a").contains("adjusted"))
    driver.advance(to: "2026-12-03T12:00:00")
    #expect(driver.wallAlerts("a") == [instant(at), instant("2026-12-02T07:00"), instant("2026-12-03T07:00")])
    #expect(driver.document("a")["adjusted"] == .null)
    #expect(driver.events("a", kind: "alerting").first?["occurrence"] == "2026-12-01", "an occurrence is named by its intended date")
  }

  @Test(
    "An instant that is past, or beyond the occurrence after it, is invalid_argument",
    arguments: ["2026-12-01T05:59:00", "2026-12-01T06:00:00", "2026-12-02T07:00:01", "2026-12-09T07:00:00"])
  func adjustLimits(at: String) {
    let driver = weekly()
    let records = driver.engine.records
    let answer = driver.request("adjust", #"{"id":"a","at":"\#(at)"}"#)
    #expect(answer.code == "invalid_argument")
    #expect(answer.field == "at")
    #expect(driver.engine.records == records)
  }

  @Test("Adjusting to null restores, and at must be given")
  func adjustNull() {
    let driver = weekly()
    driver.request("adjust", #"{"id":"a","at":"2026-12-01T06:30:00"}"#)
    #expect(driver.ask("adjust", "a").code == "invalid_argument")
    #expect(driver.request("adjust", #"{"id":"a","at":null}"#).isOK)
    #expect(driver.document("a")["adjusted"] == .null)
    driver.advance(to: "2026-12-01T12:00:00")
    #expect(driver.wallAlerts("a") == [instant("2026-12-01T07:00")])
  }

  @Test("The preAlert and the reminders go with an adjusted occurrence")
  func adjustedPreAlert() {
    let driver = weekly(#","countdown":{"preAlert":300},"reminders":[1200]"#)
    driver.request("adjust", #"{"id":"a","at":"2026-12-01T08:00:00"}"#)
    driver.advance(to: "2026-12-01T08:00:00")
    #expect(driver.events("a", kind: "reminder").map(\.wall) == [instant("2026-12-01T07:40")])
    #expect(driver.events("a", kind: "started").map(\.wall) == [instant("2026-12-01T07:55")])
    #expect(driver.wallAlerts("a") == [instant("2026-12-01T08:00")])
  }

  @Test("An adjusted instant within the preAlert begins the countdown late")
  func adjustedIntoPreAlert() {
    let driver = weekly(#","countdown":{"preAlert":300}"#)
    driver.request("adjust", #"{"id":"a","at":"2026-12-01T06:02:00"}"#)
    driver.advance(milliseconds: 0)
    #expect(driver.state("a") == "countdown")
    #expect(driver.document("a")["total"] == 300)
    driver.advance(to: "2026-12-01T06:02:00")
    #expect(driver.wallAlerts("a") == [instant("2026-12-01T06:02")])
  }

  @Test("An adjustment survives a restart", arguments: [false, true])
  func adjustOverRestart(reboot: Bool) {
    let driver = weekly()
    driver.request("adjust", #"{"id":"a","at":"2026-12-01T07:30:00"}"#)
    driver.restart(afterDowntime: 4_200_000, reboot: reboot)
    driver.advance(to: "2026-12-01T12:00:00")
    #expect(driver.wallAlerts("a") == [instant("2026-12-01T07:30")])
  }

  // MARK: Preview

  private func preview(_ json: String) -> [[String?]] {
    let driver = EngineDriver(at: "2026-03-20T12:00:00")
    let answer = driver.request("preview", json)
    #expect(answer.isOK, "\(answer.message ?? "")")
    #expect(driver.engine.records.isEmpty, "nothing is saved")
    return (answer.data?.array ?? []).map { [$0["at"]?.string, $0["note"]?.string] }
  }

  @Test("A preview tells of the gap and of the overlap")
  func previewNotes() {
    #expect(
      preview(#"{"schedule":{"time":"02:30","weekdays":"daily"},"from":"2026-03-27T12:00","count":3}"#)
        == [["2026-03-28T02:30:00.000+01:00", nil], ["2026-03-29T03:00:00.000+02:00", "gap"], ["2026-03-30T02:30:00.000+02:00", nil]])
    #expect(
      preview(#"{"schedule":{"time":"02:30","weekdays":"daily"},"from":"2026-10-24T12:00","count":2}"#)
        == [["2026-10-25T02:30:00.000+02:00", "overlap"], ["2026-10-26T02:30:00.000+01:00", nil]])
  }

  @Test("Its from is exclusive and may be past, and its count is the sender's")
  func previewFrom() {
    #expect(
      preview(#"{"schedule":{"time":"07:00","weekdays":["mon","fri"]},"from":"2026-01-02T07:00","count":2}"#)
        == [["2026-01-05T07:00:00.000+01:00", nil], ["2026-01-09T07:00:00.000+01:00", nil]])
    #expect(preview(#"{"schedule":{"time":"07:00","weekdays":"daily"},"count":"1000"}"#).count == 1000)
    #expect(preview(#"{"schedule":{"time":"07:00","weekdays":"daily"},"count":1}"#) == [["2026-03-21T07:00:00.000+01:00", nil]])
    let driver = EngineDriver()
    #expect(driver.request("preview", #"{"schedule":{"time":"07:00"},"count":1001}"#).code == "invalid_argument")
    #expect(driver.request("preview", #"{"schedule":{"time":"07:00"},"count":0}"#).code == "invalid_argument")
  }

  @Test("One-shots have one occurrence, and excepted dates none")
  func previewOthers() {
    #expect(preview(#"{"schedule":{"time":"07:00"}}"#) == [["2026-03-21T07:00:00.000+01:00", nil]])
    #expect(preview(#"{"schedule":{"at":"2026-05-01T07:00"}}"#) == [["2026-05-01T07:00:00.000+02:00", nil]])
    #expect(
      preview(#"{"schedule":{"time":"07:00","weekdays":"daily"},"exceptDates":["2026-03-21/2026-03-23"],"count":1}"#)
        == [["2026-03-24T07:00:00.000+01:00", nil]])
  }
}
