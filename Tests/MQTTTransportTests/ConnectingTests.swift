import Glibc
import MQTTTransport
import TestSupport
import Testing

@Suite("Connecting") struct ConnectingTests {
  /// A broker with one user, `node` with the password `right`.
  private func guardedBroker() throws -> BrokerProcess {
    let directory = try TemporaryDirectory()
    let file = try directory.write("passwords", "")
    let tool = try Subprocess(["mosquitto_passwd", "-b", file, "node", "right"])
    try #require(tool.wait() == 0)
    chmod(file, 0o644)
    return try BrokerProcess(["password_file \(file)"], anonymous: false, directory: directory)
  }

  @Test("The right password connects; a wrong one is reported as such", arguments: [MQTTConfiguration.ProtocolVersion.v5, .v311])
  func passwords(version: MQTTConfiguration.ProtocolVersion) throws {
    let broker = try guardedBroker()
    let right = try TestClient(
      .test(broker) {
        $0.protocolVersion = version
        $0.username = "node"
        $0.password = "right"
      })
    _ = try right.session()
    let wrong = try TestClient(
      .test(broker, id: "other") {
        $0.protocolVersion = version
        $0.username = "node"
        $0.password = "wrong"
      })
    let end = try wrong.disconnection()
    #expect(end.session == nil)
    // mosquitto's answer to a wrong password is "not authorized".
    #expect([.badCredentials, .notAuthorized].contains(end.reason.code))
    #expect(end.reason.reasonCode == (version == .v5 ? 0x87 : 5))
    #expect(end.reason.message.contains("password"))
  }

  @Test("A closed port is a refused connection")
  func closedPort() throws {
    let client = try TestClient(.init(host: "127.0.0.1", port: BrokerProcess.freePort(), clientID: "node"))
    let end = try client.disconnection()
    #expect(end.reason.code == .connectionRefused)
    #expect(end.reason.errno == ECONNREFUSED)
    #expect(end.session == nil)
    #expect((400...600).contains(end.retryMilliseconds))
  }

  @Test("A name that does not exist is a host that is not found")
  func unknownHost() throws {
    let client = try TestClient(.init(host: "no-such-host.invalid", clientID: "node"))
    #expect(try client.disconnection().reason.code == .hostNotFound)
  }

  @Test("A listener that is no broker runs into the connect time-out")
  func silentListener() throws {
    let broker = try BrokerProcess()
    broker.freeze()
    let client = try TestClient(.test(broker) { $0.connectTimeout = 300 })
    let end = try client.disconnection()
    #expect(end.reason.code == .timedOut)
    broker.thaw()
    _ = try client.session()
  }

  @Test("Nonsense in place of a CONNACK is a protocol error, and silence a lost connection")
  func nonsense() throws {
    let nonsense = try ScriptedBroker([.init("HTTP/1.1 400 Bad Request\r\n\r\n")])
    let client = try TestClient(.init(host: "127.0.0.1", port: nonsense.port, clientID: "node"))
    #expect([.protocolError, .connectionLost].contains(try client.disconnection().reason.code))
    let silence = try ScriptedBroker([[]])
    let second = try TestClient(.init(host: "127.0.0.1", port: silence.port, clientID: "node"))
    #expect(try second.disconnection().reason.code == .connectionLost)
    withExtendedLifetime((nonsense, silence)) {}
  }

  @Test("Each refusal of a CONNACK has its own code")
  func refusals() throws {
    let expected: [(UInt8, MQTTError.Code)] = [
      (0x84, .refusedByBroker), (0x85, .refusedByBroker), (0x86, .badCredentials), (0x87, .notAuthorized), (0x88, .refusedByBroker),
      (0x8A, .refusedByBroker),
    ]
    for (reasonCode, code) in expected {
      let broker = try ScriptedBroker([[0x20, 3, 0, reasonCode, 0]])
      let client = try TestClient(.init(host: "127.0.0.1", port: broker.port, clientID: "node"))
      let end = try client.disconnection()
      #expect(end.reason.code == code)
      #expect(end.reason.reasonCode == reasonCode)
      withExtendedLifetime(broker) {}
    }
  }

  @Test("Settings that can never work are refused at once")
  func badArguments() throws {
    let good = MQTTConfiguration(host: "localhost", clientID: "node")
    let changes: [(inout MQTTConfiguration) -> Void] = [
      { $0.host = "" }, { $0.host = "a\0b" }, { $0.port = 0 }, { $0.clientID = "" }, { $0.clientID = "x\0" }, { $0.keepAlive = 4 },
      { $0.password = "p" }, { ($0.username, $0.password) = ("u\0", "p") }, { ($0.username, $0.password) = ("u", "p\0") },
      { $0.will = .init(topic: "a/#", payload: []) }, { $0.will = .init(topic: "a\0", payload: []) },
      { $0.will = .init(topic: "a", payload: [], correlationData: .init(repeating: 0, count: 65_536)) }, { $0.maximumPacketSize = 0 },
      { $0.connectTimeout = 0 }, { $0.caFile = "/nonexistent/ca.pem" }, { $0.clientCertificateFile = "/nonexistent/a.pem" },
    ]
    for (index, change) in changes.enumerated() {
      var configuration = good
      change(&configuration)
      #expect("change \(index)") {
        _ = try TestClient(configuration, start: false)
      } throws: {
        ($0 as? MQTTError)?.code == .badArgument
      }
    }
    for filter in ["", "a#", "a/#/b", "a\0", "a+"] {
      #expect("\(filter)") {
        _ = try TestClient(good, subscriptions: [.init(filter: filter)], start: false)
      } throws: {
        ($0 as? MQTTError)?.code == .badArgument
      }
    }
    _ = try TestClient(good, start: false)
  }

  @Test("A filter that the broker refuses is reported before connected, and the session goes on")
  func refusedSubscription() throws {
    // mosquitto's access rules never refuse a SUBSCRIBE. The first packet id is 1.
    let broker = try ScriptedBroker([ScriptedBroker.accept, [0x90, 4, 0, 1, 0, 0x87], []])
    let client = try TestClient(
      .init(host: "127.0.0.1", port: broker.port, clientID: "node"), subscriptions: [.init(filter: "forbidden")])
    let session = try client.session()
    guard case .subscriptionRefused("forbidden", 0x87, session) = try #require(client.events.all.first) else {
      Issue.record("the refusal must come first: \(client.events.all)")
      return
    }
    withExtendedLifetime(broker) {}
  }

  @Test("A filter that is too long for the broker is refused alone")
  func longFilter() throws {
    let broker = try BrokerProcess(["max_packet_size 100"])
    let long = String(repeating: "x", count: 200)
    let client = try TestClient(.test(broker), subscriptions: [.init(filter: "short"), .init(filter: long)])
    let session = try client.session()
    guard case .subscriptionRefused(long, 0x95, session) = try #require(client.events.all.first) else {
      Issue.record("the refusal must come first: \(client.events.all)")
      return
    }
    try broker.publish("-t", "short", "-m", "x")
    #expect(try client.messages(1).count == 1)
  }

  /// A broker with TLS only, and the certificate that signed its own.
  private func tlsBroker() throws -> (broker: BrokerProcess, authority: String) {
    let directory = try TemporaryDirectory()
    let (certificate, key) = (directory.path(of: "cert.pem"), directory.path(of: "key.pem"))
    let tool = try Subprocess([
      "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
      "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", certificate,
    ])
    try #require(tool.wait() == 0, "\(tool.errors.all)")
    chmod(key, 0o644)
    return (try BrokerProcess(["certfile \(certificate)", "keyfile \(key)"], directory: directory), certificate)
  }

  @Test("TLS connects with the right authority and fails without")
  func tls() throws {
    let (broker, authority) = try tlsBroker()
    let client = try TestClient(
      .test(broker) {
        $0.host = "localhost"
        $0.caFile = authority
      }, subscriptions: [.init(filter: "t")])
    let session = try client.session()
    client.client.publish(.init(topic: "t", payload: .init(repeating: 7, count: 100_000)), token: 1, session: session)
    #expect(try client.reasonCode(of: 1) < 0x80)
    #expect(try client.messages(1).first?.payload.count == 100_000)

    let stranger = try TestClient(
      .test(broker, id: "stranger") {
        $0.host = "localhost"
        $0.useOSCertificates = true
      })
    #expect(try stranger.disconnection().reason.code == .tlsFailed)
  }

  @Test("TLS to a port that speaks none fails without hanging")
  func tlsToPlainPort() throws {
    let (broker, authority) = try tlsBroker()
    let plain = try BrokerProcess()
    let client = try TestClient(.test(plain) { $0.caFile = authority })
    #expect([.tlsFailed, .connectionLost].contains(try client.disconnection().reason.code))
    withExtendedLifetime(broker) {}
  }
}
