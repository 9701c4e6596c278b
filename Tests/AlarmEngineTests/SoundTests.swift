import AlarmEngine
import JSON
import Testing

@Suite("What sounds")
struct SoundTests {
  private func driver(level: String = "critical", settings: [(String, String)]) -> EngineDriver {
    let driver = EngineDriver()
    driver.schedule(
      #"{"id":"a","schedule":{"at":"2026-12-01T12:10"},"reminders":[300],"interruptionLevel":"\#(level)","sound":"bell","volume":70,"fadeIn":20}"#
    )
    for (name, value) in settings { driver.set(name, value) }
    return driver
  }

  @Test(
    "Whether an alarm sounds depends on its level, the focus and muted",
    arguments: [
      ("active", "off", "OFF", true), ("active", "work", "OFF", false), ("active", "do-not-disturb", "OFF", false),
      ("active", "off", "ON", false),
      ("timeSensitive", "off", "OFF", true), ("timeSensitive", "work", "OFF", true), ("timeSensitive", "do-not-disturb", "OFF", false),
      ("timeSensitive", "off", "ON", false), ("critical", "off", "OFF", true), ("critical", "do-not-disturb", "OFF", true),
      ("critical", "off", "ON", false),
    ])
  func levels(level: String, focus: String, muted: String, sounds: Bool) {
    let driver = driver(level: level, settings: [("focus", focus), ("muted", muted)])
    driver.advance(seconds: 601)
    #expect((driver.sounding == "bell") == sounds)
    #expect(driver.state("a") == "alerting", "whatever is quiet still has its states")
    #expect(driver.events("a", kind: "alerting").count == 1)
    let reason = driver.events("a", kind: "alerting").first?["muted"]
    #expect((reason == nil || reason == .null || reason == false) == sounds, "muted tells the reason: \(String(describing: reason))")
  }

  @Test("Muting while it rings silences, unmuting lets it ring on")
  func muteWhileRinging() {
    let driver = driver(settings: [])
    driver.advance(seconds: 601)
    driver.set("muted", "ON")
    #expect(driver.sounding == nil)
    #expect(driver.engine.problems.map(\.code) == ["muted"])
    driver.set("muted", "OFF")
    #expect(driver.sounding == "bell")
    #expect(driver.engine.problems.isEmpty)
  }

  @Test("A focus that begins while an active alarm rings silences it")
  func focusWhileRinging() {
    let driver = driver(level: "active", settings: [])
    driver.advance(seconds: 601)
    driver.set("focus", "sleep")
    #expect(driver.sounding == nil)
    driver.set("focus", "off")
    #expect(driver.sounding == "bell")
  }

  @Test("Silent quiets reminders and tests, and no alarm")
  func silent() {
    let driver = driver(settings: [("silent", "ON")])
    #expect(driver.request("test").isOK)
    driver.advance(seconds: 400)
    #expect(driver.soundings.isEmpty)
    #expect(driver.events("a", kind: "reminder").count == 1)
    driver.advance(seconds: 200)
    #expect(driver.sounding == "bell")
  }

  @Test("Muted quiets reminders and tests too")
  func mutedReminders() {
    let driver = driver(settings: [("muted", "ON")])
    driver.request("test")
    driver.advance(seconds: 400)
    #expect(driver.soundings.isEmpty)
    #expect(driver.events("a", kind: "reminder").count == 1)
  }

  @Test("The ring has the alarm's sound, volume and fade-in, else the settings'")
  func ring() {
    let driver = driver(settings: [("volume", "40"), ("sound", "gong")])
    driver.schedule(#"{"id":"b","schedule":{"at":"2026-12-01T12:20"}}"#)
    func last() -> Ring? {
      for entry in driver.log.reversed() { if case .ring(let ring?) = entry.effect { return ring } }
      return nil
    }
    driver.advance(seconds: 601)
    #expect(last()?.sound == "bell")
    #expect(last()?.volume == 70)
    #expect(last()?.fadeIn == 20)
    let first = last()?.ring
    driver.ask("stop", "a")
    driver.advance(seconds: 600)
    #expect(last()?.sound == "gong")
    #expect(last()?.volume == 40)
    #expect(last()?.fadeIn == 0)
    #expect(last()?.ring != first)
  }

  @Test("A test sounds for a short while, with the sound it names, and changes no alarm")
  func test() {
    let driver = EngineDriver()
    #expect(driver.request("test", #"{"sound":"chime"}"#).isOK)
    #expect(driver.sounding == "chime")
    driver.advance(seconds: 30)
    #expect(driver.sounding == nil)
    #expect(driver.request("test", #"{"sound":"nosuch"}"#).code == "invalid_argument")
  }

  @Test("A test does not end an alarm's ring, and an alarm takes over from a test")
  func testWhileRinging() {
    let driver = driver(settings: [])
    driver.advance(milliseconds: 599_000)
    driver.request("test", #"{"sound":"chime"}"#)
    driver.advance(seconds: 1)
    #expect(driver.sounding == "bell")
    driver.request("test", #"{"sound":"chime"}"#)
    #expect(driver.sounding == "bell")
    driver.advance(seconds: 30)
    #expect(driver.sounding == "bell")
  }

  @Test(
    "A setting is published with the value in force, and a bad value leaves it as it was",
    arguments: [
      ("volume", "55", "55"), ("volume", "0", "80"), ("volume", "101", "80"), ("volume", "loud", "80"), ("sound", "gong", "gong"),
      ("sound", "nosuch", "default"), ("snooze", "10m", "600"), ("snooze", "0", "540"), ("muted", "on", "ON"), ("muted", "maybe", "OFF"),
      ("silent", "TRUE", "ON"), ("focus", "do-not-disturb", "do-not-disturb"), ("focus", "a b", "off"),
      ("focus", "abcdefghijklmnopqrstuvwxyz0123456", "off"),
    ])
  func settings(name: String, value: String, inForce: String) {
    let driver = EngineDriver()
    let mark = driver.log.count
    driver.set(name, value)
    #expect(driver.engine.settings.value(of: name) == inForce)
    let isTaken = inForce != EngineDriver().engine.settings.value(of: name)
    #expect(driver.publications(since: mark).contains(.setting(name: name, value: inForce)) == isTaken)
    #expect(driver.replies(since: mark).map { $0["status"] } == (isTaken ? [] : ["error"]), "a good value is answered by its topic")
  }

  @Test("A setting is kept on disk, and a retained one is not taken")
  func settingRules() {
    let driver = EngineDriver()
    driver.set("volume", "55")
    #expect(driver.disk.values["setting.volume"] == "55")
    driver.step(.setting(name: "volume", value: "1", isRetained: true))
    #expect(driver.engine.settings.volume == 55)
  }
}
