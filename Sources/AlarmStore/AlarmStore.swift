import Glibc

/// The node's state on disk: one SQLite file that survives a crash or a power cut after every commit.
///
/// It stores texts and knows nothing of what they mean. All calls block, an SD card's `fsync` for seconds at times, so one thread owns the
/// store: make it there and use it only there. Only one process can have a directory's store open.
package final class AlarmStore {
  /// `PRAGMA user_version` of what this program writes.
  static let version = migrations.count

  /// Script *n* brings a database of version *n* to version *n* + 1. Never change one that was released.
  private static let migrations = [
    """
    CREATE TABLE alarm (id TEXT NOT NULL PRIMARY KEY, record TEXT NOT NULL) STRICT;
    CREATE TABLE event (sequence INTEGER NOT NULL PRIMARY KEY, payload TEXT NOT NULL) STRICT;
    CREATE TABLE reply (
      operation TEXT NOT NULL, transaction_name TEXT NOT NULL, request TEXT NOT NULL, reply TEXT NOT NULL, at INTEGER NOT NULL,
      PRIMARY KEY (operation, transaction_name)) STRICT;
    CREATE TABLE value (name TEXT NOT NULL PRIMARY KEY, content TEXT NOT NULL) STRICT;
    """
  ]

  let connection: SQLiteConnection
  private let directory: StateDirectory

  /// Opens the state in `directory`, which must have a parent; makes the directory (0700) and the file (0600) if they are missing.
  ///
  /// Throws `inUse` if another process has it open, `corrupt` if the file is damaged, `newerVersion`, `readOnly`, `cannotOpen` and others.
  /// A file that is refused keeps its contents; `open(directory:)` sets it aside.
  package init(directory path: String) throws(StoreError) {
    directory = try StateDirectory(path)
    try directory.prepareDatabase()
    connection = try SQLiteConnection(path: directory.databasePath)
    guard !connection.isReadOnly else {
      throw StoreError(
        code: .readOnly, operation: "sqlite3_db_readonly",
        message: "\(directory.databasePath) cannot be written; make the file and its file system writable for this user")
    }
    // With the exclusive lock the log's index is in memory: no second connection, no shared-memory file.
    try connection.run("PRAGMA locking_mode = EXCLUSIVE")
    let found = try connection.firstText("PRAGMA user_version").flatMap { Int($0) } ?? 0
    guard (0...Self.version).contains(found) else {
      throw StoreError(
        code: .newerVersion, operation: "PRAGMA user_version",
        message:
          "\(directory.databasePath) has version \(found), this program knows up to \(Self.version); install the newer program again, or use another state directory"
      )
    }
    let verdict = try connection.firstText("PRAGMA quick_check(1)")
    guard verdict == "ok" else {
      throw StoreError(
        code: .corrupt, operation: "PRAGMA quick_check",
        message:
          "\(directory.databasePath) is damaged; set it aside and start afresh, or put a backup in its place (\(verdict ?? "no verdict"))")
    }
    let mode = try connection.firstText("PRAGMA journal_mode = WAL")
    guard mode == "wal" else {
      throw StoreError(
        code: .cannotOpen, operation: "PRAGMA journal_mode",
        message: "\(directory.databasePath) cannot have a write-ahead log (\(mode ?? "none")); use a local file system")
    }
    try connection.execute("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON")
    for (index, script) in Self.migrations.enumerated().dropFirst(found) {
      try connection.transaction { () throws(StoreError) in
        try connection.execute(script)
        try connection.execute("PRAGMA user_version = \(index + 1)")
      }
    }
  }

  deinit { close() }

  /// Reads everything.
  package func load() throws(StoreError) -> StoreContents {
    var contents = StoreContents()
    try connection.run("SELECT id, record FROM alarm ORDER BY id") { row throws(StoreError) in
      contents.alarms.append(StoredAlarm(id: try row.text(0), record: try row.text(1)))
    }
    try connection.run("SELECT sequence, payload FROM event ORDER BY sequence") { row throws(StoreError) in
      contents.events.append(StoredEvent(sequence: row.integer(0), payload: try row.text(1)))
    }
    // Replies of one millisecond are in the order in which they were first stored.
    try connection.run("SELECT operation, transaction_name, request, reply, at FROM reply ORDER BY at, rowid") { row throws(StoreError) in
      contents.replies.append(
        StoredReply(
          operation: try row.text(0), transaction: try row.text(1), request: try row.text(2), reply: try row.text(3), at: row.integer(4)))
    }
    try connection.run("SELECT name, content FROM value") { row throws(StoreError) in
      contents.values[try row.text(0)] = try row.text(1)
    }
    return contents
  }

  /// Writes a change; on return it is on disk. An empty change writes nothing.
  ///
  /// After an error the state is the one before, and the same change may be tried again, for example when there is space again.
  package func commit(_ change: StoreChange) throws(StoreError) {
    guard !change.isEmpty else { return }
    try connection.transaction { () throws(StoreError) in try apply(change) }
  }

  /// Closes the file and gives the directory free. Later calls throw `closed`; closing again does nothing.
  package func close() {
    connection.close()
    directory.release()
  }

  /// Renames a damaged database to `reveille.db.corrupt-<UTC time>` (`reveille.db.newer-…`), its log with it, so that the next `init` starts
  /// afresh; answers the new path. Throws `inUse` while a node uses the directory.
  static func setAside(directory path: String, as reason: StateDirectory.Reason = .corrupt) throws(StoreError) -> String {
    try StateDirectory(path).setDatabaseAside(as: reason)
  }

  /// The names of damaged databases, and of those of a newer version, that were set aside in `directory` and are still there.
  package static func namesSetAside(in directory: String) -> (damaged: [String], newer: [String]) {
    let found = StateDirectory.namesSetAside(in: directory)
    return (found.filter { $0.reason == .corrupt }.map(\.name), found.filter { $0.reason == .newer }.map(\.name))
  }

  private func apply(_ change: StoreChange) throws(StoreError) {
    for alarm in change.alarms {
      if let record = alarm.record {
        try connection.run(
          "INSERT INTO alarm (id, record) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET record = excluded.record",
          [.text(alarm.id), .text(record)])
      } else {
        try connection.run("DELETE FROM alarm WHERE id = ?", [.text(alarm.id)])
      }
    }
    for event in change.events {
      try connection.run(
        "INSERT INTO event (sequence, payload) VALUES (?, ?) ON CONFLICT (sequence) DO UPDATE SET payload = excluded.payload",
        [.integer(event.sequence), .text(event.payload)])
    }
    for sequence in change.acknowledgedEvents { try connection.run("DELETE FROM event WHERE sequence = ?", [.integer(sequence)]) }
    for key in change.forgottenReplies {
      try connection.run("DELETE FROM reply WHERE operation = ? AND transaction_name = ?", [.text(key.operation), .text(key.transaction)])
    }
    for reply in change.replies {
      try connection.run(
        """
        INSERT INTO reply (operation, transaction_name, request, reply, at) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (operation, transaction_name) DO UPDATE SET request = excluded.request, reply = excluded.reply, at = excluded.at
        """, [.text(reply.key.operation), .text(reply.key.transaction), .text(reply.request), .text(reply.reply), .integer(reply.at)])
    }
    for (name, content) in change.values {
      if let content {
        try connection.run(
          "INSERT INTO value (name, content) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET content = excluded.content",
          [.text(name), .text(content)])
      } else {
        try connection.run("DELETE FROM value WHERE name = ?", [.text(name)])
      }
    }
  }
}
