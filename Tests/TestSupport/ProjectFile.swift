import Glibc

/// A text file of the project that is tested.
package enum ProjectFile {
  /// Reads it, by its path from the project's root.
  package static func read(_ path: String) throws(TestSupportError) -> String {
    try text(self.path(path))
  }

  /// The absolute path of a file of the project.
  package static func path(_ path: String) -> String {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
    return "\(root)/\(path)"
  }

  /// Reads a text file at any path, up to 1 MiB of it.
  package static func text(_ path: String) throws(TestSupportError) -> String {
    guard let file = fopen(path, "r") else { throw TestSupportError("fopen \(path): \(String(cString: strerror(errno)))") }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}
