import Glibc
import JSON
import TestSupport
import Testing

@Suite("Damaged state, and a full disk", .serialized)
struct DamagedStateTests {
  /// A node that has stored alarms and ended; its state directory and database.
  private func stoppedNode(alarms: Int) async throws -> (node: NodeProcess, database: String) {
    let node = try await NodeProcess.running()
    for number in 0..<alarms {
      try await node.request(
        "schedule",
        #"{"id":"a\#(number)","schedule":{"time":"07:00","weekdays":"daily"},"metadata":{"x":"\#(String(repeating: "x", count: 2000))"}}"#)
    }
    node.signal(SIGTERM)
    #expect(try await blocking { node.exitStatus() } == 0)
    return (node, node.directory.path(of: "state/reveille.db"))
  }

  /// Overwrites bytes of a file.
  private func overwrite(_ path: String, at offset: Int, with bytes: [UInt8]) throws {
    let descriptor = open(path, O_WRONLY)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    #expect(pwrite(descriptor, bytes, bytes.count, off_t(offset)) == bytes.count)
  }

  private func size(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : -1
  }

  /// Waits for a health document with a problem of this code; answers the problem's message.
  private func problem(_ code: String, _ node: NodeProcess, after mark: Int) async throws -> String {
    try await node.listener.wait(after: mark, for: code) { messages in
      for message in messages where message.topic.hasSuffix("/health") {
        for case .object(let problem) in message.json["problems"]?.array ?? [] where problem["code"]?.string == code {
          return problem["message"]?.string
        }
      }
      return nil
    }
  }

  private func list(_ node: NodeProcess) async throws -> [String] {
    try await node.request("list", "{}")["data", "alarms"]?.array?.compactMap { $0["id"]?.string } ?? []
  }

  private func keptFiles(_ node: NodeProcess) throws -> [String] {
    let tool = try Subprocess(["ls", node.directory.path(of: "state")])
    #expect(tool.wait() == 0)
    return tool.output.all.filter { $0.hasPrefix("reveille.db.") && !$0.hasSuffix("-wal") }
  }

  /// The node is of use, and what it is told now is there after a restart.
  private func expectWorking(_ node: NodeProcess) async throws {
    #expect(try await node.request("schedule", #"{"id":"new","schedule":{"time":"08:00","weekdays":"daily"}}"#)["status"] == "ok")
    node.kill()
    try await node.start()
    #expect(try await list(node).contains("new"))
  }

  @Test("A truncated file is kept aside, told in health and in the log, and the node works", arguments: [100, 5000])
  func truncated(length: Int) async throws {
    let (node, database) = try await stoppedNode(alarms: 3)
    #expect(truncate(database, off_t(length)) == 0)
    let mark = node.listener.mark
    try await node.start()
    let message = try await problem("storage_damaged", node, after: mark)
    let kept = try #require(try keptFiles(node).first)
    #expect(kept.hasPrefix("reveille.db.corrupt-") && message.contains(kept))
    #expect(size(node.directory.path(of: "state/\(kept)")) == length)
    #expect(node.log.contains { $0.contains("kept as") && $0.contains(kept) })
    try await expectWorking(node)
    // It is told until somebody has seen to it.
    let again = node.listener.mark
    unlink(node.directory.path(of: "state/\(kept)"))
    node.kill()
    let snapshot = try await node.start()
    let health = try #require(snapshot.last { $0.topic.hasSuffix("/health") })
    #expect(health.json["ready"] == true, "\(health)")
    withExtendedLifetime(again) {}
  }

  @Test("Of a file with a damaged page the other alarms are in use")
  func damagedPage() async throws {
    let (node, database) = try await stoppedNode(alarms: 40)
    let length = size(database)
    try #require(length > 80_000)
    // The last pages are those of the latest alarms.
    try overwrite(database, at: (length / 4096 - 4) * 4096, with: [UInt8](repeating: 0xA5, count: 4096))
    let mark = node.listener.mark
    try await node.start()
    _ = try await problem("storage_damaged", node, after: mark)
    let found = try await list(node)
    #expect(found.count >= 10 && found.contains("a0"), "\(found)")
    #expect(node.log.contains { $0.contains("\(found.count) alarms could be read") })
    try await expectWorking(node)
    #expect(Set(found).isSubset(of: Set(try await list(node))))
  }

  @Test("A file from a newer version is kept aside under that name, and what is understood is in use")
  func newer() async throws {
    let (node, database) = try await stoppedNode(alarms: 2)
    // The user_version is at offset 60 of the header (https://sqlite.org/fileformat.html).
    try overwrite(database, at: 60, with: [0, 0, 0, 99])
    let mark = node.listener.mark
    try await node.start()
    let message = try await problem("storage_newer", node, after: mark)
    let kept = try #require(try keptFiles(node).first)
    #expect(kept.hasPrefix("reveille.db.newer-") && message.contains(kept))
    #expect(try await list(node) == ["a0", "a1"])
    try await expectWorking(node)
  }

  /// Mounts a small file system in memory on the node's state directory and fills it but for some bytes; needs root.
  private func mountState(_ node: NodeProcess, kilobytes: Int) throws {
    let state = node.directory.path(of: "state")
    mkdir(state, 0o700)
    try #require(mount("tmpfs", state, "tmpfs", 0, "size=\(kilobytes)k") == 0)
  }

  private func fill(_ node: NodeProcess) {
    let descriptor = open(node.directory.path(of: "state/filler"), O_WRONLY | O_CREAT | O_APPEND, 0o600)
    defer { close(descriptor) }
    for size in [4096, 1] {
      let block = [UInt8](repeating: 1, count: size)
      while write(descriptor, block, size) == size {}
    }
  }

  private func unmount(_ node: NodeProcess) {
    node.kill()
    umount2(node.directory.path(of: "state"), Int32(MNT_DETACH))
  }

  @Test(
    "A disk that gets full: changes are refused and told, what rings is stopped, and all is well once there is space",
    .enabled(if: geteuid() == 0))
  func fullInOperation() async throws {
    let node = try NodeProcess(BrokerProcess())
    try mountState(node, kilobytes: 512)
    defer { unmount(node) }
    try await node.start()
    try await node.request("schedule", #"{"id":"egg","duration":3}"#)
    fill(node)
    let mark = node.listener.mark
    let big = String(repeating: "x", count: 3900)
    var reply = JSONValue.null
    // The log may have some room of its own left.
    for number in 0..<20 where reply["status"] != "error" {
      reply = try await node.request("schedule", #"{"id":"b\#(number)","schedule":{"time":"07:00"},"body":"\#(big)"}"#)
    }
    #expect(reply["error", "code"] == "storage_failed", "\(reply)")
    let message = try await problem("storage_failed", node, after: mark)
    #expect(message.contains("disk is full"))
    try await node.event("alerting", "egg")
    try await node.sound.wait(for: 0.3)
    _ = try await node.request("stop", #"{"id":"egg"}"#)
    #expect(try await node.sound.isAtItsEnd())
    unlink(node.directory.path(of: "state/filler"))
    let freed = node.listener.mark
    #expect(try await node.request("schedule", #"{"id":"later","schedule":{"time":"07:00"}}"#)["status"] == "ok")
    _ = try await node.listener.first(after: freed, "ready again") { $0.topic.hasSuffix("/health") && $0.json["ready"] == true }
    node.kill()
    try await node.start()
    let found = try await list(node)
    #expect(found.contains("later") && !found.contains("egg"), "\(found)")
  }

  @Test("With a full disk at the first start the node runs, says so, and stores once there is space", .enabled(if: geteuid() == 0))
  func fullAtFirstStart() async throws {
    let node = try NodeProcess(BrokerProcess())
    try mountState(node, kilobytes: 64)
    defer { unmount(node) }
    fill(node)
    try await node.start()
    _ = try await problem("storage_failed", node, after: 0)
    #expect(try await node.request("schedule", #"{"id":"egg","duration":2}"#)["error", "code"] == "storage_failed")
    #expect(try await node.request("test", "{}")["status"] == "ok")
    unlink(node.directory.path(of: "state/filler"))
    #expect(umount2(node.directory.path(of: "state"), Int32(MNT_DETACH)) == 0)
    try await expectWorking(node)
  }

  @Test(
    "With a full or read-only disk at a later start the alarms that are stored ring", .enabled(if: geteuid() == 0),
    arguments: [false, true])
  func unwritableAtStart(isReadOnly: Bool) async throws {
    let node = try NodeProcess(BrokerProcess())
    try mountState(node, kilobytes: 512)
    defer { unmount(node) }
    try await node.start()
    try await node.request("schedule", #"{"id":"egg","duration":8}"#)
    try await node.request("schedule", #"{"id":"daily","schedule":{"time":"07:00","weekdays":"daily"}}"#)
    node.kill()
    fill(node)
    if isReadOnly {
      try #require(mount("tmpfs", node.directory.path(of: "state"), "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0)
    }
    let mark = node.listener.mark
    try await node.start()
    #expect(try await list(node) == ["daily", "egg"])
    try await node.event("alerting", "egg", after: mark)
    try await node.sound.wait(for: 0.3)
    if isReadOnly { _ = try await problem("storage_failed", node, after: mark) }
    _ = try await node.request("stop", "{}")
    #expect(try await node.sound.isAtItsEnd())
  }
}
