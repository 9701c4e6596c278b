import JSON
import Testing

@Suite("Transactions")
struct TransactionTests {
  private static let snooze = #"{"id":"a","duration":60,"transaction":"x"}"#

  private func ringing() -> EngineDriver {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"a","schedule":{"time":"12:01","weekdays":"daily"}}"#)
    driver.advance(seconds: 65)
    return driver
  }

  @Test("The same request again has no second effect and gets the same reply, also across restarts", arguments: [false, true])
  func same(restart: Bool) {
    let driver = ringing()
    let first = driver.request("snooze", Self.snooze)
    #expect(first.isOK)
    if restart { driver.restart(reboot: true, crash: true) } else { driver.advance(seconds: 10) }
    let (records, mark) = (driver.engine.records["a"]?.live?.snoozes, driver.events.count)
    // Members in another order are the same body.
    let second = driver.request("snooze", #"{"transaction":"x","duration":60,"id":"a"}"#)
    #expect(second.document == first.document.map { json($0.description) } || second.document == first.document)
    #expect(driver.engine.records["a"]?.live?.snoozes == records)
    #expect(driver.events.count == mark)
    driver.advance(seconds: 60)
    #expect(driver.request("snooze", Self.snooze).isOK)
    #expect(driver.state("a") == "alerting", "the repeated request does not snooze the next ring")
  }

  @Test("Another body under the same transaction is a conflict")
  func conflict() {
    let driver = ringing()
    driver.request("snooze", Self.snooze)
    let records = driver.engine.records
    #expect(driver.request("snooze", #"{"id":"a","duration":61,"transaction":"x"}"#).code == "conflict")
    #expect(driver.engine.records == records)
  }

  @Test("Replies are kept by operation and transaction: another operation may use the same one")
  func perOperation() {
    let driver = ringing()
    driver.request("snooze", Self.snooze)
    #expect(driver.request("stop", #"{"id":"a","transaction":"x"}"#).isOK)
  }

  @Test("The same request while the first is still on its way to the disk has one effect and gets its reply too")
  func uncommitted() {
    let driver = ringing()
    driver.store = .answers(after: 500)
    let mark = driver.log.count
    driver.request("snooze", Self.snooze)
    driver.advance(milliseconds: 100)
    driver.request("snooze", Self.snooze)
    driver.request("snooze", #"{"id":"a","duration":61,"transaction":"x"}"#)
    driver.advance(seconds: 2)
    let replies = driver.replies(since: mark)
    #expect(replies.count == 3)
    #expect(replies.filter { $0["status"] == "ok" }.count == 2)
    #expect(Set(replies.filter { $0["status"] == "ok" }.map(\.description)).count == 1)
    #expect(replies.first { $0["status"] != "ok" }?["error"]?["code"] == "conflict")
    #expect(driver.events("a", kind: "snoozed").count == 1)
  }

  @Test("Errors are not kept: the same request may succeed later")
  func errors() {
    let driver = EngineDriver()
    #expect(driver.request("stop", #"{"id":"a","transaction":"x"}"#).code == "not_found")
    driver.schedule(#"{"id":"a","duration":5}"#)
    #expect(driver.request("stop", #"{"id":"a","transaction":"x"}"#).isOK)
  }

  @Test("A request that could not be written may be tried again with its transaction")
  func afterStorageFailure() {
    let driver = EngineDriver()
    driver.store = .fails("disk full")
    let body = #"{"id":"a","duration":50,"transaction":"x"}"#
    #expect(driver.schedule(body).code == "storage_failed")
    driver.store = .answers(after: 0)
    #expect(driver.schedule(body).isOK)
    #expect(driver.state("a") == "countdown")
  }

  @Test("The latest 1,000 are kept, here and on disk")
  func thousand() {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"a","schedule":{"time":"07:00","weekdays":"daily"}}"#)
    for number in 0...1000 {
      driver.advance(milliseconds: 10)
      driver.request(number % 2 == 0 ? "skip" : "unskip", #"{"id":"a","transaction":"\#(number)"}"#)
    }
    #expect(driver.disk.replies.count == 1000)
    let mark = driver.events.count
    driver.request("unskip", #"{"id":"a","transaction":"1"}"#)
    #expect(driver.events.count == mark, "the second oldest is remembered")
    #expect(driver.document("a")["skipped"] != .null)
    driver.request("unskip", #"{"id":"a","transaction":"new"}"#)
    driver.request("skip", #"{"id":"a","transaction":"0"}"#)
    #expect(driver.document("a")["skipped"] != .null, "the oldest is forgotten")
  }

  @Test("They are kept for 24 hours, across restarts", arguments: [false, true])
  func day(restart: Bool) {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"a","schedule":{"time":"07:00","weekdays":"daily"},"transaction":"x"}"#)
    driver.ask("cancel", "a")
    driver.advance(seconds: 86_390)
    if restart { driver.restart() }
    #expect(driver.schedule(#"{"id":"a","schedule":{"time":"07:00","weekdays":"daily"},"transaction":"x"}"#).isOK)
    #expect(driver.state("a") == nil, "remembered, no second effect")
    driver.advance(seconds: 20)
    if restart { driver.restart() }
    #expect(driver.schedule(#"{"id":"a","schedule":{"time":"07:00","weekdays":"daily"},"transaction":"x"}"#).isOK)
    #expect(driver.state("a") == "scheduled", "forgotten")
  }

  @Test("Past its notAfter a request is refused")
  func notAfter() {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"t","duration":60}"#)
    driver.advance(seconds: 10)
    #expect(driver.request("stop", #"{"id":"t","notAfter":"2026-12-01T12:00:09"}"#).code == "expired_request")
    #expect(driver.state("t") == "countdown")
    #expect(driver.request("stop", #"{"id":"t","notAfter":"2026-12-01T11:00:11Z"}"#).isOK)
  }

  @Test("A retained request, a broken one and an unknown one are answered and change nothing")
  func refused() {
    let driver = EngineDriver()
    let body = #"{"id":"t","duration":60,"transaction":"x"}"#
    let retained = driver.request("schedule", body, retained: true)
    #expect(retained.code == "retained_request")
    #expect(retained.document?["transaction"] == "x")
    #expect(driver.request("schedule", "").code == "malformed_json")
    #expect(driver.request("schedule", "{").code == "malformed_json")
    #expect(driver.request("explode").code == "unknown_operation")
    let large = driver.request("schedule", #"{"transaction":"x","title":"\#(String(repeating: "x", count: 65_536))"}"#)
    #expect(large.code == "too_large")
    #expect(large.document?["transaction"] == .null)
    #expect(driver.engine.records.isEmpty)
    #expect(driver.schedule(body).isOK)
  }

  @Test("Beyond 100 a second after a burst of 500 requests are rate_limited, but never stop, snooze or buttons")
  func rateLimit() {
    let driver = ringing()
    driver.advance(seconds: 60)
    var accepted = 0
    for _ in 0..<700 where driver.request("list").isOK { accepted += 1 }
    #expect(accepted == 500)
    #expect(driver.request("list").code == "rate_limited")
    #expect(driver.ask("snooze", "a").isOK)
    #expect(driver.ask("stop", "a").isOK)
    driver.advance(seconds: 1)
    accepted = 0
    for _ in 0..<200 where driver.request("list").isOK { accepted += 1 }
    #expect(accepted == 100)
  }
}
