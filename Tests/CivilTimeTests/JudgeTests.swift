import Glibc
import Testing

@testable import CivilTime

/// A dozen zones and seven years; with `REVEILLE_CIVIL_TIME=full` in the environment, every zone of the system from 1990 to 2060.
@Suite("Python's zoneinfo agrees")
struct JudgeTests {
  private struct Question: Sendable {
    let zone: ZoneRules
    let years: [Int]
    let times: [LocalTime]
    let digests: [String]
  }

  @Test("The same instants under the gap and overlap rules, in every zone, on every day")
  func sameInstants() async throws {
    let isFull = getenv("REVEILLE_CIVIL_TIME").map { String(cString: $0) } == "full"
    let started = ContinuousClock.now
    let database = ZoneDatabase()
    var times: [LocalTime] = []
    var years: [Int] = []
    var names = 0
    var distinct: Set<String> = []
    var judged: Set<String> = []
    var zones: [String: ZoneRules] = [:]

    try await withThrowingTaskGroup(of: Int.self) { group in
      try Judge(arguments: ["judge", isFull ? "full" : "quick"]).forEachLine { fields in
        switch fields.first {
        case "times": times = fields.dropFirst().compactMap { Int($0) }.map { LocalTime(secondOfDay: $0) }
        case "years": years = fields.dropFirst().compactMap { Int($0) }
        case "name":
          names += 1
          distinct.insert(fields[2])
          do {
            zones[fields[1]] = try database.zone(named: fields[1])
            #expect(zones[fields[1]]?.hasContent(of: try database.zone(named: fields[2])) == true, "\(fields[1]) is \(fields[2])")
          } catch {
            Issue.record(error, "\(fields[1])")
          }
        default:
          judged.insert(fields[1])
          guard let zone = zones[fields[1]] else { return }
          let question = Question(zone: zone, years: years, times: times, digests: Array(fields.dropFirst(2)))
          group.addTask { Self.answer(question) }
        }
      }
      #expect(judged == distinct)
      let resolutions = try await group.reduce(0, +)
      #expect(resolutions > (isFull ? 40_000_000 : 200_000))
      if isFull {
        let scope = "\(names) names, \(distinct.count) different zones, \(years.count) years"
        print("civil-time: \(scope), \(resolutions) local times compared in \(ContinuousClock.now - started)")
      }
    }
  }

  /// Compares a zone's digests, and the values themselves where they differ.
  private static func answer(_ question: Question) -> Int {
    #expect(question.years.count == question.digests.count, "\(question.zone.identifier)")
    var count = 0
    for (year, digest) in zip(question.years, question.digests) {
      var checksum = Checksum()
      question.zone.forEachValue(ofYear: year, times: question.times) { _, _, value in
        checksum.add(value)
        count += 1
      }
      guard checksum.hex != digest else { continue }
      Issue.record("\(question.zone.identifier) \(year): \(firstDifference(question, year: year))")
    }
    return count
  }

  private static func firstDifference(_ question: Question, year: Int) -> String {
    var expected: [Int] = []
    do {
      try Judge(arguments: ["values", question.zone.identifier, String(year)]).forEachLine { expected += $0.compactMap { Int($0) } }
    } catch {
      return "\(error)"
    }
    var index = 0
    var difference: String?
    question.zone.forEachValue(ofYear: year, times: question.times) { date, time, value in
      let judged = index < expected.count ? expected[index] : 0
      index += 1
      guard difference == nil, judged != value else { return }
      func text(_ value: Int) -> String { "second \(value >> 3), kind \(value >> 1 & 3), \(value & 1 == 1 ? "exists" : "does not exist")" }
      difference = "\(date) \(time) is \(text(value)), Python says \(text(judged))"
    }
    return difference ?? "the values are the same, the digests are not"
  }
}
