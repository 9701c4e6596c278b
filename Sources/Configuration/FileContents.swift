import Glibc

/// A small regular file, read whole.
package struct FileContents {
  package struct Failure: Error {
    /// The C function that failed; empty where the file is refused.
    var call: String
    var errno: Int32
    /// What is wrong, without the path.
    package var message: String
  }

  package var bytes: [UInt8]
  /// Permission bits.
  var mode: mode_t

  /// Reads at most `limit` bytes; a longer file is refused.
  package init(path: String, limit: Int) throws(Failure) {
    // O_NONBLOCK: opening a pipe that nobody writes to would wait for ever. It means nothing for a regular file.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Self.failure("open", "cannot be opened") }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Self.failure("fstat", "cannot be read") }
    guard status.st_mode & S_IFMT == S_IFREG else {
      let kind = status.st_mode & S_IFMT == S_IFDIR ? "is a directory" : "is not a regular file"
      throw Failure(call: "", errno: 0, message: kind)
    }
    mode = status.st_mode & 0o7777
    bytes = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw Self.failure("read", "cannot be read")
      }
      if count == 0 { return }
      bytes += buffer[..<count]
      guard bytes.count <= limit else { throw Failure(call: "", errno: 0, message: "is larger than \(limit) bytes") }
    }
  }

  private static func failure(_ call: String, _ what: String) -> Failure {
    let code = Glibc.errno
    return Failure(call: call, errno: code, message: "\(what): \(String(cString: strerror(code)))")
  }
}
