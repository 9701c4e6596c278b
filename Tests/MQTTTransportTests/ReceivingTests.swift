import LinuxSupport
import MQTTTransport
import TestSupport
import Testing

@Suite("Receiving") struct ReceivingTests {
  @Test("Payload, response topic and correlation data of a request arrive as they were sent")
  func request() throws {
    let broker = try BrokerProcess()
    let client = try TestClient(.test(broker), subscriptions: [.init(filter: "request/+")])
    let session = try client.session()
    try broker.publish(
      "-V", "5", "-q", "1", "-t", "request/list", "-m", "{\"ü\":1}", "-D", "publish", "response-topic", "reply/me", "-D", "publish",
      "correlation-data", "c-42")
    try broker.publish("-q", "0", "-t", "request/bare", "-n")
    let messages = try client.messages(2)
    #expect(
      messages == [
        .init(
          topic: "request/list", payload: .init("{\"ü\":1}"), qos: .atLeastOnce, retain: false, responseTopic: "reply/me",
          correlationData: .init("c-42")),
        .init(topic: "request/bare", payload: [], qos: .atMostOnce, retain: false),
      ])
    let sessions = client.events.all.compactMap { if case .message(_, let session) = $0 { session } else { nil } }
    #expect(sessions == [session, session])
  }

  @Test("Stored messages come after connected, flagged as retained", arguments: [MQTTConfiguration.ProtocolVersion.v5, .v311])
  func storedMessages(version: MQTTConfiguration.ProtocolVersion) throws {
    let broker = try BrokerProcess()
    for number in 0..<20 { try broker.publish("-q", "1", "-r", "-t", "state/\(number)", "-m", "x") }
    let client = try TestClient(
      .test(broker) { $0.protocolVersion = version }, subscriptions: [.init(filter: "state/#"), .init(filter: "b")])
    let messages = try client.messages(20)
    #expect(messages.map(\.retain) == .init(repeating: true, count: 20))
    guard case .connected = try #require(client.events.all.first) else {
      Issue.record("connected must come first")
      return
    }
  }

  @Test("With sendNever a stored command never comes, and a live one keeps its retain flag")
  func retainedCommands() throws {
    let broker = try BrokerProcess()
    try broker.publish("-q", "1", "-r", "-t", "set/stale", "-m", "stale")
    let client = try TestClient(
      .test(broker), subscriptions: [.init(filter: "set/#", retainHandling: .sendNever, retainAsPublished: true)])
    _ = try client.session()
    try broker.publish("-q", "1", "-r", "-t", "set/live", "-m", "retained")
    try broker.publish("-q", "1", "-t", "set/live", "-m", "plain")
    let messages = try client.messages(2)
    #expect(messages.map { String(decoding: $0.payload, as: UTF8.self) } == ["retained", "plain"])
    #expect(messages.map(\.retain) == [true, false])
  }

  @Test("A client does not hear itself with noLocal, and does without")
  func noLocal() throws {
    let broker = try BrokerProcess()
    let client = try TestClient(.test(broker), subscriptions: [.init(filter: "quiet", noLocal: true), .init(filter: "loud")])
    let session = try client.session()
    client.client.publish(.init(topic: "quiet", payload: []), session: session)
    client.client.publish(.init(topic: "loud", payload: []), session: session)
    #expect(try client.messages(1).map(\.topic) == ["loud"])
  }

  @Test("A subscription can be added and ended within a session")
  func laterSubscription() throws {
    let broker = try BrokerProcess()
    try broker.publish("-q", "1", "-r", "-t", "later", "-m", "stored")
    let client = try TestClient(.test(broker))
    let session = try client.session()
    client.client.subscribe(.init(filter: "later"), session: session)
    #expect(try client.messages(1).first?.payload == .init("stored"))
    client.client.unsubscribe("later", session: session)
    client.client.subscribe(.init(filter: "other"), session: session)
    #expect(broker.log.first { $0.contains("Sending UNSUBACK to node") } != nil)
    try broker.publish("-q", "1", "-t", "later", "-m", "unheard")
    try broker.publish("-q", "1", "-t", "other", "-m", "heard")
    #expect(try client.messages(2).map(\.payload) == [.init("stored"), .init("heard")])
  }

  @Test(
    "Payloads up to the maximum packet size come whole; larger ones do not come at all",
    arguments: [MQTTConfiguration.ProtocolVersion.v5, .v311])
  func sizes(version: MQTTConfiguration.ProtocolVersion) throws {
    let broker = try BrokerProcess()
    let client = try TestClient(
      .test(broker) {
        $0.protocolVersion = version
        $0.maximumPacketSize = 300_000
      }, subscriptions: [.init(filter: "big")])
    _ = try client.session()
    let directory = try TemporaryDirectory()
    let tooLarge = try directory.write("a", String(repeating: "a", count: 300_001))
    let large = try directory.write("b", String(repeating: "b", count: 299_000))
    try broker.publish("-q", "1", "-t", "big", "-f", tooLarge)
    try broker.publish("-q", "1", "-t", "big", "-f", large)
    #expect(try client.messages(1).map(\.payload) == [.init(repeating: UInt8(ascii: "b"), count: 299_000)])
  }

  @Test("10,000 messages arrive in order")
  func order() throws {
    let broker = try BrokerProcess(["max_queued_messages 0"])
    let client = try TestClient(.test(broker), subscriptions: [.init(filter: "t")])
    _ = try client.session()
    let directory = try TemporaryDirectory()
    let lines = (0..<10_000).map(String.init)
    let file = try directory.write("lines", lines.joined(separator: "\n") + "\n")
    let publisher = try Subprocess(["sh", "-c", "exec mosquitto_pub -p \(broker.port) -q 1 -t t -l < \(file)"])
    #expect(publisher.wait(within: 60_000) == 0)
    let messages = try client.messages(10_000, within: 60_000)
    let isOrdered = messages.map { String(decoding: $0.payload, as: UTF8.self) } == lines
    #expect(isOrdered)
  }

  @Test("Small packets in a row are not held back by delayed TCP acknowledgements")
  func promptness() throws {
    let broker = try BrokerProcess()
    // The message goes out before the PUBACK, which then waits for the message's acknowledgement: 40 ms a round, 8 s in all.
    let client = try TestClient(.test(broker), subscriptions: [.init(filter: "t", qos: .atMostOnce)])
    let session = try client.session()
    let begin = SystemClock.elapsedMilliseconds()
    for round in 1...200 {
      client.client.publish(.init(topic: "t", payload: []), token: UInt64(round), session: session)
      #expect(try client.reasonCode(of: UInt64(round)) < 0x80)
    }
    #expect(SystemClock.elapsedMilliseconds() - begin < 4000)
  }
}
