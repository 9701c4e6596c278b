import AlarmModel
import CivilTime
import JSON
import Testing

@Suite("Alarm documents")
struct DocumentTests {
  /// Every key there is, each with a value that is not its default.
  static let full = ##"""
    {"id":"wake-up","title":"Wake up","body":"School day","enabled":false,
    "schedule":{"time":"07:00","weekdays":["mon","tue","wed","thu","fri"],"timeZone":"America/New_York"},
    "countdown":{"preAlert":900,"postAlert":300},"reminders":[1800],
    "presentation":{"alert":{"title":"Up","stopButton":{"text":"Stop"},"secondaryButton":{"text":"Snooze","textColor":"#FFFFFF","icon":"mdi:sleep"},
    "secondaryButtonBehavior":"custom"},"countdown":{"title":"Soon","pauseButton":{"text":"Pause"}},
    "paused":{"title":"Held","resumeButton":{"text":"Go on"}}},
    "tint":"#5E5CE6","icon":"mdi:alarm","metadata":{"room":"bedroom","deep":{"a":[1,2.5,null,true]}},
    "sound":"bell","volume":80,"fadeIn":30,"interruptionLevel":"timeSensitive","maximumSnoozes":3,"ringFor":300,"onRingTimeout":"stop",
    "missedPolicy":"miss","missedGrace":60,"exceptDates":["2026-12-25","2026-12-27/2027-01-02"]}
    """##

  @Test("Every key is read")
  func everyKey() throws {
    let alarm = try #require(read(Self.full))
    #expect(alarm.id == "wake-up")
    #expect(alarm.title == "Wake up")
    #expect(alarm.body == "School day")
    #expect(!alarm.isEnabled)
    let seven = try #require(LocalTime("07:00"))
    #expect(
      alarm.schedule
        == .relative(seven, weekdays: [.monday, .tuesday, .wednesday, .thursday, .friday], timeZone: "America/New_York"))
    #expect(alarm.countdownDuration == Alarm.CountdownDuration(preAlert: 900, postAlert: 300))
    #expect(alarm.reminders == [1800])
    #expect(alarm.tint == "#5E5CE6")
    #expect(alarm.icon == "mdi:alarm")
    #expect(alarm.metadata == json(#"{"room":"bedroom","deep":{"a":[1,2.5,null,true]}}"#))
    #expect(alarm.sound == "bell")
    #expect(alarm.volume == 80)
    #expect(alarm.fadeIn == 30)
    #expect(alarm.interruptionLevel == .timeSensitive)
    #expect(alarm.maximumSnoozes == 3)
    #expect(alarm.ringFor == 300)
    #expect(alarm.onRingTimeout == .stop)
    #expect(alarm.missedPolicy == .miss)
    #expect(alarm.missedGrace == 60)
    #expect(alarm.exceptDates.count == 2)
    #expect(alarm.presentation?.alert?.secondaryButton?.textColor == "#FFFFFF")
    #expect(alarm.presentation?.alert?.secondaryButtonBehavior == .custom)
    #expect(alarm.title(in: .alerting) == "Up")
    #expect(alarm.title(in: .countdown) == "Soon")
    #expect(alarm.title(in: .paused) == "Held")
    #expect(alarm.title(in: .scheduled) == "Wake up")
    #expect(alarm.buttons(in: .alerting) == ["Stop", "Snooze"])
    #expect(alarm.buttons(in: .countdown) == ["Pause"])
    #expect(alarm.buttons(in: .paused) == ["Go on"])
  }

  @Test("The defaults are the contract's")
  func defaults() throws {
    let alarm = try #require(read(#"{"duration":60}"#))
    #expect(alarm.id == "made")
    #expect(alarm.isEnabled)
    #expect(alarm.isTimer)
    #expect(alarm.interruptionLevel == .critical)
    #expect(alarm.fadeIn == 0)
    #expect(alarm.ringFor == 600)
    #expect(alarm.onRingTimeout == .snooze)
    #expect(alarm.maximumSnoozes == nil)
    #expect(alarm.missedPolicy == .ring)
    #expect(alarm.missedGrace == 900)
    #expect(alarm.metadata == [:])
  }

  @Test(
    "What is written can be read again and is equal",
    arguments: [full, #"{"id":"t","duration":2.5}"#, #"{"id":"a","schedule":{"at":"2026-12-01T07:00"}}"#])
  func roundTrip(text: String) throws {
    let alarm = try #require(read(text))
    let document = alarm.document(in: berlin)
    #expect(read(document.description) == alarm)
  }

  @Test("null means absent, for every key")
  func null() {
    let plain = read(#"{"id":"a","duration":60}"#)
    for member in json(Self.full) where member.key != "id" {
      #expect(read(#"{"id":"a","duration":60,"\#(member.key)":null}"#) == plain, "\(member.key)")
    }
    #expect(read(#"{"id":null,"duration":60}"#)?.id == "made")
    #expect(fault(#"{"duration":null}"#) != nil)
    #expect(read(#"{"id":"a","schedule":{"time":"07:00","weekdays":null,"timeZone":null,"at":null}}"#)?.isRepeating == false)
  }

  @Test("Published-only keys are accepted without effect")
  func publishedOnly() {
    let published = #"""
      "state":"alerting","revision":7,"occurrence":"2026-12-01","nextAlert":"2026-12-01T07:00:00.000+01:00","fireDate":"x","total":1,
      "remaining":[],"snoozes":5,"skipped":{},"adjusted":"y","lastOutcome":"missed"
      """#
    #expect(read(#"{"id":"a","duration":60,\#(published)}"#) == read(#"{"id":"a","duration":60}"#))
  }

  @Test(
    "An unknown key is named by its path",
    arguments: [
      (#"{"duration":60,"snooze":5}"#, "snooze"), (#"{"schedule":{"time":"07:00","day":"mon"}}"#, "schedule.day"),
      (#"{"countdown":{"preAlert":5,"extra":1}}"#, "countdown.extra"),
      (#"{"duration":60,"presentation":{"alarm":{}}}"#, "presentation.alarm"),
      (#"{"duration":60,"presentation":{"alert":{"stopButton":{"text":"x","color":"y"}}}}"#, "presentation.alert.stopButton.color"),
      (#"{"duration":60,"Title":"x"}"#, "Title"),
    ])
  func unknown(text: String, field: String) { #expect(fault(text) == field) }

  @Test("Numbers and booleans are understood as strings too, in any case", arguments: ["True", "true", "ON", "on", "yes"])
  func strings(word: String) {
    #expect(
      read(#"{"id":"a","duration":"60","enabled":"\#(word)","volume":"55","maximumSnoozes":"2","fadeIn":"5","reminders":["30"]}"#)?.volume
        == 55)
    #expect(read(#"{"id":"a","duration":"60","enabled":"\#(word)"}"#)?.isEnabled == true)
  }

  @Test("Words for off", arguments: ["False", "false", "OFF", "off", "no"])
  func off(word: String) { #expect(read(#"{"duration":60,"enabled":"\#(word)"}"#)?.isEnabled == false) }

  @Test(
    "Good and bad values at the edges of each range",
    arguments: [
      ("volume", "1", true), ("volume", "100", true), ("volume", "0", false), ("volume", "101", false), ("volume", "50.5", false),
      ("fadeIn", "0", true), ("fadeIn", "-1", false), ("maximumSnoozes", "0", true), ("maximumSnoozes", "-1", false),
      ("ringFor", "1", true),
      ("ringFor", "0", false), ("missedGrace", "0", true), ("missedGrace", "-1", false), ("enabled", #""maybe""#, false),
      ("enabled", "1", false),
      ("interruptionLevel", #""passive""#, false), ("onRingTimeout", #""ring""#, false), ("missedPolicy", #""skip""#, false),
      ("tint", ##""#5e5ce6""##, true), ("tint", #""5E5CE6""#, false), ("tint", ##""#5E5CE""##, false), ("icon", #""mdi:alarm""#, true),
      ("icon", #""alarm clock""#, false), ("sound", #""bell""#, true), ("sound", #""nosuch""#, false), ("sound", #""../bell""#, false),
      ("sound", "5", false), ("title", "5", true), ("title", "{}", false), ("metadata", "[]", false), ("metadata", #""x""#, false),
      ("reminders", "60", false), ("reminders", "[0]", false), ("reminders", "[]", true), ("exceptDates", #"["2026-02-29"]"#, false),
      ("exceptDates", #"["2028-02-29"]"#, true), ("exceptDates", #"["2027-01-02/2026-12-27"]"#, false),
      ("exceptDates", #"["2026-12-25/"]"#, false),
      ("presentation", #"{"alert":{"stopButton":{}}}"#, false), ("presentation", #"{"alert":{"secondaryButtonBehavior":"snooze"}}"#, false),
    ])
  func ranges(key: String, value: String, isGood: Bool) {
    let found = fault(#"{"schedule":{"time":"07:00","weekdays":"daily"},"\#(key)":\#(value)}"#)
    #expect((found == nil) == isGood, "\(key) \(value): \(found ?? "accepted")")
    if let found { #expect(found.hasPrefix(key)) }
  }

  @Test(
    "An id is 1 to 64 of letters, digits, _ and -",
    arguments: [("a", true), ("A-z_09", true), ("", false), ("a b", false), ("ä", false), ("a/b", false), ("+", false), ("a.b", false)])
  func identifiers(id: String, isGood: Bool) {
    #expect((fault(#"{"id":"\#(id)","duration":5}"#) == nil) == isGood)
    #expect(Identifier.isValid(id) == isGood)
    #expect(Identifier.isValid(String(repeating: "x", count: 64)))
    #expect(!Identifier.isValid(String(repeating: "x", count: 65)))
  }

  @Test("Metadata may have 4 KiB and no more")
  func metadata() {
    // {"k":"…"} has 8 bytes besides its text.
    #expect(read(#"{"duration":5,"metadata":{"k":"\#(String(repeating: "x", count: 4088))"}}"#) != nil)
    #expect(fault(#"{"duration":5,"metadata":{"k":"\#(String(repeating: "x", count: 4089))"}}"#) == "metadata")
  }

  @Test("A schedule or a countdown.preAlert is required, and a schedule is one of the two")
  func required() {
    #expect(fault("{}") != nil)
    #expect(fault(#"{"title":"x"}"#) != nil)
    #expect(fault(#"{"countdown":{"postAlert":5}}"#) != nil)
    #expect(fault(#"{"schedule":{}}"#) != nil)
    #expect(fault(#"{"schedule":{"weekdays":"daily"}}"#) != nil)
    #expect(fault(#"{"schedule":{"at":"2026-12-01T07:00","time":"07:00"}}"#) != nil)
    #expect(fault(#"{"schedule":{"at":"2026-12-01T07:00","weekdays":"daily"}}"#) != nil)
    #expect(fault(#"{"schedule":"07:00"}"#) == "schedule")
  }

  @Test(
    "Times and zones",
    arguments: [
      (#"{"time":"07:00"}"#, true), (#"{"time":"07:00:30"}"#, true), (#"{"time":"00:00"}"#, true), (#"{"time":"23:59:59"}"#, true),
      (#"{"time":"24:00"}"#, false), (#"{"time":"07:60"}"#, false), (#"{"time":"7am"}"#, false), (#"{"time":700}"#, false),
      (#"{"time":"07:00","timeZone":"Europe/Berlin"}"#, true), (#"{"time":"07:00","timeZone":"Mars/Olympus"}"#, false),
      (#"{"time":"07:00","timeZone":"../etc/passwd"}"#, false), (#"{"time":"07:00","timeZone":""}"#, false),
    ])
  func times(schedule: String, isGood: Bool) {
    let found = fault(#"{"schedule":\#(schedule)}"#)
    #expect((found == nil) == isGood, "\(schedule): \(found ?? "accepted")")
    if let found { #expect(found.hasPrefix("schedule.time")) }
  }

  @Test(
    "Instants with an offset are absolute, without one they are the alarm's zone's, under the gap rule",
    arguments: [
      (#""at":"2026-12-01T07:00:00+01:00""#, "2026-12-01T06:00:00Z"), (#""at":"2026-12-01T07:00:00.250Z""#, "2026-12-01T07:00:00.250Z"),
      (#""at":"2026-12-01T07:00""#, "2026-12-01T06:00:00Z"), (#""at":"2026-12-01 07:00""#, "2026-12-01T06:00:00Z"),
      (#""at":"2026-12-01T07:00","timeZone":"America/New_York""#, "2026-12-01T12:00:00Z"),
      (#""at":"2026-12-01T07:00Z","timeZone":"America/New_York""#, "2026-12-01T07:00:00Z"),
      (#""at":"2026-03-29T02:30""#, "2026-03-29T01:00:00Z"),
      (#""at":"2026-10-25T02:30""#, "2026-10-25T00:30:00Z"),
    ])
  func instants(members: String, expected: String) throws {
    let parsed = try #require(InstantText.parse(expected)).instant(in: .utc)
    guard case .fixed(let at, _) = read(#"{"schedule":{\#(members)}}"#)?.schedule else {
      Issue.record("no instant in \(members)")
      return
    }
    #expect(at == parsed)
  }

  @Test(
    "What is no instant is refused",
    arguments: ["tomorrow", "2026-12-01", "07:00", "2026-02-30T07:00", "2026-12-01T25:00", "", "1796104800"])
  func noInstant(text: String) { #expect(fault(#"{"schedule":{"at":"\#(text)"}}"#) == "schedule.at") }
}
