import Glibc

/// The names of the time zone database: segments of letters, digits, `+`, `_` and `-`, separated by `/`.
enum ZoneName {
  /// Bytes; the longest name in the database has 38.
  static let longest = 128

  /// Whether a name may be looked up. One that may never leads out of the database's directory, as it has no dots and no empty segments.
  static func isValid(_ name: String) -> Bool {
    guard !name.isEmpty, name.utf8.count <= longest else { return false }
    return name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy { segment in
      !segment.isEmpty
        && segment.allSatisfy { byte in
          switch byte {
          case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "+"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
          default: false
          }
        }
    }
  }

  /// The name that someone may have meant: one that differs in case or has spaces for `_`, a place without its region, or what an old name
  /// stands for.
  static func nearest(to name: String, in directory: String) -> String? {
    let wanted = name.split(separator: " ").joined(separator: "_").lowercased()
    guard isValid(wanted) else { return nil }
    if let match = match(wanted.split(separator: "/"), in: directory) { return match }
    if let current = current(nameOf: wanted, in: directory) { return current }
    guard !wanted.contains("/") else { return nil }
    for region in entries(of: directory) where region.first?.isUppercase == true {
      if let match = match([wanted[...]], in: "\(directory)/\(region)") { return "\(region)/\(match)" }
    }
    return nil
  }

  /// The present name for an old one, by the database's list of links: Debian has the old names' files in a package of their own, tzdata-legacy.
  private static func current(nameOf wanted: String, in directory: String) -> String? {
    let list: ZoneFile
    do {
      list = try ZoneFile(path: "\(directory)/tzdata.zi")
    } catch {
      // Not every system has the list, and a hint is not worth an error.
      return nil
    }
    // zic(8): `L TARGET NAME`.
    for line in list.bytes.split(separator: UInt8(ascii: "\n")) where line.starts(with: "L ".utf8) {
      let fields = String(decoding: line, as: UTF8.self).split(separator: " ")
      guard fields.count == 3, fields[2].lowercased() == wanted else { continue }
      return match(fields[1].lowercased().split(separator: "/"), in: directory)
    }
    return nil
  }

  /// The path below a directory whose segments are the given ones but for case, where a file is there.
  private static func match(_ segments: [Substring], in directory: String) -> String? {
    guard let segment = segments.first, let entry = entries(of: directory).first(where: { $0.lowercased() == segment }) else { return nil }
    var status = stat()
    guard stat("\(directory)/\(entry)", &status) == 0 else { return nil }
    guard status.st_mode & S_IFMT == S_IFDIR else { return segments.count == 1 ? entry : nil }
    guard let rest = match(Array(segments.dropFirst()), in: "\(directory)/\(entry)") else { return nil }
    return "\(entry)/\(rest)"
  }

  /// The valid names in a directory, sorted; none where it cannot be read, as a hint is not worth an error.
  private static func entries(of directory: String) -> [String] {
    guard let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if isValid(name) { names.append(name) }
    }
    return names.sorted()
  }
}
