import Glibc
import LinuxSupport

/// The calls by which attributes of sysfs are read and written. Tests put failures in their place.
struct SysfsCalls: Sendable {
  /// The text of an attribute, without white space around it.
  var read: @Sendable (_ path: String) throws(SystemCallError) -> String = { path throws(SystemCallError) in
    let descriptor = try Self.open(path, O_RDONLY)
    defer { close(descriptor) }
    // No attribute is larger than a page.
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = try Self.retrying("read") { Glibc.read(descriptor, &buffer, buffer.count) }
    return String(decoding: buffer[..<count].filter { $0 > 0x20 }, as: UTF8.self)
  }

  /// Writes an attribute in one call, as the kernel wants it.
  var write: @Sendable (_ path: String, _ text: String) throws(SystemCallError) -> Void = { path, text throws(SystemCallError) in
    let descriptor = try Self.open(path, O_WRONLY | O_TRUNC)
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    _ = try Self.retrying("write") { Glibc.write(descriptor, bytes, bytes.count) }
  }

  /// Whether there is a file or directory of that path.
  var exists: @Sendable (_ path: String) -> Bool = { access($0, F_OK) == 0 }

  /// The names in a directory, sorted; none if it cannot be read.
  var names: @Sendable (_ directory: String) -> [String] = { path in
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) { $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) } })
    }
    return names.sorted()
  }

  /// The last part of what a symbolic link points to.
  var linkTarget: @Sendable (_ path: String) -> String? = { path in
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink(path, &buffer, buffer.count)
    guard count > 0 else { return nil }
    let bytes = buffer[..<count].map { UInt8(bitPattern: $0) }
    return bytes.split(separator: UInt8(ascii: "/")).last.map { String(decoding: $0, as: UTF8.self) }
  }

  private static func open(_ path: String, _ flags: Int32) throws(SystemCallError) -> Int32 {
    try retrying("open") { Glibc.open(path, flags | O_CLOEXEC) }
  }

  private static func retrying<Result: FixedWidthInteger>(_ call: String, _ body: () -> Result) throws(SystemCallError) -> Result {
    while true {
      let result = body()
      if result != -1 { return result }
      let code = errno
      if code != EINTR { throw SystemCallError(call: call, errno: code) }
    }
  }
}
