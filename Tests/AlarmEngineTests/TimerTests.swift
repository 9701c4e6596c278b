import JSON
import Testing

@Suite("Timers")
struct TimerTests {
  @Test("A timer of N seconds publishes N, N-1, … 0, each on its second, and alerts with 0")
  func ticks() {
    let driver = EngineDriver()
    #expect(driver.request("schedule", #"{"id":"t","duration":5}"#).isOK)
    driver.advance(seconds: 8)
    #expect(driver.ticks("t") == (0...5).map { Tick(5 - $0, at: $0 * 1000) })
    #expect(driver.alerts("t") == [5000])
    #expect(driver.soundings == [Sounding(at: 5000, sound: "default")])
    #expect(driver.state("t") == "alerting")
  }

  @Test("A total with a fraction counts on the countdown's own whole seconds, rounded up")
  func fractions() {
    let driver = EngineDriver(at: "2026-12-01T12:00:00.370")
    driver.request("schedule", #"{"id":"t","duration":2.5}"#)
    driver.advance(seconds: 4)
    #expect(driver.ticks("t").first == Tick(3, at: 0))
    #expect(driver.ticks("t").map(\.seconds) == [3, 2, 1, 0])
    #expect(driver.ticks("t").dropFirst() == [Tick(2, at: 500), Tick(1, at: 1500), Tick(0, at: 2500)])
    #expect(driver.alerts("t") == [2500])
  }

  @Test(
    "However late the store answers, no number comes twice, none is early, and the alert is on time",
    arguments: [20, 400, 700, 3000] as [Int64])
  func lateCommit(delay: Int64) {
    let driver = EngineDriver()
    driver.store = .answers(after: delay)
    driver.request("schedule", #"{"id":"t","duration":6}"#)
    driver.advance(seconds: 12)
    let ticks = driver.ticks("t")
    // The first comes when the request is durable; whichever would then be over 500 ms late is left out.
    let expected = (0...6).map { Tick(6 - $0, at: $0 * 1000) }.filter { $0.at >= delay }
    let late = delay <= 500 ? [Tick(6, at: delay)] : []
    #expect(ticks == late + expected)
    #expect(driver.soundings.first == Sounding(at: 6000, sound: "default"))
  }

  @Test("A pause stops the ticks, and after resuming the next one comes on the next whole second with the total unchanged")
  func pauseAndResume() {
    let driver = EngineDriver()
    driver.request("schedule", #"{"id":"t","duration":10}"#)
    driver.advance(milliseconds: 3300)
    #expect(driver.request("pause", #"{"id":"t"}"#).isOK)
    #expect(driver.state("t") == "paused")
    let paused = driver.document("t")
    #expect(paused["fireDate"] == .null)
    #expect(paused["total"] == 10)
    let before = driver.log.count
    driver.advance(seconds: 60)
    #expect(driver.ticks("t", since: before).isEmpty)
    #expect(driver.request("resume", #"{"id":"t"}"#).isOK)
    let after = driver.log.count
    driver.advance(seconds: 20)
    // 6.7 s are left at 63 300: 6 is left at 64 000.
    #expect(driver.ticks("t", since: after) == (0...6).map { Tick(6 - $0, at: 64_000 + $0 * 1000) })
    #expect(driver.alerts("t") == [70_000])
    #expect(driver.kinds("t") == ["scheduled", "started", "paused", "resumed", "alerting"])
  }

  @Test("The activity of a resumed countdown tells the whole total and what had elapsed before")
  func previouslyElapsed() throws {
    let driver = EngineDriver()
    driver.request("schedule", #"{"id":"t","duration":10}"#)
    driver.advance(seconds: 4)
    driver.request("pause", #"{"id":"t"}"#)
    driver.advance(seconds: 10)
    driver.request("resume", #"{"id":"t"}"#)
    let mark = driver.log.count
    driver.advance(seconds: 2)
    let activity = try #require(driver.activities("t", since: mark).last)
    #expect(activity["total"] == 10)
    #expect(activity["remaining"] == 4)
    #expect(activity["elapsed"] == 6)
    #expect(activity["previouslyElapsed"] == 4)
    #expect(activity["fireDate"]?.string == "2026-12-01T12:00:20.000+01:00")
  }

  @Test("Two timers tick each on its own seconds")
  func twoTimers() {
    let driver = EngineDriver()
    driver.request("schedule", #"{"id":"a","duration":5}"#)
    driver.advance(milliseconds: 1300)
    driver.request("schedule", #"{"id":"b","duration":3}"#)
    driver.advance(seconds: 10)
    #expect(driver.ticks("a") == (0...5).map { Tick(5 - $0, at: $0 * 1000) })
    #expect(driver.ticks("b") == (0...3).map { Tick(3 - $0, at: 1300 + $0 * 1000) })
    #expect(driver.alerts("a") == [5000])
    #expect(driver.alerts("b") == [4300])
  }

  @Test("After a loop that stood still for 2.3 s ticks neither bunch nor repeat", arguments: [200, 2300, 2700] as [Int64])
  func stalledLoop(late: Int64) {
    let driver = EngineDriver()
    driver.request("schedule", #"{"id":"t","duration":10}"#)
    driver.advance(milliseconds: 2500)
    driver.stall(milliseconds: 500 + late)
    driver.step(.wake)
    driver.advance(seconds: 12)
    let ticks = driver.ticks("t")
    #expect(Set(ticks.map(\.seconds)).count == ticks.count, "no number twice")
    #expect(ticks.map(\.seconds) == ticks.map(\.seconds).sorted(by: >))
    for tick in ticks { #expect((0...500).contains(tick.at - (10 - tick.seconds) * 1000), "\(tick) is within 500 ms of its second") }
    let expected: [Int64] =
      switch late {
      case 200: [10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]
      case 2300: [10, 9, 8, 5, 4, 3, 2, 1, 0]
      default: [10, 9, 8, 4, 3, 2, 1, 0]
      }
    #expect(ticks.map(\.seconds) == expected)
  }

  @Test("A thousand ticks are on their seconds while other requests come in between")
  func busyNode() {
    let driver = EngineDriver()
    driver.request("schedule", #"{"id":"t","duration":1000}"#)
    for round in 0..<300 {
      driver.advance(milliseconds: 3331)
      driver.request("schedule", #"{"id":"other","schedule":{"at":"2026-12-24T18:00"},"title":"\#(round)"}"#)
    }
    driver.advance(seconds: 10)
    #expect(driver.ticks("t") == (0...1000).map { Tick(1000 - $0, at: $0 * 1000) })
  }

  @Test("A stopped timer is gone, with its topic cleared")
  func stop() {
    let driver = EngineDriver()
    driver.request("schedule", #"{"id":"t","duration":5}"#)
    driver.advance(seconds: 5)
    let mark = driver.log.count
    #expect(driver.request("stop", #"{"id":"t"}"#).isOK)
    #expect(driver.publications(since: mark).contains(.alarm(id: "t", nil)))
    #expect(driver.engine.records.isEmpty)
    #expect(driver.disk.alarms.isEmpty)
    #expect(driver.sounding == nil)
    #expect(driver.events("t").last?["by"] == "request")
  }

  @Test("A timer of three days alerts to the second, with no broker as well")
  func longest() {
    let driver = EngineDriver()
    driver.request("schedule", #"{"id":"t","duration":"72h"}"#)
    driver.disconnect()
    driver.advance(seconds: 72 * 3600 - 1)
    #expect(driver.alerts("t") == [])
    driver.advance(seconds: 1)
    #expect(driver.alerts("t") == [259_200_000])
  }

  @Test("Activity has every key always, formatted and progress right")
  func activity() throws {
    let driver = EngineDriver(at: "2026-12-01T18:20:00")
    driver.request("schedule", ##"{"id":"pasta","title":"Pasta","duration":600,"tint":"#FF9F0A","icon":"mdi:pasta"}"##)
    driver.advance(seconds: 1)
    let activity = try #require(driver.activities("pasta").last)
    #expect(
      activity
        == json(
          """
          {"id":"pasta","state":"countdown","phase":"preAlert","title":"Pasta","body":null,"remaining":599,"elapsed":1,"previouslyElapsed":0,"total":600,
          "progress":0.0017,"formatted":"09:59","startDate":"2026-12-01T18:20:00.000+01:00","fireDate":"2026-12-01T18:30:00.000+01:00",
          "buttons":["Pause"],"tint":"#FF9F0A","icon":"mdi:pasta","metadata":{}}
          """))
    driver.request("schedule", #"{"id":"long","duration":3600}"#)
    driver.request("schedule", #"{"id":"week","schedule":{"time":"07:00","weekdays":"daily"}}"#)
    driver.advance(seconds: 1)
    #expect(driver.activities("long").map { $0["formatted"]?.string } == ["1:00:00", "59:59"])
    let keys = Set(activity.map(\.key))
    driver.advance(seconds: 700)
    driver.request("snooze", #"{"id":"pasta"}"#)
    driver.request("pause", #"{"id":"pasta"}"#)
    driver.request("stop", #"{"id":"pasta"}"#)
    for id in ["pasta", "long", "week"] {
      for activity in driver.activities(id) { #expect(Set(activity.map(\.key)) == keys, "\(activity)") }
    }
    #expect(
      driver.activities("pasta").contains { $0["state"] == "alerting" && $0["buttons"] == ["Stop", "Snooze"] && $0["phase"] == .null })
  }
}
