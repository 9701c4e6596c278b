import Glibc
import JSON
import TestSupport
import Testing

@Suite("The node as a service", .serialized)
struct ServiceTests {
  @Test("Readiness comes without a broker, and then the watchdog is fed by the engine's loop alone")
  func readiness() async throws {
    let directory = try TemporaryDirectory()
    let manager = try NotifySocket(directory.path(of: "notify"))
    // Nobody listens on port 1 of this machine.
    let node = try NodeProcess(BrokerProcess(), port: 1)
    try node.launch(environment: manager.environment + ["WATCHDOG_USEC=400000"])
    _ = try await manager.first { $0.hasPrefix("READY=1 ") }
    for _ in 0..<3 { _ = try await manager.first { $0 == "WATCHDOG=1" } }
    node.signal(SIGTERM)
    _ = try await manager.first { $0 == "STOPPING=1" }
    #expect(node.exitStatus() == 0)
  }

  @Test("A wrong configuration file at SIGHUP is told with its line, in the log and in health, and the old one stays")
  func wrongConfiguration() async throws {
    let node = try await NodeProcess.running()
    let good = try ProjectFile.text(node.configurationFile)
    try node.directory.write("reveille.yaml", good + "colour: red\n")
    let mark = node.listener.mark
    node.signal(SIGHUP)
    let health = try await node.listener.first(after: mark, "a health problem") {
      $0.topic == "\(node.base)/health" && $0.json["problems"]?.array?.contains { $0["code"] == "configuration_wrong" } == true
    }.json
    #expect(health["ready"] == false)
    #expect(health["problems"]?.array?.first?["message"]?.string?.contains("colour: unknown key") == true)
    #expect(node.log.contains { $0.hasPrefix("reveille: error:") && $0.contains("colour") })
    #expect(try await node.request("list", "{}")["status"] == "ok")
    // Mended, it is taken.
    try node.directory.write("reveille.yaml", good)
    let second = node.listener.mark
    node.signal(SIGHUP)
    for payload in ["offline", "online"] {
      _ = try await node.listener.first(after: second, payload) { $0.topic == "\(node.base)/availability" && $0.payload == payload }
    }
  }

  @Test("A good file at SIGHUP is taken by the same process, and a countdown and a ring go on")
  func reload() async throws {
    let directory = try TemporaryDirectory()
    let manager = try NotifySocket(directory.path(of: "notify"))
    let node = try NodeProcess(BrokerProcess())
    try node.launch(environment: manager.environment)
    _ = try await manager.first { $0.hasPrefix("READY=1 ") }
    _ = try await node.listener.first(after: 0, "online") { $0.topic == "\(node.base)/availability" && $0.payload == "online" }
    let before = try await node.request("schedule", #"{"id":"rice","duration":3600}"#)
    try await node.request("schedule", #"{"id":"egg","duration":1}"#)
    try await node.event("sounding", "egg")
    try node.directory.write("reveille.yaml", ProjectFile.text(node.configurationFile) + "limits: {alarms: 7}\n")
    let mark = node.listener.mark
    node.signal(SIGHUP)
    _ = try await manager.first { $0.hasPrefix("RELOADING=1 ") }
    _ = try await manager.first { $0.hasPrefix("READY=1 ") }
    // Its exec would have been reported as an end otherwise.
    #expect(node.exitStatus(within: 1) == nil)
    let info = try await node.listener.first(after: mark, "the new limit") {
      $0.topic == "\(node.base)/info" && $0.json["limits", "alarms"] == 7
    }
    #expect(info.json["node"] == "bedroom")
    try await node.event("sounding", "egg", after: mark)
    let after = try await node.request("get", #"{"id":"rice"}"#)
    #expect(after["data", "state"] == "countdown" && after["data", "fireDate"] == before["data", "fireDate"])
    node.signal(SIGTERM)
    #expect(node.exitStatus() == 0)
  }

  @Test("In the journal each line begins with its level; elsewhere a word tells it")
  func levels() async throws {
    let directory = try TemporaryDirectory()
    let bad = try directory.write("bad.yaml", "colour: red\nlimits: {alarms: many}\n")
    let run = "exec \(NodeProcess.program) run --config \(bad)"
    // Standard error is a file here; JOURNAL_STREAM has its device and inode, as systemd sets it for the journal's socket.
    let file = directory.path(of: "log")
    for (stream, start) in [("$(stat -c %d:%i \(file))", "<3>"), ("1:1", "reveille: error: ")] {
      let process = try Subprocess(["sh", "-c", ": >\(file); export JOURNAL_STREAM=\(stream); \(run) 2>>\(file)"])
      #expect(try await blocking { process.wait() } == 78)
      let lines = try ProjectFile.text(file).split(separator: "\n")
      #expect(lines.count == 2 && lines.allSatisfy { $0.hasPrefix(start + bad) }, "\(lines)")
    }
  }
}
