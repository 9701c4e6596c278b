import Glibc

/// Reads what can be read of a damaged database, or of one that cannot be written.
///
/// It works on a copy in memory: SQLite needs to write to read a log, and the file is evidence.
enum Salvage {
  /// Larger files are not copied to memory (bytes). A full store of 1,000 alarms has less than 10 MB.
  private static let limit = 64 << 20

  /// What can be read; empty where nothing can.
  static func contents(of database: String) -> StoreContents {
    var template = Array("/dev/shm/reveille-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return StoreContents() }
    let directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let copy = directory + "/copy.db"
    defer {
      for suffix in ["", "-wal", "-shm", "-journal"] { unlink(copy + suffix) }
      rmdir(directory)
    }
    for suffix in ["", "-wal"] { copyFile(database + suffix, to: copy + suffix) }
    var found = StoreContents()
    let connection: SQLiteConnection
    do throws(StoreError) { connection = try SQLiteConnection(path: copy) } catch { return found }
    defer { connection.close() }

    // Without an order: an index may be damaged where its table is not. What comes before a damaged page is kept.
    rows(connection, "SELECT id, record FROM alarm NOT INDEXED") { row throws(StoreError) in
      found.alarms.append(StoredAlarm(id: try row.text(0), record: try row.text(1)))
    }
    rows(connection, "SELECT sequence, payload FROM event NOT INDEXED") { row throws(StoreError) in
      found.events.append(StoredEvent(sequence: row.integer(0), payload: try row.text(1)))
    }
    rows(connection, "SELECT operation, transaction_name, request, reply, at FROM reply NOT INDEXED") { row throws(StoreError) in
      found.replies.append(
        StoredReply(
          operation: try row.text(0), transaction: try row.text(1), request: try row.text(2), reply: try row.text(3), at: row.integer(4)))
    }
    rows(connection, "SELECT name, content FROM value NOT INDEXED") { row throws(StoreError) in
      found.values[try row.text(0)] = try row.text(1)
    }
    found.alarms.sort { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
    found.events.sort { $0.sequence < $1.sequence }
    found.replies.sort { $0.at < $1.at }
    return found
  }

  private static func rows(_ connection: SQLiteConnection, _ sql: String, _ take: (SQLiteRow) throws(StoreError) -> Void) {
    do throws(StoreError) {
      try connection.run(sql) { row throws(StoreError) in
        do throws(StoreError) { try take(row) } catch {
          // A text that is not one is a row that is lost; the next may be whole.
        }
      }
    } catch {
      // The table, or the rest of it, cannot be read; what came before is kept.
    }
  }

  /// Copies as much as can be read.
  private static func copyFile(_ source: String, to target: String) {
    let reader = Glibc.open(source, O_RDONLY | O_CLOEXEC)
    guard reader >= 0 else { return }
    defer { close(reader) }
    let writer = Glibc.open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard writer >= 0 else { return }
    defer { close(writer) }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var total = 0
    while total < limit {
      let count = read(reader, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0, write(writer, buffer, count) == count else { return }
      total += count
    }
  }
}
