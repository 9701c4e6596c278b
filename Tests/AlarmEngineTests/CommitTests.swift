import AlarmEngine
import JSON
import Testing

@Suite("Replies, publications and the disk")
struct CommitTests {
  @Test("The reply and the publications of a change wait for the disk")
  func waits() {
    let driver = EngineDriver()
    driver.store = .holds
    let mark = driver.log.count
    #expect(driver.schedule(#"{"id":"a","schedule":{"at":"2026-12-01T13:00"}}"#).document == nil)
    #expect(driver.publications(since: mark).isEmpty)
    #expect(driver.commitsWaiting == 1)
    driver.releaseCommits()
    #expect(driver.replies(since: mark).map { $0["status"] } == ["ok"])
    #expect(driver.retained["a"] != nil)
    #expect(driver.disk.alarms["a"] != nil)
  }

  @Test("A change is published in order: alarm state, node state, activity, event, reply")
  func order() {
    let driver = EngineDriver()
    driver.acknowledges = false
    func kinds(_ operation: String, _ json: String) -> [String] {
      let mark = driver.log.count
      #expect(driver.request(operation, json).isOK)
      var kinds = driver.publishedKinds(since: mark).filter { $0 != "remaining" }
      // A countdown's first tick comes with its own activity.
      if kinds.last == "activity" { kinds.removeLast() }
      return kinds
    }
    #expect(kinds("schedule", #"{"id":"t","duration":60}"#) == ["alarm", "node", "activity", "event", "event", "reply"])
    #expect(kinds("pause", #"{"id":"t"}"#) == ["alarm", "node", "activity", "event", "reply"])
    driver.advance(milliseconds: 300)
    #expect(kinds("resume", #"{"id":"t"}"#) == ["alarm", "node", "activity", "event", "reply"])
    #expect(kinds("stop", #"{"id":"t"}"#).filter { $0 != "activity" } == ["alarm", "node", "event", "reply"])
  }

  @Test("At the alert sound is first and waits for nobody, then everything is published, with the disk still writing")
  func alert() {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"t","duration":5}"#)
    driver.advance(milliseconds: 4500)
    driver.store = .holds
    let mark = driver.log.count
    driver.advance(milliseconds: 500)
    guard case .ring(.some) = driver.log[mark].effect else {
      Issue.record("the first effect is the ring, not \(driver.log[mark].effect)")
      return
    }
    let kinds = driver.publishedKinds(since: mark)
    #expect(kinds.filter { $0 != "remaining" } == ["alarm", "node", "activity", "event"])
    #expect(driver.ticks("t").last == Tick(0, at: 5000))
    #expect(driver.commitsWaiting == 1, "that it rings is on its way to the disk")
  }

  @Test("Stop silences at once though the disk has not answered, and replies when it has")
  func stopSilences() {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"t","duration":5}"#)
    driver.advance(seconds: 6)
    driver.store = .holds
    let mark = driver.log.count
    #expect(driver.ask("stop", "t").document == nil)
    #expect(driver.sounding == nil)
    driver.releaseCommits()
    #expect(driver.replies(since: mark).map { $0["status"] } == ["ok"])
  }

  @Test("A request whose change cannot be written is undone: storage_failed, and nothing else is published")
  func storageFailed() {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"t","duration":60}"#)
    driver.advance(seconds: 1)
    let records = driver.engine.records.keys.sorted()
    let disk = driver.disk.alarms
    driver.store = .fails("disk full")
    let eventMark = driver.events.count
    for (operation, body) in [
      ("schedule", #"{"id":"a","schedule":{"at":"2026-12-01T13:00"}}"#), ("schedule", #"{"id":"t","duration":90}"#),
      ("pause", #"{"id":"t"}"#), ("cancel", #"{"id":"t"}"#), ("disable", #"{"id":"t"}"#),
    ] {
      let mark = driver.log.count
      #expect(driver.request(operation, body).code == "storage_failed", "\(operation)")
      let kinds = driver.publishedKinds(since: mark)
      #expect(kinds.filter { !["activity", "remaining", "health"].contains($0) } == ["reply"], "\(operation)")
      #expect(driver.engine.records.keys.sorted() == records)
      #expect(driver.state("t") == "countdown")
      #expect(driver.document("t")["total"] == 60)
    }
    #expect(driver.disk.alarms == disk)
    #expect(driver.engine.problems.contains { $0.code == "storage_failed" } || driver.engine.storageError != nil)
    driver.store = .answers(after: 0)
    driver.advance(seconds: 30)
    #expect(driver.ask("pause", "t").isOK)
    #expect(driver.engine.storageError == nil)
    #expect(driver.kinds(since: eventMark).filter { $0 == "cancelled" || $0 == "disabled" }.isEmpty)
  }

  @Test("A stop of a ringing alarm holds though the disk is full, and is written when there is room again", arguments: ["stop", "snooze"])
  func stopHolds(operation: String) {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"a","schedule":{"time":"12:01","weekdays":"daily"}}"#)
    driver.advance(seconds: 65)
    driver.store = .fails("disk full")
    driver.ask(operation, "a")
    let state = operation == "stop" ? "scheduled" : "countdown"
    #expect(driver.sounding == nil)
    #expect(driver.state("a") == state)
    driver.advance(seconds: 60)
    #expect(driver.sounding == nil)
    #expect(driver.state("a") == state)
    driver.store = .answers(after: 0)
    driver.advance(seconds: 60)
    driver.restart(afterDowntime: 1000, crash: true)
    #expect(driver.state("a") == state)
    #expect(driver.sounding == nil)
  }

  @Test("It rings with a full disk, and what happened is written once there is room")
  func ringsWithFullDisk() {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"a","schedule":{"time":"12:01","weekdays":"daily"}}"#)
    driver.store = .fails("disk full")
    driver.advance(seconds: 65)
    #expect(driver.soundings == [Sounding(at: 60_000, sound: "default")])
    driver.store = .answers(after: 0)
    driver.advance(seconds: 30)
    driver.restart(crash: true)
    #expect(driver.state("a") == "alerting")
  }

  @Test("Requests that follow each other and all fail leave nothing behind, in memory and later on disk")
  func pipelinedFailure() {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"old","duration":600}"#)
    driver.store = .holds
    let mark = driver.log.count
    driver.schedule(#"{"id":"new","duration":600}"#)
    driver.ask("pause", "new")
    driver.ask("pause", "old")
    driver.ask("cancel", "old")
    driver.store = .fails("disk full")
    driver.releaseCommits()
    #expect(driver.replies(since: mark).map { $0["error"]?["code"] } == Array(repeating: "storage_failed", count: 4))
    #expect(driver.state("new") == nil)
    #expect(driver.state("old") == "countdown")
    #expect(driver.retained["new"] == nil)
    driver.store = .answers(after: 0)
    driver.advance(seconds: 30)
    driver.restart(crash: true)
    #expect(driver.state("new") == nil)
    #expect(driver.state("old") == "countdown")
  }

  @Test("The node's state tells nothing of a change that is not on disk yet, though it is published for another alarm's sake")
  func nodeState() {
    let driver = EngineDriver()
    func nodes(since mark: Int) -> [JSONObject] {
      driver.log[mark...].compactMap { if case .publish(.node(let document)) = $0.effect { document } else { nil } }
    }
    driver.schedule(#"{"id":"egg","duration":1}"#)
    driver.store = .holds
    var mark = driver.log.count
    driver.schedule(#"{"id":"a","schedule":{"at":"2026-12-01T13:00"}}"#)
    driver.advance(seconds: 2)
    #expect(nodes(since: mark).map { $0["alarms"] } == [1])
    #expect(nodes(since: mark).map { $0["state"] } == ["alerting"])
    mark = driver.log.count
    driver.releaseCommits()
    #expect(nodes(since: mark).map { $0["alarms"] } == [2])
  }

  @Test("A request that fails does not make the disk forget what time had changed before it")
  func failedRequestAfterFailedChange() {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"a","schedule":{"at":"2026-12-01T12:00:05"},"missedGrace":60}"#)
    driver.store = .fails("disk full")
    driver.setClock(by: 3_600_000)
    #expect(driver.state("a") == "disabled")
    #expect(driver.schedule(#"{"id":"a","schedule":{"at":"2026-12-01T20:00:00"}}"#).code == "storage_failed")
    driver.store = .answers(after: 10)
    driver.advance(seconds: 900)
    let missed = driver.events("a", kind: "missed").count
    #expect(missed == 1)
    driver.restart()
    #expect(driver.state("a") == "disabled")
    #expect(driver.events("a", kind: "missed").count == missed, "it is not judged a second time")
  }

  @Test("Requests that only read are answered though the disk is busy")
  func reading() {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"t","duration":60}"#)
    driver.store = .holds
    driver.ask("pause", "t")
    for (operation, body) in [
      ("get", #"{"id":"t"}"#), ("list", "{}"), ("preview", #"{"schedule":{"time":"07:00"}}"#), ("test", "{}"),
    ] { #expect(driver.request(operation, body).isOK, "\(operation)") }
  }

  @Test("Requests that follow each other before the disk answers build on each other and are answered in order")
  func pipelined() {
    let driver = EngineDriver()
    driver.store = .answers(after: 200)
    let mark = driver.log.count
    driver.request("schedule", #"{"id":"t","duration":60,"transaction":"1"}"#)
    driver.request("pause", #"{"id":"t","transaction":"2"}"#)
    driver.request("resume", #"{"id":"t","transaction":"3"}"#)
    driver.request("cancel", #"{"id":"t","transaction":"4"}"#)
    driver.advance(seconds: 2)
    #expect(driver.replies(since: mark).map { $0["transaction"] } == ["1", "2", "3", "4"])
    #expect(!driver.replies(since: mark).contains { $0["status"] != "ok" })
    #expect(driver.retained["t"] == nil)
    #expect(driver.disk.alarms.isEmpty)
  }
}
