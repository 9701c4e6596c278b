import Glibc
import TestSupport

/// Writes a text file of the project that is tested.
enum ProjectFileWriter {
  /// - Parameter path: from the project's root.
  static func write(_ path: String, _ text: String) throws(TestSupportError) {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
    guard let file = fopen("\(root)/\(path)", "w") else { throw TestSupportError("fopen \(path): \(String(cString: strerror(errno)))") }
    defer { fclose(file) }
    guard fputs(text, file) >= 0 else { throw TestSupportError("fputs \(path): \(String(cString: strerror(errno)))") }
  }
}
