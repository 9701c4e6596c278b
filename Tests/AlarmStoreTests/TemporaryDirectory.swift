import Glibc

/// A directory that is gone when the value is, with whatever is mounted on it.
final class TemporaryDirectory {
  let path: String
  private var isMounted = false

  init() throws {
    var template = Array("/tmp/reveille-store-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure.system("mkdtemp", errno) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Where the store goes; the store makes it.
  var state: String { path + "/state" }
  var database: String { state + "/reveille.db" }

  /// Mounts a small file system in memory on the directory. Needs root.
  func mountMemory(kilobytes: Int) throws {
    guard mount("tmpfs", path, "tmpfs", 0, "size=\(kilobytes)k") == 0 else { throw Failure.system("mount", errno) }
    isMounted = true
  }

  func remountReadOnly() throws {
    guard mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0 else {
      throw Failure.system("mount", errno)
    }
  }

  func names(in folder: String) throws -> [String] {
    guard let stream = opendir(folder) else { throw Failure.system("opendir", errno) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  func read(_ path: String) throws -> [UInt8] {
    guard let file = fopen(path, "r") else { throw Failure.system("fopen", errno) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
    return bytes
  }

  func write(_ bytes: [UInt8], to path: String) throws {
    guard let file = fopen(path, "w") else { throw Failure.system("fopen", errno) }
    let written = fwrite(bytes, 1, bytes.count, file)
    guard fclose(file) == 0, written == bytes.count else { throw Failure.system("fwrite", errno) }
  }

  deinit {
    if isMounted { umount2(path, Int32(MNT_DETACH)) }
    for folder in [state, path] {
      for name in (try? names(in: folder)) ?? [] { unlink("\(folder)/\(name)") }
      rmdir(folder)
    }
  }

  enum Failure: Error { case system(String, Int32) }
}
