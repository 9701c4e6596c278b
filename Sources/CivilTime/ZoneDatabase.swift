import Glibc
import Synchronization

/// The system's time zone database, read from TZif files; safe to use from any thread.
public final class ZoneDatabase: Sendable {
  private struct Entry: Sendable {
    var stamp: ZoneFile.Stamp
    var rules: ZoneRules
  }

  private let directory: String
  private let cache = Mutex<[String: Entry]>([:])

  public init(directory: String = "/usr/share/zoneinfo") { self.directory = directory }

  /// The rules of a zone, by any name in the database, old ones and links included; upper and lower case matter, as they do there.
  ///
  /// A zone is read once and then kept: see `refresh()`. `UTC` is there even where the database is not.
  ///
  /// - Throws: `unknownZone`, `unreadable` or `malformed`.
  public func zone(named name: String) throws(ZoneError) -> ZoneRules {
    if let entry = cache.withLock({ $0[name] }) { return entry.rules }
    // Files are read without the lock, so that a slow disk holds up nobody who needs a zone that is known.
    guard let entry = try load(name) else { return .utc }
    return cache.withLock { cache in
      let kept = cache[name] ?? entry
      cache[name] = kept
      return kept.rules
    }
  }

  /// Looks whether files of zones in use were replaced, as an upgrade of tzdata does, and reads those anew.
  ///
  /// A file that is gone or damaged leaves the rules as they were, and is looked at again the next time.
  ///
  /// - Returns: whether the rules of any zone changed.
  public func refresh() -> Bool {
    var replaced: [String: Entry] = [:]
    for (name, entry) in cache.withLock({ $0 }) where ZoneFile.Stamp(path: path(of: name)) != entry.stamp {
      do {
        replaced[name] = try load(name)
      } catch {
        // In the middle of an upgrade: the old rules are the best there are.
        continue
      }
    }
    return cache.withLock { cache in
      var hasChanged = false
      for (name, entry) in replaced {
        if cache[name]?.rules != entry.rules { hasChanged = true }
        cache[name] = entry
      }
      return hasChanged
    }
  }

  private func path(of name: String) -> String { "\(directory)/\(name)" }

  /// Reads a zone's file; `nil` for `UTC` where there is none.
  private func load(_ name: String) throws(ZoneError) -> Entry? {
    guard ZoneName.isValid(name) else { throw unknown(name) }
    let file: ZoneFile
    do {
      file = try ZoneFile(path: path(of: name))
    } catch {
      switch error.errno {
      case ENOENT, ENOTDIR, EISDIR, ENAMETOOLONG:
        if name == ZoneRules.utc.identifier { return nil }
        throw unknown(name)
      default:
        let reason = String(cString: strerror(error.errno))
        throw ZoneError(
          .unreadable, zone: name, errno: error.errno,
          message: "\(error.operation) \(path(of: name)): \(reason); check the file's permissions, or reinstall the package tzdata.")
      }
    }
    return Entry(stamp: file.stamp, rules: try ZoneRules(identifier: name, tzif: file.bytes))
  }

  private func unknown(_ name: String) -> ZoneError {
    let hint =
      if let nearest = ZoneName.nearest(to: name, in: directory) {
        "did you mean \"\(nearest)\"?"
      } else {
        "use a name of the IANA database, such as \"Europe/Berlin\"."
      }
    // What is no name is not repeated: it may be long, or not fit to be shown.
    let subject = ZoneName.isValid(name) ? "There is no time zone \"\(name)\"" : "This is not the name of a time zone"
    return ZoneError(.unknownZone, zone: name, message: "\(subject); \(hint)")
  }
}

extension ZoneDatabase {
  /// The name of the system's time zone; the environment's `TZ` plays no part.
  ///
  /// It is what `/etc/localtime` links to (localtime(5)), else what `/etc/timezone` says (Debian), else `UTC`. Whether the database has it shows in `zone(named:)`.
  public static func systemZoneName(localtime: String = "/etc/localtime", timezone: String = "/etc/timezone") -> String {
    linkedName(localtime) ?? writtenName(timezone) ?? ZoneRules.utc.identifier
  }

  /// The part of a link's target below a directory `zoneinfo`, wherever that is.
  private static func linkedName(_ path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &buffer, buffer.count)
    guard count > 0 else { return nil }
    let target = buffer.withUnsafeBytes { String(decoding: $0.prefix(count), as: UTF8.self) }
    let segments = target.split(separator: "/")
    guard let root = segments.lastIndex(of: "zoneinfo") else { return nil }
    let name = segments[(root + 1)...].joined(separator: "/")
    return ZoneName.isValid(name) ? name : nil
  }

  /// The first line of a file that is not empty and no comment.
  private static func writtenName(_ path: String) -> String? {
    let file: ZoneFile
    do {
      file = try ZoneFile(path: path)
    } catch {
      // Most systems have no such file, and there is a default.
      return nil
    }
    let lines = file.bytes.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") })
      .map { String(decoding: $0, as: UTF8.self).split(separator: " ").joined(separator: " ") }
    guard let name = lines.first(where: { !$0.isEmpty && !$0.hasPrefix("#") }) else { return nil }
    return ZoneName.isValid(name) ? name : nil
  }
}
