import CSQLite
import Glibc

/// Why the store could not do what it was asked.
package struct StoreError: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Code: String, Sendable {
    /// The directory or a file in it cannot be made or opened.
    case cannotOpen = "cannot_open"
    /// Another process has the state open.
    case inUse = "in_use"
    /// What is on disk is not, or no longer, the node's state.
    case corrupt
    /// A newer Reveille wrote the state.
    case newerVersion = "newer_version"
    /// No space, or no quota, is left.
    case diskFull = "disk_full"
    /// The file or its file system cannot be written.
    case readOnly = "read_only"
    /// The disk failed to read or write.
    case inputOutput = "input_output"
    case outOfMemory = "out_of_memory"
    /// The store was used after `close()`.
    case closed
    /// SQLite refused a statement: a bug of the program.
    case refused
  }

  package let code: Code
  /// The C function, or the SQL statement's first words, that failed.
  package let operation: String
  /// SQLite's extended result code (https://sqlite.org/rescode.html); 0 where SQLite was not asked.
  package let sqliteCode: Int32
  /// The `errno` behind the failure; 0 where there is none.
  package let errno: Int32
  /// What happened, and what to do about it.
  package let message: String

  init(code: Code, operation: String, sqliteCode: Int32 = 0, errno: Int32 = 0, message: String) {
    self.code = code
    self.operation = operation
    self.sqliteCode = sqliteCode
    self.errno = errno
    self.message = message
  }

  /// A failure that SQLite reported about the file at `path`.
  init(sqliteCode: Int32, errno: Int32, operation: String, path: String, detail: String) {
    let code = Code(sqliteCode: sqliteCode, errno: errno)
    self.init(
      code: code, operation: operation, sqliteCode: sqliteCode, errno: errno,
      message: "\(path): \(code.advice) (\(Self.reason(errno) ?? detail))")
  }

  /// A failed system call on `path`.
  init(call: String, errno: Int32, path: String) {
    let code = Code(errno: errno) ?? .cannotOpen
    self.init(
      code: code, operation: call, errno: errno, message: "\(path): \(code.advice) (\(Self.reason(errno) ?? "no reason given"))")
  }

  package var description: String {
    var numbers = operation
    if sqliteCode != 0 { numbers += ", SQLite \(sqliteCode)" }
    if errno != 0 { numbers += ", errno \(errno)" }
    return "\(code.rawValue): \(message) [\(numbers)]"
  }

  private static func reason(_ errno: Int32) -> String? { errno == 0 ? nil : String(cString: strerror(errno)) }
}

extension StoreError.Code {
  /// The code for an `errno` that tells more than the call that left it.
  fileprivate init?(errno: Int32) {
    switch errno {
    case ENOSPC, EDQUOT: self = .diskFull
    case EROFS: self = .readOnly
    case EIO: self = .inputOutput
    case ENOMEM: self = .outOfMemory
    default: return nil
    }
  }

  fileprivate init(sqliteCode: Int32, errno: Int32) {
    switch sqliteCode & 0xFF {
    case SQLITE_FULL: self = .diskFull
    case SQLITE_IOERR: self = Self(errno: errno) ?? .inputOutput
    case SQLITE_CANTOPEN: self = Self(errno: errno) ?? .cannotOpen
    case SQLITE_PERM: self = .cannotOpen
    case SQLITE_BUSY, SQLITE_LOCKED: self = .inUse
    case SQLITE_CORRUPT, SQLITE_NOTADB: self = .corrupt
    case SQLITE_READONLY: self = .readOnly
    case SQLITE_NOMEM: self = .outOfMemory
    default: self = .refused
    }
  }

  fileprivate var advice: String {
    switch self {
    case .cannotOpen: "cannot be opened; check that it exists and that this user may read and write it"
    case .inUse: "is in use by another process; stop that one first"
    case .corrupt: "is damaged; set it aside and start afresh, or put a backup in its place"
    case .newerVersion: "was written by a newer version; install that version again, or use another state directory"
    case .diskFull: "cannot be written because the disk is full; make room on it"
    case .readOnly: "cannot be written; make the file and its file system writable for this user"
    case .inputOutput: "cannot be read or written; check the disk or SD card and the kernel's log"
    case .outOfMemory: "cannot be used because memory is short; stop other programs"
    case .closed: "is already closed; this is a bug of the program, please report it"
    case .refused: "could not be used as intended; this is a bug of the program, please report it"
    }
  }
}
