import Glibc
import Testing

@testable import AlarmStore

@Suite struct TornLogTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test("A log cut anywhere, as by a power cut, gives a state that was once committed")
  func tornLog() throws {
    let store = try AlarmStore(directory: directory.state)
    for number in 1...20 {
      try store.commit(
        StoreChange(
          alarms: [AlarmChange(id: "a", record: String(number)), AlarmChange(id: "b", record: String(number))],
          values: ["c": String(number)]))
    }
    let database = try directory.read(directory.database)
    let log = try directory.read(directory.database + "-wal")
    store.close()
    var last = 0
    for length in stride(from: 0, through: log.count, by: 1009) + [log.count] {
      let copy = try TemporaryDirectory()
      #expect(mkdir(copy.state, 0o700) == 0)
      try copy.write(database, to: copy.database)
      try copy.write(Array(log[..<length]), to: copy.database + "-wal")
      let contents = try AlarmStore(directory: copy.state).load()
      let number = contents.values["c"].flatMap { Int($0) } ?? 0
      #expect(contents.alarms.map(\.record) == (number == 0 ? [] : [String(number), String(number)]))
      #expect(number >= last)
      last = number
    }
    #expect(last == 20)
  }
}
