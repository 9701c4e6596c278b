import Glibc
import Testing

@testable import AlarmStore

@Suite struct AlarmStoreTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// One of everything.
  static let full = StoreChange(
    alarms: [AlarmChange(id: "wake-up", record: #"{"title":"Wake up ⏰"}"#), AlarmChange(id: "Tea", record: "{}")],
    events: [
      StoredEvent(sequence: 7, payload: "seven"), StoredEvent(sequence: Int64.max, payload: "last"), StoredEvent(sequence: 2, payload: ""),
    ],
    replies: [
      StoredReply(operation: "stop", transaction: "b", request: "r2", reply: "ok2", at: 20),
      StoredReply(operation: "schedule", transaction: "a", request: "r1", reply: "ok1", at: 10),
      StoredReply(operation: "stop", transaction: "a", request: "r3", reply: "ok3", at: 20),
    ],
    values: ["volume": "80", "zero\0byte": "a\0b", "empty": ""])

  static let fullContents = StoreContents(
    alarms: [StoredAlarm(id: "Tea", record: "{}"), StoredAlarm(id: "wake-up", record: #"{"title":"Wake up ⏰"}"#)],
    events: [
      StoredEvent(sequence: 2, payload: ""), StoredEvent(sequence: 7, payload: "seven"), StoredEvent(sequence: Int64.max, payload: "last"),
    ],
    replies: [full.replies[1], full.replies[0], full.replies[2]],
    values: ["volume": "80", "zero\0byte": "a\0b", "empty": ""])

  func reopened() throws -> StoreContents { try AlarmStore(directory: directory.state).load() }

  /// The error that opening the store ends with.
  func openingError() -> StoreError? {
    do {
      _ = try AlarmStore(directory: directory.state)
      return nil
    } catch {
      return error
    }
  }

  @Test("A new store is empty, and only its user may read it")
  func fresh() throws {
    let store = try AlarmStore(directory: directory.state)
    #expect(try store.load() == StoreContents())
    var status = stat()
    #expect(stat(directory.state, &status) == 0 && status.st_mode & 0o777 == 0o700)
    try store.commit(Self.full)
    for name in try directory.names(in: directory.state) {
      #expect(stat("\(directory.state)/\(name)", &status) == 0 && status.st_mode & 0o777 == 0o600, "\(name)")
    }
    #expect(try directory.names(in: directory.state) == ["reveille.db", "reveille.db-wal", "reveille.lock"])
  }

  @Test("What was committed is there again after closing and opening, in a stable order")
  func roundTrip() throws {
    let store = try AlarmStore(directory: directory.state)
    try store.commit(Self.full)
    #expect(try store.load() == Self.fullContents)
    store.close()
    #expect(try reopened() == Self.fullContents)
  }

  @Test("A change replaces and deletes what it names and leaves the rest")
  func replaceAndDelete() throws {
    let store = try AlarmStore(directory: directory.state)
    try store.commit(Self.full)
    var change = StoreChange(
      alarms: [AlarmChange(id: "wake-up", record: "new"), AlarmChange(id: "Tea", record: nil), AlarmChange(id: "unknown", record: nil)],
      events: [StoredEvent(sequence: 8, payload: "eight")], acknowledgedEvents: [2, 8, 99],
      replies: [StoredReply(operation: "stop", transaction: "a", request: "r4", reply: "ok4", at: 30)],
      forgottenReplies: [ReplyKey(operation: "stop", transaction: "a"), ReplyKey(operation: "schedule", transaction: "a")])
    change.set("volume", to: nil)
    change.set("sound", to: "bell")
    try store.commit(change)
    try store.commit(change)
    let expected = StoreContents(
      alarms: [StoredAlarm(id: "wake-up", record: "new")],
      events: [StoredEvent(sequence: 7, payload: "seven"), StoredEvent(sequence: Int64.max, payload: "last")],
      replies: [Self.full.replies[0], change.replies[0]], values: ["zero\0byte": "a\0b", "empty": "", "sound": "bell"])
    #expect(try store.load() == expected)
    store.close()
    #expect(try reopened() == expected)
  }

  @Test("A change that fails half way leaves nothing of it, and the next one works")
  func atomicity() throws {
    let store = try AlarmStore(directory: directory.state)
    try store.commit(Self.full)
    // The values are written last.
    try store.connection.execute(
      "CREATE TEMP TRIGGER refuse BEFORE INSERT ON value WHEN new.name = 'refused' BEGIN SELECT raise(ABORT, 'no'); END")
    let change = StoreChange(
      alarms: [AlarmChange(id: "wake-up", record: nil)], events: [StoredEvent(sequence: 100, payload: "x")], acknowledgedEvents: [7],
      values: ["refused": "x"])
    #expect(throws: StoreError.self) { try store.commit(change) }
    #expect(try store.load() == Self.fullContents)
    try store.commit(StoreChange(acknowledgedEvents: [7]))
    store.close()
    #expect(try reopened().events.map(\.sequence) == [2, Int64.max])
  }

  @Test("Commits go to a write-ahead log that is synchronised every time, under an exclusive lock")
  func settings() throws {
    let store = try AlarmStore(directory: directory.state)
    #expect(try store.connection.firstText("PRAGMA journal_mode") == "wal")
    #expect(try store.connection.firstText("PRAGMA synchronous") == "2")
    #expect(try store.connection.firstText("PRAGMA locking_mode") == "exclusive")
    #expect(try store.connection.firstText("PRAGMA foreign_keys") == "1")
    #expect(try store.connection.firstText("PRAGMA user_version") == String(AlarmStore.version))
  }

  @Test("A second opener is refused, until the first has closed")
  func secondOpener() throws {
    let store = try AlarmStore(directory: directory.state)
    let error = openingError()
    #expect(error?.code == .inUse)
    #expect(
      error?.message
        == "\(directory.state) is in use by another node (process \(getpid())); stop that one, or give this one a state directory of its own"
    )
    #expect(throws: StoreError.self) { try AlarmStore.setAside(directory: directory.state) }
    try store.commit(Self.full)
    store.close()
    #expect(try reopened() == Self.fullContents)
  }

  @Test("Another program that has locked the file is 'in use', too")
  func lockedByAnotherProgram() throws {
    try AlarmStore(directory: directory.state).close()
    let other = try SQLiteConnection(path: directory.database)
    try other.run("PRAGMA locking_mode = EXCLUSIVE")
    try other.run("BEGIN EXCLUSIVE")
    #expect(openingError()?.code == .inUse)
    try other.run("COMMIT")
    other.close()
    #expect(openingError() == nil)
  }

  @Test("After closing, every call says so")
  func closed() throws {
    let store = try AlarmStore(directory: directory.state)
    store.close()
    store.close()
    #expect(throws: StoreError.self) { try store.load() }
    do {
      try store.commit(Self.full)
      Issue.record("A commit after close must fail")
    } catch {
      #expect(error.code == .closed)
    }
  }

  @Test("Ten thousand alarms come back, and quickly enough to start")
  func manyRows() throws {
    let store = try AlarmStore(directory: directory.state)
    let record = String(repeating: "x", count: 1000)
    try store.commit(StoreChange(alarms: (0..<10_000).map { AlarmChange(id: "alarm-\($0)", record: record) }))
    store.close()
    let contents = try reopened()
    #expect(contents.alarms.count == 10_000)
    #expect(contents.alarms.map(\.id) == contents.alarms.map(\.id).sorted())
    #expect(contents.alarms.allSatisfy { $0.record == record })
  }

  @Test("A record of a megabyte is stored whole")
  func largeRecord() throws {
    let store = try AlarmStore(directory: directory.state)
    let record = String(repeating: "äöü", count: 180_000)
    try store.commit(StoreChange(alarms: [AlarmChange(id: "big", record: record)]))
    store.close()
    #expect(try reopened().alarms == [StoredAlarm(id: "big", record: record)])
  }

  @Test("A directory without a parent, and a file in its place, cannot be opened")
  func noDirectory() throws {
    do {
      _ = try AlarmStore(directory: directory.path + "/missing/state")
      Issue.record("must fail")
    } catch {
      #expect(error.code == .cannotOpen && error.operation == "mkdir" && error.errno == ENOENT)
    }
    try directory.write([1], to: directory.state)
    #expect(openingError()?.code == .cannotOpen)
    unlink(directory.state)
  }
}
