import Glibc

/// The node's state directory, locked for this process as long as the value lives.
final class StateDirectory {
  /// The database's path.
  let databasePath: String
  private let path: String
  private var lock: Int32 = -1

  /// Makes the directory (mode 0700) if it is missing and takes an exclusive `flock(2)` on `reveille.lock` in it.
  ///
  /// The lock is a file of its own: closing any descriptor of the database would drop SQLite's own locks (`fcntl(2)`, "Record locking").
  init(_ path: String) throws(StoreError) {
    self.path = path
    databasePath = path + "/reveille.db"
    if mkdir(path, 0o700) == 0 {
      try Self.synchronize(path + "/..")
    } else if errno != EEXIST {
      throw StoreError(call: "mkdir", errno: errno, path: path)
    }
    let lockPath = path + "/reveille.lock"
    lock = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard lock >= 0 else { throw StoreError(call: "open", errno: errno, path: lockPath) }
    while flock(lock, LOCK_EX | LOCK_NB) != 0 {
      let code = errno
      if code == EINTR { continue }
      let holder = readHolder()
      release()
      guard code == EWOULDBLOCK else { throw StoreError(call: "flock", errno: code, path: lockPath) }
      throw StoreError(
        code: .inUse, operation: "flock", errno: code,
        message: "\(path) is in use by another node\(holder); stop that one, or give this one a state directory of its own")
    }
    writeHolder()
  }

  deinit { release() }

  /// Gives the directory free for other processes.
  func release() {
    if lock >= 0 { close(lock) }
    lock = -1
  }

  /// Makes the database file (mode 0600) if it is missing.
  ///
  /// A file shorter than SQLite's smallest page is `corrupt`: SQLite would take it for a new database, and all alarms would be gone without
  /// a word.
  func prepareDatabase() throws(StoreError) {
    var status = stat()
    if stat(databasePath, &status) == 0 {
      guard status.st_size >= 512 else {
        throw StoreError(
          code: .corrupt, operation: "stat",
          message: "\(databasePath) is cut short; set it aside and start afresh, or put a backup in its place")
      }
      return
    }
    guard errno == ENOENT else { throw StoreError(call: "stat", errno: errno, path: databasePath) }
    let descriptor = open(databasePath, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw StoreError(call: "open", errno: errno, path: databasePath) }
    close(descriptor)
  }

  /// Why a database was set aside, as its new name tells.
  enum Reason: String {
    case corrupt
    case newer
  }

  /// Renames the database and its log to `reveille.db.corrupt-<UTC time>` or `reveille.db.newer-<UTC time>`; answers the new path.
  func setDatabaseAside(as reason: Reason) throws(StoreError) -> String {
    let stem = databasePath + ".\(reason.rawValue)-" + Self.utcTime()
    var target = stem
    var number = 2
    while access(target, F_OK) == 0 {
      target = "\(stem)-\(number)"
      number += 1
    }
    // The database goes first: SQLite deletes a log without a database, but takes a database without its log for an older state.
    for suffix in ["", "-wal", "-shm", "-journal"] where rename(databasePath + suffix, target + suffix) != 0 {
      guard errno == ENOENT, !suffix.isEmpty else { throw StoreError(call: "rename", errno: errno, path: databasePath + suffix) }
    }
    try Self.synchronize(path)
    return target
  }

  /// The names of the databases that were set aside in a directory and are still there, by reason. None where it cannot be read.
  static func namesSetAside(in path: String) -> [(reason: Reason, name: String)] {
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var found: [(reason: Reason, name: String)] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: Int(entry.pointee.d_reclen)) { String(cString: $0) }
      }
      guard !name.hasSuffix("-wal"), !name.hasSuffix("-shm"), !name.hasSuffix("-journal") else { continue }
      if name.hasPrefix("reveille.db.corrupt-") { found.append((.corrupt, name)) }
      if name.hasPrefix("reveille.db.newer-") { found.append((.newer, name)) }
    }
    return found.sorted { $0.name < $1.name }
  }

  /// Brings the names in a directory to disk (`fsync(2)`).
  private static func synchronize(_ path: String) throws(StoreError) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StoreError(call: "open", errno: errno, path: path) }
    defer { close(descriptor) }
    // EINVAL: a file system that has no fsync for directories.
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw StoreError(call: "fsync", errno: errno, path: path) }
  }

  /// Notes the process in the lock file. It serves a message only, so a full disk is no reason to fail.
  private func writeHolder() {
    let text = "\(getpid())\n"
    _ = ftruncate(lock, 0)
    _ = pwrite(lock, text, text.utf8.count, 0)
  }

  private func readHolder() -> String {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = pread(lock, &bytes, bytes.count, 0)
    guard count > 0, let process = Int32(String(decoding: bytes[..<count].prefix { $0 != 0x0A }, as: UTF8.self)) else { return "" }
    return " (process \(process))"
  }

  /// The present time as `20261201T172000Z`.
  private static func utcTime() -> String {
    var now = time(nil)
    var parts = tm()
    gmtime_r(&now, &parts)
    var text = [CChar](repeating: 0, count: 32)
    let count = strftime(&text, text.count, "%Y%m%dT%H%M%SZ", &parts)
    return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
