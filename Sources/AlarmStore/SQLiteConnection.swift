import CSQLite

/// One `sqlite3` handle with its prepared statements, for one thread at a time.
final class SQLiteConnection {
  private let path: String
  private var handle: OpaquePointer?
  private var statements: [String: OpaquePointer] = [:]

  /// Opens an existing file for reading and writing (`sqlite3_open_v2`).
  init(path: String) throws(StoreError) {
    self.path = path
    // SQLite gives a handle even when it fails, for the error; only the caller's one thread uses it, so it needs no mutex of its own.
    let code = sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard code == SQLITE_OK else {
      let error = failure("sqlite3_open_v2", code)
      close()
      throw error
    }
    // Another program that just looks (a backup, the command-line shell) is waited for a moment.
    sqlite3_busy_timeout(handle, 1000)
  }

  deinit { close() }

  /// Whether SQLite could open the file for reading only.
  var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  /// Runs one statement, prepared once and kept; hands each row to `row`.
  func run(_ sql: String, _ values: [SQLiteValue] = [], row: (SQLiteRow) throws(StoreError) -> Void = { _ in }) throws(StoreError) {
    let statement = try prepared(sql)
    defer {
      // Both only repeat the error of the last step, or cannot fail.
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    for (index, value) in values.enumerated() {
      let code =
        switch value {
        case .integer(let number): sqlite3_bind_int64(statement, Int32(index + 1), number)
        case .text(let text):
          text.withCString { reveille_sqlite3_bind_text(statement, Int32(index + 1), $0, sqlite3_uint64(text.utf8.count)) }
        }
      guard code == SQLITE_OK else { throw failure(sql, code) }
    }
    while true {
      let code = sqlite3_step(statement)
      switch code {
      case SQLITE_ROW: try row(SQLiteRow(statement: statement, path: path))
      case SQLITE_DONE: return
      default: throw failure(sql, code)
      }
    }
  }

  /// Runs a script of statements that have no parameters (`sqlite3_exec`).
  func execute(_ script: String) throws(StoreError) {
    guard let handle else { throw closed(script) }
    let code = sqlite3_exec(handle, script, nil, nil, nil)
    guard code == SQLITE_OK else { throw failure(script, code) }
  }

  /// The first column of a statement's first row, as text.
  func firstText(_ sql: String) throws(StoreError) -> String? {
    var result: String?
    try run(sql) { row throws(StoreError) in if result == nil { result = try row.text(0) } }
    return result
  }

  /// Runs `body` in a transaction: after an error nothing of it remains.
  func transaction(_ body: () throws(StoreError) -> Void) throws(StoreError) {
    try run("BEGIN IMMEDIATE")
    do throws(StoreError) {
      try body()
      try run("COMMIT")
    } catch {
      // Some errors have rolled back already. Should this fail as well, the next BEGIN reports it.
      if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
      throw error
    }
  }

  /// Closes the handle; later calls throw `closed`. Closing writes the log back into the database where it can; where it cannot, the log
  /// stays and is read at the next start.
  func close() {
    for statement in statements.values { sqlite3_finalize(statement) }
    statements = [:]
    sqlite3_close_v2(handle)
    handle = nil
  }

  private func prepared(_ sql: String) throws(StoreError) -> OpaquePointer {
    if let statement = statements[sql] { return statement }
    guard let handle else { throw closed(sql) }
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard code == SQLITE_OK, let statement else { throw failure(sql, code) }
    statements[sql] = statement
    return statement
  }

  private func failure(_ sql: String, _ code: Int32) -> StoreError {
    // SQLite keeps errno for these two alone; for others it is that of an earlier failure.
    let hasErrno = [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xFF)
    return StoreError(
      sqliteCode: code, errno: hasErrno ? sqlite3_system_errno(handle) : 0, operation: Self.name(sql), path: path,
      detail: String(cString: handle == nil ? sqlite3_errstr(code) : sqlite3_errmsg(handle)))
  }

  private func closed(_ sql: String) -> StoreError {
    StoreError(
      code: .closed, operation: Self.name(sql),
      message: "\(path) was used after it was closed; this is a bug of the program, please report it")
  }

  /// Enough of a statement to know it again.
  private static func name(_ sql: String) -> String { String(sql.prefix { $0 != "(" && $0 != "\n" && $0 != "=" }.prefix(40)) }
}
