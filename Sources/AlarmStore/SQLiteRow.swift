import CSQLite

/// The present row of a statement; valid within the closure that got it.
struct SQLiteRow {
  let statement: OpaquePointer
  let path: String

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

  /// Text of any length, zero bytes included. Throws `corrupt` where it is not UTF-8, and `outOfMemory`.
  func text(_ column: Int32) throws(StoreError) -> String {
    guard let start = sqlite3_column_text(statement, column) else {
      throw StoreError(
        sqliteCode: SQLITE_NOMEM, errno: 0, operation: "sqlite3_column_text", path: path,
        detail: String(cString: sqlite3_errstr(SQLITE_NOMEM)))
    }
    let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw StoreError(sqliteCode: SQLITE_CORRUPT, errno: 0, operation: "sqlite3_column_text", path: path, detail: "a text is not UTF-8")
    }
    return text
  }
}
