import AlarmModel
import CivilTime
import JSON
import Testing

@Suite("An alarm in a few words")
struct QuickAlarmTests {
  @Test(
    "Times, lengths and titles are understood",
    arguments: [
      ("07:00", #"{"schedule":{"time":"07:00"}}"#), ("7:05", #"{"schedule":{"time":"07:05"}}"#),
      ("07:00 mon-fri", #"{"schedule":{"time":"07:00","weekdays":["mon","tue","wed","thu","fri"]}}"#),
      ("weekend 09:30 Croissants, fresh", #"{"title":"Croissants, fresh","schedule":{"time":"09:30","weekdays":["sat","sun"]}}"#),
      (
        "daily at 21:00 Lights out",
        #"{"title":"Lights out","schedule":{"time":"21:00","weekdays":["mon","tue","wed","thu","fri","sat","sun"]}}"#
      ),
      ("07:00 on Tue,Thu", #"{"schedule":{"time":"07:00","weekdays":["tue","thu"]}}"#),
      ("in 10m", #"{"duration":600}"#), ("10m Pasta", #"{"title":"Pasta","duration":600}"#), ("in 1h30m", #"{"duration":5400}"#),
      ("in 10 minutes Tea", #"{"title":"Tea","duration":600}"#), ("1 hour 5 min", #"{"duration":3900}"#), ("90 s", #"{"duration":90}"#),
      ("IN 2 Hours", #"{"duration":7200}"#), ("in 0.5h", #"{"duration":1800}"#),
      ("tomorrow 6:30", #"{"schedule":{"at":"2026-12-02T06:30"}}"#),
      ("6:30 tomorrow Airport", #"{"title":"Airport","schedule":{"at":"2026-12-02T06:30"}}"#),
      ("today 23:59", #"{"schedule":{"at":"2026-12-01T23:59"}}"#),
      ("2026-12-24 08:00 Tree", #"{"title":"Tree","schedule":{"at":"2026-12-24T08:00"}}"#),
    ])
  func understood(text: String, document: String) throws {
    // 2026-12-01T22:30:00Z, which is 23:30 in Berlin.
    let made = try QuickAlarm(text).document(id: nil, now: Instant(milliseconds: 1_796_164_200_000), zone: berlin)
    var expected = try #require(JSONValue(parsing: Array(document.utf8)).object)
    for key in ["id", "title"] where expected[key] == nil { expected[key] = .null }
    #expect(made == expected)
  }

  @Test(
    "What is no time is refused",
    arguments: [
      "", "   ", "soon", "Pasta 10m", "25:00", "tomorrow", "mon-fri", "0m", "in -5m", "10", "tomorrow mon 07:00",
      "2026-02-30 08:00",
    ])
  func refused(text: String) {
    #expect(throws: DocumentError.Reason.self) { _ = try QuickAlarm(text) }
  }
}
