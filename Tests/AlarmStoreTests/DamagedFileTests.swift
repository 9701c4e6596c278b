import Glibc
import Testing

@testable import AlarmStore

@Suite struct DamagedFileTests {
  let directory: TemporaryDirectory

  /// A store of many pages, closed.
  init() throws {
    directory = try TemporaryDirectory()
    let store = try AlarmStore(directory: directory.state)
    try store.commit(StoreChange(alarms: (0..<200).map { AlarmChange(id: "alarm-\($0)", record: String(repeating: "x", count: 500)) }))
    store.close()
  }

  func openingError() -> StoreError? {
    do {
      _ = try AlarmStore(directory: directory.state).load()
      return nil
    } catch {
      return error
    }
  }

  @Test("A file with a newer version is refused and left alone")
  func newerVersion() throws {
    let connection = try SQLiteConnection(path: directory.database)
    try connection.execute("PRAGMA user_version = \(AlarmStore.version + 1)")
    connection.close()
    let before = try directory.read(directory.database)
    #expect(openingError()?.code == .newerVersion)
    #expect(try directory.read(directory.database) == before)
  }

  @Test("A damaged header is corrupt")
  func header() throws {
    var bytes = try directory.read(directory.database)
    for index in 0..<16 { bytes[index] = 0xFF }
    try directory.write(bytes, to: directory.database)
    #expect(openingError()?.code == .corrupt)
    #expect(try directory.read(directory.database) == bytes)
  }

  @Test("A truncated file is corrupt", arguments: [0, 1, 100, 511, 512, 4096, 5000, 40_000])
  func truncated(length: Int) throws {
    try directory.write(Array(try directory.read(directory.database)[..<length]), to: directory.database)
    #expect(openingError()?.code == .corrupt)
  }

  @Test("A page of garbage in the middle is found at the start")
  func garbage() throws {
    var bytes = try directory.read(directory.database)
    for index in 8192..<12_288 { bytes[index] = UInt8(truncatingIfNeeded: index &* 31) }
    try directory.write(bytes, to: directory.database)
    do {
      // Without reading anything.
      _ = try AlarmStore(directory: directory.state)
      Issue.record("must fail")
    } catch {
      #expect(error.code == .corrupt && error.operation == "PRAGMA quick_check")
    }
  }

  @Test("A text that is not UTF-8 is corrupt")
  func text() throws {
    let connection = try SQLiteConnection(path: directory.database)
    try connection.execute("UPDATE alarm SET record = CAST(x'ff41' AS TEXT) WHERE id = 'alarm-7'")
    connection.close()
    #expect(openingError()?.code == .corrupt)
  }

  @Test("A damaged file is set aside with its log, and the store starts afresh")
  func setAside() throws {
    try directory.write(Array("not a database at all, far from it".utf8), to: directory.database)
    #expect(openingError()?.code == .corrupt)
    try directory.write([1, 2, 3], to: directory.database + "-wal")
    let first = try AlarmStore.setAside(directory: directory.state)
    #expect(first.wholeMatch(of: /.*\/reveille\.db\.corrupt-\d{8}T\d{6}Z/) != nil)
    #expect(try directory.read(first) == Array("not a database at all, far from it".utf8))
    #expect(try directory.read(first + "-wal") == [1, 2, 3])

    let store = try AlarmStore(directory: directory.state)
    #expect(try store.load() == StoreContents())
    try store.commit(AlarmStoreTests.full)
    store.close()
    let second = try AlarmStore.setAside(directory: directory.state)
    #expect(second != first)
    #expect(try directory.names(in: directory.state).filter { $0.hasPrefix("reveille.db") }.count == 3)
  }

  @Test("Setting aside what is not there is an error")
  func nothingToSetAside() throws {
    unlink(directory.database)
    #expect(throws: StoreError.self) { try AlarmStore.setAside(directory: directory.state) }
  }
}
