import AlarmModel
import CivilTime
import JSON
import Testing

@Suite("Weekdays")
struct WeekdayTests {
  private static let workdays: [Weekday] = [.monday, .tuesday, .wednesday, .thursday, .friday]

  @Test(
    "Lists, strings, ranges, English names and words for several are understood",
    arguments: [
      (#"["mon","tue"]"#, [.monday, .tuesday]), (#""mon,tue""#, [.monday, .tuesday]), (#""mon, tue""#, [.monday, .tuesday]),
      (#"["Monday","SUNDAY"]"#, [.monday, .sunday]), (#""mon-fri""#, workdays), (#""weekdays""#, workdays),
      (#""weekend""#, [.saturday, .sunday]),
      (#""daily""#, Weekday.allCases), (#""mon-sun""#, Weekday.allCases), (#"["sat","sat"]"#, [.saturday]),
      (#""fri,mon""#, [.monday, .friday]),
      (#"["weekdays","sat"]"#, workdays + [.saturday]),
    ] as [(String, [Weekday])])
  func understood(text: String, weekdays: [Weekday]) {
    guard case .relative(_, let found, _) = read(#"{"schedule":{"time":"07:00","weekdays":\#(text)}}"#)?.schedule else { return }
    #expect(found == weekdays, "\(text)")
  }

  @Test(
    "What names no weekday is refused", arguments: [#""moonday""#, #"["mon",""]"#, #""mon;tue""#, "1", "[1]", "true", "{}", #""mon-""#])
  func refused(text: String) {
    let found = fault(#"{"schedule":{"time":"07:00","weekdays":\#(text)}}"#)
    #expect(found?.hasPrefix("schedule.weekdays") == true, "\(text): \(found ?? "accepted")")
  }

  @Test(
    "A preAlert is shorter than the interval of its weekdays",
    arguments: [
      ("daily", "86399", true), ("daily", "86400", false), ("mon", "604799", true), ("mon", "604800", false), ("mon,wed", "172799", true),
      ("mon,wed", "172800", false),
    ])
  func preAlert(weekdays: String, seconds: String, isGood: Bool) {
    let found = fault(#"{"schedule":{"time":"07:00","weekdays":"\#(weekdays)"},"countdown":{"preAlert":\#(seconds)}}"#)
    // Clock changes shorten a day by an hour, so a stricter limit is well.
    if isGood, found != nil {
      #expect(
        fault(#"{"schedule":{"time":"07:00","weekdays":"\#(weekdays)"},"countdown":{"preAlert":\#((Int(seconds) ?? 0) - 10_800)}}"#) == nil)
    } else {
      #expect((found == nil) == isGood)
    }
    if let found { #expect(found == "countdown.preAlert") }
  }
}
