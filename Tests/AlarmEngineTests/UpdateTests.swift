import AlarmEngine
import JSON
import Testing

@Suite("Changing some members, quick alarms, the siren")
struct UpdateTests {
  @Test("An update changes what it names and leaves the rest, and null removes")
  func update() {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"a","title":"Up","schedule":{"time":"07:00","weekdays":"mon-fri"},"volume":40,"metadata":{"a":1,"b":2}}"#)
    let answer = driver.request("update", #"{"id":"a","schedule":{"time":"06:45"},"volume":null,"metadata":{"b":null,"c":3}}"#)
    #expect(answer.isOK)
    let document = driver.document("a")
    #expect(document["schedule"] == ["time": "06:45", "weekdays": ["mon", "tue", "wed", "thu", "fri"]])
    #expect(document["title"] == "Up" && document["volume"] == .null && document["metadata"] == ["a": 1, "c": 3])
    #expect(document["revision"] == 2)
    #expect(driver.kinds("a") == ["scheduled", "updated"])
  }

  @Test("One kind of schedule takes the other's place; duration is short for countdown.preAlert")
  func kinds() {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"a","schedule":{"time":"07:00","weekdays":"mon-fri"},"countdown":{"preAlert":60,"postAlert":5}}"#)
    #expect(driver.request("update", #"{"id":"a","schedule":{"at":"2026-12-05T08:00"},"duration":90}"#).isOK)
    #expect(driver.document("a")["schedule"] == ["at": "2026-12-05T08:00:00.000+01:00"])
    #expect(driver.document("a")["countdown"] == ["preAlert": 90, "postAlert": 5])
    #expect(driver.request("update", #"{"id":"a","schedule":{"time":"09:00"}}"#).isOK)
    #expect(driver.document("a")["schedule"] == ["time": "09:00"])
  }

  @Test("What is wrong is named and changes nothing")
  func faults() {
    let driver = EngineDriver()
    driver.schedule(#"{"id":"a","schedule":{"time":"07:00","weekdays":"mon-fri"}}"#)
    let records = driver.engine.records
    for (body, code, field) in [
      (#"{"id":"b","volume":1}"#, "not_found", "id"), (#"{"volume":1}"#, "invalid_argument", "id"),
      (#"{"id":"a","colour":1}"#, "invalid_argument", "colour"),
      (#"{"id":"a","schedule":{"time":"7"}}"#, "invalid_argument", "schedule.time"),
      (#"{"id":"a","schedule":null}"#, "invalid_argument", "schedule"),
      (#"{"id":"a","volume":5,"ifRevision":9}"#, "conflict", "ifRevision"),
    ] {
      let answer = driver.request("update", body)
      #expect(answer.code == code && answer.field == field, "\(body): \(answer.message ?? "")")
    }
    #expect(driver.engine.records == records)
  }

  @Test("A quick alarm is scheduled as it says, and off cancels the one it names")
  func quick() {
    let driver = EngineDriver()
    #expect(driver.request("quick", #"{"text":"in 5m Tea","id":"quick-timer"}"#).isOK)
    #expect(driver.state("quick-timer") == "countdown" && driver.document("quick-timer")["title"] == "Tea")
    #expect(driver.request("quick", #"{"text":"tomorrow 6:30"}"#).data?["nextAlert"] == "2026-12-02T06:30:00.000+01:00")
    #expect(driver.request("quick", #"{"text":"today 6:30"}"#).field == "schedule.at", "that is past")
    #expect(driver.request("quick", #"{"text":"whenever"}"#).field == "text")
    #expect(driver.request("quick", #"{"text":"off","id":"quick-timer"}"#).isOK)
    #expect(driver.state("quick-timer") == nil)
  }

  @Test("The siren sounds at once, with its tone and volume, until it is switched off")
  func siren() {
    let driver = EngineDriver()
    #expect(driver.request("siren", #"{"state":"ON","tone":"gong","volume_level":0.4}"#).isOK)
    driver.advance(seconds: 5)
    #expect(driver.sounding == "gong" && driver.state("siren") == "alerting" && driver.document("siren")["volume"] == 40)
    driver.advance(seconds: 7200)
    #expect(driver.sounding == "gong")
    #expect(driver.request("siren", #"{"state":"OFF"}"#).isOK)
    #expect(driver.sounding == nil && driver.state("siren") == nil)
    #expect(driver.request("siren", #"{"state":"OFF"}"#).code == "nothing_to_do")
    #expect(driver.request("siren", #"{"state":"ON","duration":3}"#).isOK)
    driver.advance(seconds: 10)
    #expect(driver.sounding == nil && driver.state("siren") == nil)
    #expect(driver.request("siren", #"{"state":"ON","tone":"none-such"}"#).field == "tone")
  }
}
