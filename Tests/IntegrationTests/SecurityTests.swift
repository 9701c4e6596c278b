import Glibc
import JSON
import TestSupport
import Testing

@Suite("TLS, passwords and access rules against a real mosquitto", .serialized)
struct SecurityTests {
  /// A broker with TLS on a second port, whose first one is for the test's own clients.
  private struct SecureBroker {
    let broker: BrokerProcess
    let port: UInt16
    let authority: TestAuthority
  }

  private func secureBroker(
    hosts: String = "DNS:localhost,IP:127.0.0.1", days: Int = 2, lines: [String] = []
  ) throws -> SecureBroker {
    let directory = try TemporaryDirectory()
    let authority = try TestAuthority(in: directory)
    let own = try authority.issue("broker", for: hosts, days: days)
    let port = try BrokerProcess.freePort()
    let listener = ["listener \(port) 127.0.0.1", "certfile \(own.certificate)", "keyfile \(own.key)"]
    return SecureBroker(broker: try BrokerProcess(listener + lines, directory: directory), port: port, authority: authority)
  }

  /// Starts a node that cannot get in: what it says why, and that its pauses grow.
  private func expectRefused(_ node: NodeProcess, saying words: [String]) async throws {
    try node.launch()
    // The first line tells the pause until the next attempt; the same reason is told once.
    let line = try #require(try await blocking { node.logLine(containing: "no broker") })
    for word in words { #expect(line.lowercased().contains(word), "\(line)") }
    #expect(line.contains("next attempt in 0."), "\(line)")
    // It is alive and asked to end it ends.
    node.signal(SIGTERM)
    #expect(try await blocking { node.exitStatus() } == 0)
    #expect(!node.listener.messages().contains { $0.payload == "online" })
  }

  @Test("With the right authority the node is online")
  func rightAuthority() async throws {
    let secure = try secureBroker()
    let node = try NodeProcess(secure.broker, port: secure.port, mqtt: "ca_file: \(secure.authority.certificate)")
    try await node.start()
    #expect(try await node.request("list", "{}")["status"] == "ok")
  }

  @Test("With a wrong authority, and with the system's, the broker is refused and certificates are named", arguments: [false, true])
  func wrongAuthority(isSystem: Bool) async throws {
    let secure = try secureBroker()
    let other = try TestAuthority(in: try TemporaryDirectory(), name: "other")
    let node = try NodeProcess(
      secure.broker, port: secure.port, mqtt: isSystem ? "os_certificates: true" : "ca_file: \(other.certificate)")
    try await expectRefused(node, saying: ["tls", "certificate"])
  }

  @Test("A broker's certificate for another name is refused")
  func wrongName() async throws {
    let secure = try secureBroker(hosts: "DNS:elsewhere.example")
    let node = try NodeProcess(secure.broker, port: secure.port, mqtt: "ca_file: \(secure.authority.certificate)")
    try await expectRefused(node, saying: ["tls", "certificate"])
  }

  @Test("An expired certificate is refused, and the clock is named")
  func expired() async throws {
    let secure = try secureBroker(days: -1)
    let node = try NodeProcess(secure.broker, port: secure.port, mqtt: "ca_file: \(secure.authority.certificate)")
    try await expectRefused(node, saying: ["tls", "certificate", "clock"])
  }

  @Test("Where the broker wants a client certificate, a node with one gets in and one without does not")
  func clientCertificate() async throws {
    let directory = try TemporaryDirectory()
    let authority = try TestAuthority(in: directory)
    let own = try authority.issue("broker")
    let client = try authority.issue("bedroom")
    let port = try BrokerProcess.freePort()
    let broker = try BrokerProcess(
      [
        "listener \(port) 127.0.0.1", "certfile \(own.certificate)", "keyfile \(own.key)", "cafile \(authority.certificate)",
        "require_certificate true",
      ], directory: directory)
    let without = try NodeProcess(broker, port: port, mqtt: "ca_file: \(authority.certificate)")
    try without.launch()
    let line = try #require(try await blocking { without.logLine(containing: "no broker") })
    #expect(line.contains("next attempt in"))
    without.kill()
    let node = try NodeProcess(
      broker, port: port,
      mqtt: "ca_file: \(authority.certificate), certificate_file: \(client.certificate), key_file: \(client.key)")
    try await node.start()
    #expect(try await node.request("list", "{}")["status"] == "ok")
  }

  // MARK: deploy/mosquitto

  /// The example broker with only its paths and its port changed, and the users of its rules.
  private func exampleBroker() throws -> SecureBroker {
    let directory = try TemporaryDirectory()
    let authority = try TestAuthority(in: directory)
    let own = try authority.issue("broker")
    let passwords = try directory.write("passwords", "")
    for user in ["bedroom", "kitchen", "home-automation", "dashboard"] {
      let tool = try Subprocess(["mosquitto_passwd", "-b", passwords, user, "\(user)-password"])
      try #require(tool.wait() == 0)
    }
    chmod(passwords, 0o644)
    let rules = try directory.write("reveille.acl", try ProjectFile.read("deploy/mosquitto/reveille.acl"))
    let port = try BrokerProcess.freePort()
    var lines = try ProjectFile.read("deploy/mosquitto/reveille.conf")
    for (old, new) in [
      ("/etc/mosquitto/reveille.passwords", passwords), ("/etc/mosquitto/conf.d/reveille.acl", rules),
      ("/etc/mosquitto/certs/broker.pem", own.certificate), ("/etc/mosquitto/certs/broker.key", own.key),
      ("listener 8883", "listener \(port) 127.0.0.1"),
    ] {
      let parts = lines.split(separator: old, omittingEmptySubsequences: false)
      try #require(parts.count > 1, "\(old)")
      lines = parts.joined(separator: new)
    }
    let broker = try BrokerProcess(
      lines.split(separator: "\n").map(String.init), anonymous: false, directory: directory,
      clientOptions: ["-u", "home-automation", "-P", "home-automation-password"])
    return SecureBroker(broker: broker, port: port, authority: authority)
  }

  private func exampleNode(_ secure: SecureBroker, password: String) throws -> NodeProcess {
    let file = try secure.authority.directory.write("password-\(password)", password + "\n")
    chmod(file, 0o600)
    return try NodeProcess(
      secure.broker, port: secure.port, mqtt: "ca_file: \(secure.authority.certificate), username: bedroom, password_file: \(file)")
  }

  @Test("The example broker refuses a wrong password, and the node says what to check")
  func wrongPassword() async throws {
    let secure = try exampleBroker()
    try await expectRefused(try exampleNode(secure, password: "wrong"), saying: ["password"])
  }

  @Test("At the example broker a dashboard reads and cannot command, home automation can, and a node cannot speak for another")
  func accessRules() async throws {
    let secure = try exampleBroker()
    let node = try exampleNode(secure, password: "bedroom-password")
    try await node.start()
    #expect(try await node.request("schedule", #"{"id":"egg","duration":3600}"#)["status"] == "ok")
    // Discovery gets through as well.
    _ = try await node.listener.first("discovery") { $0.topic == "homeassistant/device/reveille_bedroom/config" }

    func client(_ program: String, _ user: String, _ arguments: [String]) throws -> Subprocess {
      let login = ["-h", "127.0.0.1", "-p", String(secure.broker.port), "-u", user, "-P", "\(user)-password", "-V", "5"]
      return try Subprocess([program] + login + arguments)
    }
    let reader = try client("mosquitto_sub", "dashboard", ["-t", "reveille/bedroom/alarms/egg/state", "-C", "1"])
    #expect(try await blocking { reader.wait() } == 0)
    #expect(reader.output.all.first?.contains("\"egg\"") == true)

    let mark = node.listener.mark
    for (user, topic, payload) in [
      ("dashboard", "reveille/bedroom/request/cancel", #"{"id":"egg"}"#), ("dashboard", "reveille/bedroom/alarms/egg/set", "cancel"),
      ("dashboard", "reveille/bedroom/set/muted", "ON"), ("kitchen", "reveille/bedroom/request/cancel", #"{"id":"egg"}"#),
      ("kitchen", "reveille/bedroom/availability", "offline"), ("home-automation", "reveille/bedroom/event", "{}"),
    ] {
      let publisher = try client("mosquitto_pub", user, ["-q", "1", "-t", topic, "-m", payload])
      _ = try await blocking { publisher.wait() }
    }
    // What they sent comes before this request, so it has not reached the node if nothing shows by its reply.
    #expect(try await node.request("get", #"{"id":"egg"}"#)["data", "state"] == "countdown")
    let seen = node.listener.messages(after: mark).map(\.topic)
    #expect(
      !seen.contains { $0.hasSuffix("/cancel") || $0.hasSuffix("/set") || $0.hasSuffix("/muted") || $0.hasSuffix("/availability") },
      "\(seen)")
    // Home automation can.
    #expect(try await node.word("cancel", "egg")["status"] == "ok")
  }
}
