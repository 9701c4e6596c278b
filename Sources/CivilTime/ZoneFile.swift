import Glibc

/// One file of the time zone database, as it was read.
struct ZoneFile: Sendable {
  /// Tells one file of a name from the next: an upgrade of tzdata puts a new file in the old one's place.
  struct Stamp: Equatable, Sendable {
    let device: UInt
    let inode: UInt
    let size: Int
    let modifiedSeconds: Int
    let modifiedNanoseconds: Int

    init(_ status: stat) {
      device = UInt(status.st_dev)
      inode = UInt(status.st_ino)
      size = Int(status.st_size)
      modifiedSeconds = Int(status.st_mtim.tv_sec)
      modifiedNanoseconds = Int(status.st_mtim.tv_nsec)
    }

    /// The stamp of the file that a path, or the link there, leads to; `nil` where there is none.
    init?(path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      self.init(status)
    }
  }

  /// Why a file was not read: the operation that failed and the system's error number.
  struct Failure: Error {
    let operation: String
    let errno: Int32
  }

  let stamp: Stamp
  let bytes: [UInt8]

  /// The largest file of tzdata has less than 4 KiB.
  static let largest = 1 << 20

  /// Reads a regular file (`open(2)`, `read(2)`); a pipe or device in its place is never waited for.
  init(path: String) throws(Failure) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Failure(operation: "open", errno: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Failure(operation: "fstat", errno: errno) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw Failure(operation: "open", errno: EISDIR)
    default: throw Failure(operation: "open", errno: EINVAL)
    }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 8192)
    while bytes.count <= Self.largest {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Failure(operation: "read", errno: errno) }
      guard count > 0 else {
        stamp = Stamp(status)
        self.bytes = bytes
        return
      }
      bytes += buffer[..<count]
    }
    throw Failure(operation: "read", errno: EFBIG)
  }
}
