import Glibc
import Testing

@testable import AlarmStore

@Suite struct FullDiskTests {
  let directory: TemporaryDirectory
  static let isRoot = geteuid() == 0

  init() throws { directory = try TemporaryDirectory() }

  static func change(_ name: String, _ size: Int) -> StoreChange {
    StoreChange(
      alarms: [AlarmChange(id: name, record: String(repeating: "x", count: size)), AlarmChange(id: "first", record: nil)],
      values: ["last": name])
  }

  @Test("At the page limit a commit is 'disk full' and changes nothing, and works once there is space")
  func pageLimit() throws {
    let store = try AlarmStore(directory: directory.state)
    try store.commit(StoreChange(alarms: [AlarmChange(id: "first", record: "1")], values: ["last": "first"]))
    let before = try store.load()
    _ = try store.connection.firstText("PRAGMA max_page_count = 12")
    do {
      try store.commit(Self.change("big", 100_000))
      Issue.record("must fail")
    } catch {
      #expect(error.code == .diskFull)
      #expect(error.message.contains("make room"))
    }
    #expect(try store.load() == before)
    _ = try store.connection.firstText("PRAGMA max_page_count = 100000")
    try store.commit(Self.change("big", 100_000))
    store.close()
    #expect(try AlarmStore(directory: directory.state).load().values == ["last": "big"])
  }

  @Test("On a full file system a commit changes nothing, and works once there is space", .enabled(if: isRoot))
  func fileSystem() throws {
    try directory.mountMemory(kilobytes: 512)
    let filler = directory.path + "/filler"
    let store = try AlarmStore(directory: directory.state)
    try store.commit(StoreChange(alarms: [AlarmChange(id: "first", record: "1")], values: ["last": "first"]))
    let before = try store.load()
    #expect(throws: TemporaryDirectory.Failure.self) { try directory.write([UInt8](repeating: 1, count: 1 << 20), to: filler) }
    for _ in 0..<3 {
      do {
        try store.commit(Self.change("big", 100_000))
        Issue.record("must fail")
      } catch {
        #expect(error.code == .diskFull)
      }
      #expect(try store.load() == before)
    }
    unlink(filler)
    try store.commit(Self.change("big", 100_000))
    // As after a crash: the log is read again.
    try directory.write(try directory.read(directory.database), to: directory.database)
    store.close()
    #expect(try AlarmStore(directory: directory.state).load().values == ["last": "big"])
  }

  @Test("Closing on a full file system loses nothing", .enabled(if: isRoot))
  func closingWhenFull() throws {
    try directory.mountMemory(kilobytes: 512)
    let filler = directory.path + "/filler"
    let store = try AlarmStore(directory: directory.state)
    try store.commit(Self.change("big", 100_000))
    #expect(throws: TemporaryDirectory.Failure.self) { try directory.write([UInt8](repeating: 1, count: 1 << 20), to: filler) }
    store.close()
    unlink(filler)
    #expect(try AlarmStore(directory: directory.state).load().values == ["last": "big"])
  }

  @Test("On a full file system the first start says so", .enabled(if: isRoot))
  func firstStart() throws {
    try directory.mountMemory(kilobytes: 64)
    #expect(throws: TemporaryDirectory.Failure.self) {
      try directory.write([UInt8](repeating: 1, count: 1 << 20), to: directory.path + "/filler")
    }
    do {
      _ = try AlarmStore(directory: directory.state)
      Issue.record("must fail")
    } catch {
      #expect(error.code == .diskFull)
    }
  }

  @Test("On a read-only file system the start says so", .enabled(if: isRoot))
  func readOnlyFileSystem() throws {
    try directory.mountMemory(kilobytes: 512)
    try AlarmStore(directory: directory.state).close()
    try directory.remountReadOnly()
    do {
      _ = try AlarmStore(directory: directory.state)
      Issue.record("must fail")
    } catch {
      #expect(error.code == .readOnly)
    }
  }

  @Test("A file that this user may not write is 'read only'", .enabled(if: !isRoot))
  func readOnlyFile() throws {
    try AlarmStore(directory: directory.state).close()
    #expect(chmod(directory.database, 0o400) == 0)
    do {
      _ = try AlarmStore(directory: directory.state)
      Issue.record("must fail")
    } catch {
      #expect(error.code == .readOnly)
    }
  }

  @Test("A commit that is refused as read-only changes nothing, and works once writing is allowed")
  func readOnlyConnection() throws {
    let store = try AlarmStore(directory: directory.state)
    try store.connection.execute("PRAGMA query_only = ON")
    do {
      try store.commit(Self.change("big", 10))
      Issue.record("must fail")
    } catch {
      #expect(error.code == .readOnly)
    }
    #expect(try store.load() == StoreContents())
    try store.connection.execute("PRAGMA query_only = OFF")
    try store.commit(Self.change("big", 10))
    #expect(try store.load().values == ["last": "big"])
  }
}
