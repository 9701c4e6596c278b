import AlarmModel
import JSON
import Testing

@Suite("Durations")
struct DurationTests {
  @Test(
    "Seconds, units, a clock's form and ISO 8601 are understood",
    arguments: [
      ("90", 90_000), (#""90""#, 90_000), ("1.5", 1500), (#""1.5""#, 1500), (#""10m""#, 600_000), (#""1h30m""#, 5_400_000),
      (#""1h""#, 3_600_000), (#""45s""#, 45_000), (#""2d""#, 172_800_000), (#""1H30M""#, 5_400_000), (#""00:10:00""#, 600_000),
      (#""01:02:03""#, 3_723_000), (#""PT10M""#, 600_000), (#""PT1H30M""#, 5_400_000), (#""P1DT2H""#, 93_600_000), (#""pt5s""#, 5000),
      ("31622400", 31_622_400_000),
    ] as [(String, Int64)])
  func understood(text: String, milliseconds: Int64) {
    #expect(read(#"{"duration":\#(text)}"#)?.countdownDuration.preAlert == Seconds(milliseconds: milliseconds))
  }

  @Test(
    "What could mean two things, or nothing, is refused",
    arguments: [
      #""10:00""#, #""""#, #""soon""#, #""10 minutes please""#, #""m""#, #""1m1h""#, #""1h1h""#, #""P""#, #""PT""#, #""1:60:00""#,
      #""0:00:60""#, "0",
      "-5", #""-10m""#, #""0s""#, "31622401", "1e300", #""nan""#, #""inf""#, "true", "[]", "{}", #""0x10""#,
    ])
  func refused(text: String) {
    #expect(fault(#"{"duration":\#(text)}"#) == "duration", "\(text)")
  }

  @Test("A fraction below a millisecond that would be nothing is refused, or kept as more than nothing")
  func tiny() {
    if fault(#"{"duration":0.0001}"#) == nil { #expect((read(#"{"duration":0.0001}"#)?.countdownDuration.preAlert ?? 0) > 0) }
  }

  @Test("duration is short for countdown.preAlert; both at once must not differ")
  func short() {
    #expect(read(#"{"duration":60}"#)?.countdownDuration == read(#"{"countdown":{"preAlert":60}}"#)?.countdownDuration)
    #expect(fault(#"{"duration":60,"countdown":{"preAlert":61}}"#) != nil)
    #expect(read(#"{"duration":60,"countdown":{"postAlert":5}}"#)?.countdownDuration.postAlert == 5)
  }

  @Test("The number of whole seconds is rounded up")
  func roundedUp() {
    for (milliseconds, seconds) in [(0, 0), (1, 1), (999, 1), (1000, 1), (1001, 2), (-5, 0)] as [(Int64, Int64)] {
      #expect(Seconds(milliseconds: milliseconds).roundedUp == seconds)
    }
  }
}
