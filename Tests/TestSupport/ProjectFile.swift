import Glibc

/// A text file of the project that is tested.
package enum ProjectFile {
  /// Reads it, by its path from the project's root.
  package static func read(_ path: String) throws(TestSupportError) -> String {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
    guard let file = fopen("\(root)/\(path)", "r") else { throw TestSupportError("fopen \(path): \(String(cString: strerror(errno)))") }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}
