import AlarmEngine
import JSON
import Testing

@Suite("Events and the broker")
struct EventTests {
  private func publishedSequences(_ driver: EngineDriver, since mark: Int = 0) -> [Int64] {
    driver.publications(since: mark).compactMap { if case .event(let event) = $0 { event.sequence } else { nil } }
  }

  @Test("Sequences strictly increase over restarts and crashes")
  func sequences() {
    let driver = EngineDriver()
    driver.acknowledges = false
    for round in 0..<6 {
      // The driver itself finds fault with a number that does not rise.
      driver.schedule(#"{"id":"t\#(round)","duration":5}"#)
      driver.store = .holds
      driver.advance(seconds: 6)
      driver.store = .answers(after: 0)
      driver.restart(reboot: round % 2 == 0, crash: true)
    }
    #expect(driver.events.count >= 18)
    #expect(publishedSequences(driver).allSatisfy { $0 > 0 })
  }

  @Test("Events are kept until they are acknowledged and repeated with the same sequence")
  func repeated() {
    let driver = EngineDriver()
    driver.acknowledges = false
    driver.schedule(#"{"id":"t","duration":600}"#)
    let sequences = driver.events.map(\.sequence)
    #expect(publishedSequences(driver) == sequences)
    driver.step(.eventAcknowledged(sequence: sequences[0]))
    for restart in [false, true] {
      // An acknowledgement is written within 10 s.
      driver.advance(seconds: 15)
      let mark = driver.log.count
      if restart {
        driver.restart(reboot: true, crash: true)
      } else {
        driver.disconnect()
        driver.connect()
      }
      #expect(publishedSequences(driver, since: mark) == Array(sequences.dropFirst()))
    }
    for sequence in sequences { driver.step(.eventAcknowledged(sequence: sequence)) }
    let mark = driver.log.count
    driver.disconnect()
    driver.connect()
    #expect(publishedSequences(driver, since: mark).isEmpty)
    driver.advance(seconds: 30)
    #expect(driver.disk.events.isEmpty)
  }

  @Test("Numbers rise in the order of publishing, though a request's events wait for the disk while an alarm rings")
  func orderWhileWriting() {
    let driver = EngineDriver()
    driver.acknowledges = false
    driver.schedule(#"{"id":"t","duration":5}"#)
    driver.advance(milliseconds: 4800)
    driver.store = .answers(after: 700)
    driver.schedule(#"{"id":"u","duration":60}"#)
    driver.advance(seconds: 5)
    let sequences = publishedSequences(driver)
    #expect(sequences.count == 5)
    #expect(sequences == sequences.sorted())
    #expect(Array(driver.disk.events.keys.sorted()) == sequences)
  }

  @Test("An acknowledgement is written at once when the node ends")
  func stopping() {
    let driver = EngineDriver()
    driver.acknowledges = false
    driver.schedule(#"{"id":"t","duration":600}"#)
    for event in driver.events { driver.step(.eventAcknowledged(sequence: event.sequence)) }
    #expect(!driver.disk.events.isEmpty)
    driver.step(.stopping)
    #expect(driver.disk.events.isEmpty)
  }

  @Test("What sounded is told at the end of the ring, a restart between them or not", arguments: [false, true])
  func receipt(restart: Bool) throws {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"t","duration":5}"#)
    driver.advance(seconds: 5)
    let ring = try #require(driver.engine.records["t"]?.alerting?.ring)
    driver.step(.sounding(ring: ring, results: [["output": "speaker"]], fallbacks: ["built-in-tone"]))
    if restart {
      driver.restart()
      let again = try #require(driver.engine.records["t"]?.alerting?.ring)
      driver.step(.sounding(ring: again, results: [["output": "buzzer"]], fallbacks: []))
    }
    #expect(driver.ask("stop", "t").isOK)
    let stopped = try #require(driver.events("t", kind: "stopped").last)
    #expect(stopped["outputs"] == [["output": restart ? "buzzer" : "speaker"]])
  }

  @Test("What happens without a broker waits and follows the snapshot")
  func offline() {
    let driver = EngineDriver()
    driver.disconnect()
    driver.store = .answers(after: 10)
    driver.schedule(#"{"id":"t","duration":5}"#)
    driver.advance(seconds: 20)
    #expect(driver.sounding == "default")
    let mark = driver.log.count
    driver.connect()
    #expect(driver.kinds("t") == ["scheduled", "started", "alerting"])
    #expect(publishedSequences(driver, since: mark) == driver.events.map(\.sequence))
  }

  @Test("A connection brings info, health, settings, alarms, state, online and then the waiting events")
  func snapshot() {
    let driver = EngineDriver()
    driver.acknowledges = false
    driver.schedule(#"{"id":"a","schedule":{"time":"13:00"}}"#)
    driver.schedule(#"{"id":"b","duration":600}"#)
    driver.disconnect()
    let mark = driver.log.count
    driver.connect()
    var kinds: [String] = []
    for kind in driver.publishedKinds(since: mark) where kinds.last != kind { kinds.append(kind) }
    #expect(Array(kinds.prefix(7)) == ["info", "health", "setting", "alarm", "node", "online", "event"])
    let settings = driver.publications(since: mark).compactMap { if case .setting(let name, _) = $0 { name } else { nil } }
    #expect(Set(settings) == ["volume", "sound", "snooze", "muted", "silent", "focus"])
    let alarms = driver.publications(since: mark).compactMap { if case .alarm(let id, .some) = $0 { id } else { nil } }
    #expect(alarms == ["a", "b"])
  }

  @Test("A snapshot shows nothing that is not on disk yet")
  func uncommittedSnapshot() {
    let driver = EngineDriver()
    driver.store = .holds
    driver.schedule(#"{"id":"a","schedule":{"time":"13:00"}}"#)
    driver.disconnect()
    driver.connect()
    driver.step(.foundRetained(id: "a"))
    driver.releaseCommits()
    #expect(driver.retained["a"] != nil)
    #expect(driver.retainedNode?["alarms"] == 1)
  }

  @Test("A retained alarm that does not exist is cleared, one that does is left")
  func foundRetained() {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"a","schedule":{"time":"13:00"}}"#)
    let mark = driver.log.count
    driver.step(.foundRetained(id: "a"))
    driver.step(.foundRetained(id: "ghost"))
    #expect(driver.publications(since: mark) == [.alarm(id: "ghost", nil)])
  }

  @Test("At most 1,000 events wait; the oldest go first, from the disk as well")
  func thousand() {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"a","schedule":{"time":"07:00","weekdays":"daily"}}"#)
    driver.disconnect()
    for _ in 0..<150 {
      for _ in 0..<4 {
        driver.ask("disable", "a")
        driver.ask("enable", "a")
      }
      driver.advance(seconds: 2)
    }
    let all = driver.events.map(\.sequence)
    #expect(all.count > 1100)
    #expect(driver.engine.waitingEvents.count == 1000)
    let mark = driver.log.count
    driver.acknowledges = false
    driver.connect()
    #expect(publishedSequences(driver, since: mark) == all.suffix(1000))
    driver.advance(seconds: 30)
    #expect(driver.disk.events.count == 1000)
  }

  @Test("Every event says what, which alarm, when and its number")
  func members() {
    let driver = EngineDriver()
    driver.schedule(
      #"{"id":"a","title":"T","body":"B","schedule":{"time":"12:01","weekdays":"daily"},"countdown":{"preAlert":30},"reminders":[40]}"#)
    driver.advance(seconds: 65)
    driver.ask("snooze", "a")
    driver.ask("pause", "a")
    driver.ask("resume", "a")
    driver.ask("stop", "a")
    driver.ask("skip", "a")
    driver.request("adjust", #"{"id":"a","at":"2026-12-03T12:00:30"}"#)
    driver.ask("disable", "a")
    driver.ask("enable", "a")
    driver.schedule(#"{"id":"a","title":"T","body":"B","schedule":{"time":"12:02","weekdays":"daily"}}"#)
    driver.ask("cancel", "a")
    for event in driver.events {
      #expect(event["id"] == "a")
      #expect(event["title"] == "T")
      #expect(event["body"] == "B")
      #expect(event["occurrence"] != nil)
      #expect(event["at"]?.string == event.wall.formatted(in: berlin), "\(event.kind)")
      #expect(event["sequence"]?.integer == event.sequence)
      #expect(event.event.kind != nil)
    }
    #expect(
      Set(driver.kinds()) == [
        "scheduled", "reminder", "started", "alerting", "snoozed", "paused", "resumed", "stopped", "skipped", "adjusted", "disabled",
        "enabled",
        "updated", "cancelled",
      ])
  }

  @Test("sounding follows with the outputs' results, and stopped has the whole receipt")
  func receipt() throws {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"t","duration":5}"#)
    driver.advance(seconds: 5)
    guard case .ring(let ring?) = driver.log.last(where: { if case .ring = $0.effect { true } else { false } })?.effect else {
      Issue.record("nothing rings")
      return
    }
    driver.step(.sounding(ring: ring.ring, results: [["output": "speaker", "ok": true]], fallbacks: ["tone"]))
    let sounding = try #require(driver.events("t", kind: "sounding").first)
    #expect(sounding.event.document.description.contains("speaker"))
    #expect(sounding.event.document.description.contains("tone"))
    driver.step(.sounding(ring: ring.ring + 100, results: [], fallbacks: []))
    #expect(driver.events("t", kind: "sounding").count == 1, "results of a ring that is over tell nothing")
    driver.advance(seconds: 3)
    driver.ask("stop", "t")
    let stopped = try #require(driver.events("t", kind: "stopped").first)
    #expect(stopped["by"] == "request")
    #expect(stopped.event.document.description.contains("speaker"))
    driver.step(.outputFailed(output: "speaker", code: "device_gone", message: "The device is gone."))
    #expect(driver.kinds().last == "output_failed")
  }
}
