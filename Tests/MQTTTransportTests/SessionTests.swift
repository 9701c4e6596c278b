import Glibc
import LinuxSupport
import MQTTTransport
import TestSupport
import Testing

@Suite("Sessions") struct SessionTests {
  @Test("After a restart of the broker comes a new session, and nothing of the old one goes out in it")
  func restart() throws {
    let broker = try BrokerProcess()
    let client = try TestClient(.test(broker))
    let first = try client.session()
    broker.freeze()
    // The frozen broker takes these into its socket at most: none is acknowledged.
    for number in 0..<100 { client.client.publish(.init(topic: "old", payload: [UInt8(number)], retain: true), token: 1, session: first) }
    broker.kill()
    let end = try client.disconnection()
    #expect(end.session == first)
    #expect(end.reason.code == .connectionLost)
    client.client.publish(.init(topic: "old", payload: []), token: 1, session: first)
    try broker.restart()
    let subscriber = try broker.subscribe("-v", "-q", "1", "-t", "#")
    let restarted = SystemClock.elapsedMilliseconds()
    let second = try client.session(2)
    #expect(SystemClock.elapsedMilliseconds() - restarted < 5000)
    #expect(second > first)
    client.client.publish(.init(topic: "old", payload: []), token: 1, session: first)
    client.client.publish(.init(topic: "new", payload: .init("x")), token: 2, session: second)
    #expect(try client.reasonCode(of: 2) < 0x80)
    #expect(subscriber.output.first { _ in true } == "new x")
    #expect(client.events.first(within: 0) { if case .acknowledged(token: 1, _, _) = $0 { true } else { false } } == nil)
  }

  @Test("Publications for a session that is not the present one are dropped")
  func wrongSession() throws {
    let broker = try BrokerProcess()
    let subscriber = try broker.subscribe("-v", "-q", "1", "-t", "#")
    let client = try TestClient(.test(broker))
    // No session has this number before there is one, or soon after.
    client.client.publish(.init(topic: "early", payload: []), token: 1, session: 99)
    let session = try client.session()
    client.client.publish(.init(topic: "wrong", payload: []), token: 2, session: session + 1)
    client.client.publish(.init(topic: "right", payload: .init("x")), token: 3, session: session)
    #expect(try client.reasonCode(of: 3) < 0x80)
    #expect(subscriber.output.first { _ in true } == "right x")
  }

  @Test("A client that lost its name to another backs off for at least half a minute")
  func takenOver() throws {
    // mosquitto says so from 2.0.15 on; before, it closes the connection without a word.
    let broker = try ScriptedBroker([ScriptedBroker.accept + [0xE0, 1, 0x8E]])
    let client = try TestClient(.init(host: "127.0.0.1", port: broker.port, clientID: "node"))
    let session = try client.session()
    let end = try client.disconnection()
    #expect(end.reason.code == .sessionTakenOver)
    #expect(end.reason.reasonCode == 0x8E)
    #expect(end.session == session)
    #expect(end.retryMilliseconds >= 30_000)
    withExtendedLifetime(broker) {}
  }

  @Test("A client that keeps losing its connections within seconds backs off, whether the broker says why or not")
  func repeatedlyDropped() throws {
    let broker = try BrokerProcess()
    let client = try TestClient(.test(broker) { $0.protocolVersion = .v311 })
    // Under 3.1.1 a take-over is a closed connection and nothing more.
    for count in 1...3 {
      _ = try client.session(count)
      try broker.publish("-V", "311", "-i", "node", "-t", "x", "-n")
    }
    let end = try client.disconnection { $0.code == .repeatedlyDropped }
    #expect(end.retryMilliseconds >= 30_000)
    #expect(end.reason.message.contains("node"))
  }

  @Test(
    "stop publishes the last messages, says goodbye and so keeps the will back", arguments: [MQTTConfiguration.ProtocolVersion.v5, .v311])
  func orderlyStop(version: MQTTConfiguration.ProtocolVersion) throws {
    let broker = try BrokerProcess()
    let subscriber = try broker.subscribe("-v", "-q", "1", "-t", "#")
    let client = try TestClient(
      .test(broker) {
        $0.protocolVersion = version
        $0.will = .init(topic: "will", payload: .init("x"))
      })
    let session = try client.session()
    for number in 0..<200 { client.client.publish(.init(topic: "n", payload: .init(String(number))), session: session) }
    client.client.stop(last: [.init(topic: "last", payload: .init("1")), .init(topic: "last", payload: .init("2"))], within: 10_000)
    #expect(broker.log.first { $0.contains("Received DISCONNECT from node") } != nil)
    try broker.publish("-t", "end", "-m", "x")
    let lines = try #require(subscriber.output.wait { $0.last == "end x" ? $0 : nil })
    #expect(lines == (0..<200).map { "n \($0)" } + ["last 1", "last 2", "end x"])
  }

  @Test("With the broker frozen, stop returns in time, and the broker then sends the will")
  func frozenBroker() throws {
    let broker = try BrokerProcess()
    let subscriber = try broker.subscribe("-v", "-q", "1", "-t", "#", "-F", "%t %p %D")
    let client = try TestClient(
      .test(broker) { $0.will = .init(topic: "will", payload: .init("offline"), correlationData: .init("c")) })
    _ = try client.session()
    broker.freeze()
    let begin = SystemClock.elapsedMilliseconds()
    client.client.stop(last: [.init(topic: "last", payload: .init("x"))], within: 500)
    let duration = SystemClock.elapsedMilliseconds() - begin
    #expect((300..<1500).contains(duration))
    broker.thaw()
    #expect(subscriber.output.first { $0.hasPrefix("will offline") } != nil)
  }

  @Test("stop returns in time when there is no broker, and at once when never started")
  func stopWithoutBroker() throws {
    let begin = SystemClock.elapsedMilliseconds()
    let client = try TestClient(.init(host: "127.0.0.1", port: BrokerProcess.freePort(), clientID: "node"))
    _ = try client.disconnection()
    client.client.stop(last: [.init(topic: "last", payload: [])], within: 60_000)
    client.client.stop(last: [], within: 60_000)
    try TestClient(.init(host: "127.0.0.1", clientID: "node"), start: false).client.stop(last: [], within: 60_000)
    #expect(SystemClock.elapsedMilliseconds() - begin < 20_000)
  }

  @Test("stop returns in time while the connection attempt blocks")
  func blockedConnect() throws {
    let listener = try FullListener()
    let client = try TestClient(.init(host: "127.0.0.1", port: listener.port, clientID: "node"))
    try listener.waitForAttempt()
    let begin = SystemClock.elapsedMilliseconds()
    client.client.stop(last: [], within: 400)
    #expect((350..<1500).contains(SystemClock.elapsedMilliseconds() - begin))
    withExtendedLifetime(listener) {}
  }

  @Test("A frozen broker is noticed by the keep-alive")
  func keepAlive() throws {
    let broker = try BrokerProcess()
    let client = try TestClient(.test(broker) { $0.keepAlive = 5 })
    let session = try client.session()
    broker.freeze()
    let end = try client.disconnection(within: 40_000)
    #expect(end.session == session)
    #expect(end.reason.code == .timedOut)
  }

  @Test("An idle connection stays up beyond the keep-alive")
  func idle() throws {
    let broker = try BrokerProcess()
    let client = try TestClient(.test(broker) { $0.keepAlive = 5 })
    _ = try client.session()
    #expect(broker.log.wait { lines in lines.count { $0.contains("Sending PINGRESP to node") } >= 2 ? true : nil } != nil)
    #expect(client.events.all.count == 1)
  }
}
