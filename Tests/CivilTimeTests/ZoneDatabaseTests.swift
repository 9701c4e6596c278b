import Glibc
import Testing

@testable import CivilTime

/// A directory that is gone with its owner.
final class TemporaryDirectory {
  let path: String

  init() throws {
    var template = Array("/tmp/civil-time-XXXXXX".utf8CString)
    path = try #require(mkdtemp(&template).map { String(cString: $0) })
  }

  deinit { Self.removeAll(path) }

  private static func removeAll(_ path: String) {
    // Fails for a directory that is not empty, and never follows a link.
    guard remove(path) != 0, let stream = opendir(path) else { return }
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != ".", name != ".." { removeAll("\(path)/\(name)") }
    }
    closedir(stream)
    remove(path)
  }

  /// Puts a file in place as dpkg does: written beside it, then renamed.
  func write(_ bytes: [UInt8], to name: String) throws {
    let target = "\(path)/\(name)"
    let file = try #require(fopen(target + ".new", "w"))
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    fclose(file)
    #expect(rename(target + ".new", target) == 0)
  }

  func link(_ name: String, to target: String) { #expect(symlink(target, "\(path)/\(name)") == 0) }

  func makeDirectory(_ name: String) { #expect(mkdir("\(path)/\(name)", 0o755) == 0) }
}

@Suite("The time zone database")
struct ZoneDatabaseTests {
  private func refusal(_ name: String, in database: ZoneDatabase = ZoneDatabase()) -> ZoneError? {
    failure { () throws(ZoneError) in try database.zone(named: name) }
  }

  @Test(
    "Canonical names, links and old names are all there",
    arguments: ["Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+12", "Europe/Oslo", "UTC"])
  func names(name: String) throws {
    let database = ZoneDatabase()
    let rules = try database.zone(named: name)
    #expect(rules.identifier == name)
    #expect(try database.zone(named: name) == rules)
  }

  @Test(
    "A name that could lead elsewhere is none, and is not repeated",
    arguments: [
      "", "/", "/etc/passwd", "../../etc/passwd", "Europe/../../../../etc/passwd", "Europe//Berlin", "Europe/", "/Europe/Berlin",
      "./Europe/Berlin",
      "Europe/Berlin\0", "Europe/Ber\nlin", "Zürich", "..", ".", "zone.tab", String(repeating: "A", count: 1000),
      String(repeating: "A/", count: 1000),
    ])
  func dangerousNames(name: String) {
    let error = refusal(name)
    #expect(error?.code == .unknownZone)
    #expect(error?.zone == name)
    #expect(error?.message == "This is not the name of a time zone; use a name of the IANA database, such as \"Europe/Berlin\".")
  }

  @Test(
    "A near miss gets a hint",
    arguments: [
      ("europe/berlin", "Europe/Berlin"), ("America/New York", "America/New_York"), ("Berlin", "Europe/Berlin"),
      ("los_angeles", "America/Los_Angeles"),
      ("utc", "UTC"), ("america/argentina/USHUAIA", "America/Argentina/Ushuaia"),
    ])
  func hints(name: String, nearest: String) {
    let error = refusal(name)
    #expect(error?.code == .unknownZone)
    #expect(error?.message.hasSuffix("did you mean \"\(nearest)\"?") == true, "\(error?.message ?? "")")
  }

  @Test("An old name without a file gets its present one as a hint")
  func oldName() throws {
    let directory = try TemporaryDirectory()
    directory.makeDirectory("Asia")
    try directory.write(TZifBuilder(footer: "\nIST-5:30\n").bytes, to: "Asia/Kolkata")
    let list = "# version 2026f\nZ Asia/Kolkata 5:30 - IST\nL Asia/Kolkata Asia/Calcutta\nL Asia/Absent Asia/Old\n"
    try directory.write(Array(list.utf8), to: "tzdata.zi")
    let database = ZoneDatabase(directory: directory.path)
    #expect(refusal("Asia/Calcutta", in: database)?.message.hasSuffix("did you mean \"Asia/Kolkata\"?") == true)
    #expect(refusal("Asia/Old", in: database)?.message.hasSuffix("such as \"Europe/Berlin\".") == true)
  }

  @Test(
    "A directory, a name of nothing and a name below a file are no zones", arguments: ["Europe", "Europe/Atlantis", "Europe/Berlin/Mitte"])
  func nothing(name: String) {
    let error = refusal(name)
    #expect(error?.code == .unknownZone)
    #expect(error?.message.hasPrefix("There is no time zone \"\(name)\"; ") == true)
  }

  @Test("Without a database there is UTC still, and nothing else")
  func withoutDatabase() throws {
    let database = ZoneDatabase(directory: "/nonexistent")
    #expect(try database.zone(named: "UTC") == .utc)
    #expect(refusal("Europe/Berlin", in: database)?.code == .unknownZone)
    #expect(!database.refresh())
  }

  @Test("Files that are no zones are refused: text, a pipe, one that is too large, one without permission")
  func unusable() throws {
    let directory = try TemporaryDirectory()
    let database = ZoneDatabase(directory: directory.path)
    try directory.write(Array("# comment\n".utf8), to: "leapseconds")
    #expect(refusal("leapseconds", in: database)?.code == .malformed)
    #expect(mkfifo("\(directory.path)/Pipe", 0o644) == 0)
    #expect(refusal("Pipe", in: database)?.errno == EINVAL)
    try directory.write([UInt8](repeating: 0, count: ZoneFile.largest + 1), to: "Large")
    #expect(refusal("Large", in: database)?.errno == EFBIG)
    // Root may read everything, but nobody can follow a link to itself.
    directory.link("Loop", to: "Loop")
    let error = refusal("Loop", in: database)
    #expect(error?.code == .unreadable)
    #expect(error?.errno == ELOOP)
    #expect(error?.message.contains("tzdata") == true)
  }

  @Test("An upgrade is noticed at the next refresh, and what it damages stays as it was")
  func refresh() throws {
    let directory = try TemporaryDirectory()
    directory.makeDirectory("Test")
    let old = TZifBuilder(footer: "\nXXX-1\n").bytes
    let new = TZifBuilder(footer: "\nXXX-2\n").bytes
    try directory.write(old, to: "Test/A")
    try directory.write(old, to: "Test/Target")
    directory.link("Test/Link", to: "Target")
    let database = ZoneDatabase(directory: directory.path)
    func offset(_ name: String) throws -> Int { try database.zone(named: name).offset(at: Instant(milliseconds: 0)) }
    #expect(try offset("Test/A") == 3600)
    #expect(try offset("Test/Link") == 3600)
    #expect(!database.refresh())

    // The same content in a new file is no change.
    try directory.write(old, to: "Test/A")
    #expect(!database.refresh())

    try directory.write(new, to: "Test/A")
    #expect(try offset("Test/A") == 3600)
    #expect(database.refresh())
    #expect(try offset("Test/A") == 7200)
    #expect(!database.refresh())

    // A link follows its target.
    try directory.write(new, to: "Test/Target")
    #expect(database.refresh())
    #expect(try offset("Test/Link") == 7200)

    try directory.write(Array(old.dropLast(3)), to: "Test/A")
    #expect(!database.refresh())
    #expect(try offset("Test/A") == 7200)
    #expect(unlink("\(directory.path)/Test/A") == 0)
    #expect(!database.refresh())
    #expect(try offset("Test/A") == 7200)
    try directory.write(old, to: "Test/A")
    #expect(database.refresh())
    #expect(try offset("Test/A") == 3600)
  }

  @Test("A file that is written over in place is noticed too")
  func writtenOver() throws {
    let directory = try TemporaryDirectory()
    try directory.write(TZifBuilder(footer: "\nXXX-1\n").bytes, to: "A")
    let database = ZoneDatabase(directory: directory.path)
    _ = try database.zone(named: "A")
    let file = try #require(fopen("\(directory.path)/A", "w"))
    let bytes = TZifBuilder(footer: "\nXXX-10\n").bytes
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    fclose(file)
    #expect(database.refresh())
    #expect(try database.zone(named: "A").offset(at: Instant(milliseconds: 0)) == 36_000)
  }

  @Test("Many threads may ask and refresh at once")
  func threads() async throws {
    let database = ZoneDatabase()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<16 {
        group.addTask {
          for name in ["Europe/Berlin", "Asia/Tokyo", "America/New_York", "Europe/Dublin"] {
            let rules = try database.zone(named: name)
            #expect(rules.identifier == name)
            if index % 4 == 0 { #expect(!database.refresh()) }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test("The system's zone is where its link leads, whatever that is relative to")
  func systemZoneByLink() throws {
    let directory = try TemporaryDirectory()
    try directory.write(Array("Asia/Tokyo\n".utf8), to: "timezone")
    let targets = [
      "/usr/share/zoneinfo/Europe/Berlin": "Europe/Berlin", "../usr/share/zoneinfo/America/Argentina/Salta": "America/Argentina/Salta",
      "/usr/share/zoneinfo/UTC": "UTC", "/elsewhere/Europe/Berlin": "Asia/Tokyo", "/usr/share/zoneinfo": "Asia/Tokyo",
      "/usr/share/zoneinfo/../../etc/passwd": "Asia/Tokyo",
    ]
    for (index, (target, name)) in targets.enumerated() {
      directory.link("localtime\(index)", to: target)
      let found = ZoneDatabase.systemZoneName(localtime: "\(directory.path)/localtime\(index)", timezone: "\(directory.path)/timezone")
      #expect(found == name, "\(target)")
    }
  }

  @Test("Without a link the system's zone is what Debian wrote down, else UTC")
  func systemZoneByFile() throws {
    let directory = try TemporaryDirectory()
    try directory.write(systemFile("Europe/Berlin"), to: "localtime")
    let texts = [
      "# a comment\n\n  Europe/Paris \n": "Europe/Paris", "Etc/UTC": "Etc/UTC", "": "UTC", "../../etc/passwd\n": "UTC", "\u{0}\u{1}": "UTC",
    ]
    for (text, name) in texts {
      try directory.write(Array(text.utf8), to: "timezone")
      #expect(
        ZoneDatabase.systemZoneName(localtime: "\(directory.path)/localtime", timezone: "\(directory.path)/timezone") == name, "\(text)")
    }
    #expect(ZoneDatabase.systemZoneName(localtime: "/nonexistent", timezone: "/nonexistent") == "UTC")
  }

  @Test("This system has a zone, and the database has it")
  func systemZone() throws {
    _ = try ZoneDatabase().zone(named: ZoneDatabase.systemZoneName())
  }
}
