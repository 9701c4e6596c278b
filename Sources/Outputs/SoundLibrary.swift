import Glibc

/// The built-in tones and the files of the sounds directory, by name.
///
/// A name is `[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}` and never a path; files are named by their base name without extension. A built-in tone
/// hides a file of its name. The directory is read at each call, so that a file copied there is known at once.
struct SoundLibrary: Sendable {
  /// In the order of preference among files that differ only in these.
  static let extensions = ["wav", "flac", "ogg", "oga", "opus", "mp3"]

  /// `nil` for the built-in tones alone.
  var directory: String?

  /// All names: the built-in tones, then the files in alphabetical order.
  func names() -> [String] {
    let builtIn = BuiltInTone.allCases.map(\.rawValue)
    return builtIn + Set(entries().map(\.name)).subtracting(builtIn).sorted()
  }

  func isKnown(_ name: String) -> Bool {
    Self.isWellFormed(name) && (BuiltInTone(rawValue: name) != nil || path(of: name) != nil)
  }

  /// Opens a sound at its beginning.
  func open(_ name: String) throws(OutputError) -> any SoundSource {
    if let tone = BuiltInTone(rawValue: name) { return ToneSource(tone) }
    guard Self.isWellFormed(name), let path = path(of: name) else {
      throw OutputError(
        code: .soundUnknown, operation: "opendir",
        message: "There is no sound \"\(name.prefix(64))\": choose a built-in tone or copy a file of that name into the sounds directory.")
    }
    return try FileSource(path: path)
  }

  static func isWellFormed(_ name: String) -> Bool {
    guard (1...64).contains(name.utf8.count), let first = name.utf8.first, isAlphanumeric(first) else { return false }
    return name.utf8.allSatisfy { isAlphanumeric($0) || " ._-".utf8.contains($0) }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
    default: false
    }
  }

  private struct Entry {
    var name: String
    var preference: Int
    var path: String
  }

  private func path(of name: String) -> String? {
    entries().filter { $0.name == name }.min { ($0.preference, $0.path) < ($1.preference, $1.path) }?.path
  }

  /// The playable files, each by its true path: a symbolic link must not lead out of the directory.
  private func entries() -> [Entry] {
    guard let directory, let root = Self.resolve(directory), let stream = opendir(root) else { return [] }
    defer { closedir(stream) }
    var entries: [Entry] = []
    while let entry = readdir(stream) {
      let file = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard let dot = file.lastIndex(of: ".") else { continue }
      let name = String(file[..<dot])
      guard Self.isWellFormed(name), let preference = Self.extensions.firstIndex(of: file[file.index(after: dot)...].lowercased()),
        let path = Self.resolve(root + "/" + file), path.hasPrefix(root == "/" ? "/" : root + "/"), Self.isRegular(path)
      else { continue }
      entries.append(Entry(name: name, preference: preference, path: path))
    }
    return entries
  }

  private static func resolve(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private static func isRegular(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}
