import Glibc

/// A directory of one test's own, removed with everything in it.
package final class TemporaryDirectory: Sendable {
  package let path: String

  package init() throws(TestSupportError) {
    var template = Array("/tmp/reveille-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw TestSupportError("mkdtemp: \(String(cString: strerror(errno)))") }
    path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    // A broker started by root reads its files as another user.
    chmod(path, 0o755)
  }

  deinit { Self.removeAll(path) }

  private static func removeAll(_ path: String) {
    // Removes files, links and empty directories; what remains is a directory with something in it.
    guard remove(path) != 0, let directory = opendir(path) else { return }
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: Int(entry.pointee.d_reclen)) { String(cString: $0) }
      }
      if name != "." && name != ".." { removeAll(path + "/" + name) }
    }
    closedir(directory)
    remove(path)
  }

  /// The path of a file in it, which need not exist.
  package func path(of name: String) -> String { path + "/" + name }

  /// Writes a file and answers its path.
  @discardableResult
  package func write(_ name: String, _ content: String) throws(TestSupportError) -> String {
    let path = path(of: name)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw TestSupportError("open \(path): \(String(cString: strerror(errno)))") }
    defer { close(descriptor) }
    let bytes = Array(content.utf8)
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
      throw TestSupportError("write \(path): \(String(cString: strerror(errno)))")
    }
    return path
  }
}
