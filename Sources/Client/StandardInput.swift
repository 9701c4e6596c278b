import Configuration
import Glibc

/// What comes from a pipe.
enum StandardInput {
  /// Reads to the end, at most `limit` bytes and one more, which tells that it is too much.
  static func read(limit: Int) throws(ClientError) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while bytes.count <= limit {
      let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw .usage("standard input cannot be read: \(String(cString: strerror(errno)))")
      }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
    throw .usage("standard input has more than \(limit) bytes")
  }
}
