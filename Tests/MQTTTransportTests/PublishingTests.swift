import MQTTTransport
import TestSupport
import Testing

@Suite("Publishing") struct PublishingTests {
  @Test("An independent subscriber sees topic, payload, QoS, retain flag, expiry, correlation data and content type")
  func everythingArrives() throws {
    let broker = try BrokerProcess()
    let client = try TestClient(.test(broker))
    let session = try client.session()
    let publication = MQTTPublication(
      topic: "a/ü", payload: [0, 255, 10], qos: .atLeastOnce, retain: true, messageExpiry: 3600, correlationData: .init("c-1"),
      contentType: "text/plain")
    client.client.publish(publication, token: 7, session: session)
    #expect(try client.reasonCode(of: 7) < 0x80)

    let subscriber = try broker.subscribe("-V", "5", "-q", "1", "-t", "a/#", "-F", "%t %x q%q r%r %D %C %E")
    let line = try #require(subscriber.output.first { _ in true })
    let words = line.split(separator: " ")
    try #require(words.count == 7)
    #expect(words[..<6] == ["a/ü", "00ff0a", "q1", "r1", "c-1", "text/plain"])
    let expiry = try #require(Int(words[6]))
    #expect((3500...3600).contains(expiry))
  }

  @Test("QoS 0 arrives as QoS 0 and is not acknowledged")
  func atMostOnce() throws {
    let broker = try BrokerProcess()
    let subscriber = try broker.subscribe("-q", "1", "-t", "#", "-F", "%p q%q r%r")
    let client = try TestClient(.test(broker))
    let session = try client.session()
    client.client.publish(.init(topic: "t", payload: .init("zero"), qos: .atMostOnce), token: 1, session: session)
    client.client.publish(.init(topic: "t", payload: .init("one")), token: 2, session: session)
    #expect(try client.reasonCode(of: 2) < 0x80)
    #expect(subscriber.output.wait { $0.count == 2 ? $0 : nil } == ["zero q0 r0", "one q1 r0"])
    #expect(client.events.first(within: 0) { if case .acknowledged(token: 1, _, _) = $0 { true } else { false } } == nil)
  }

  @Test("MQTT 3.1.1 publishes, retains and acknowledges, and leaves out what only MQTT 5 has")
  func version311() throws {
    let broker = try BrokerProcess()
    let client = try TestClient(
      .test(broker) {
        $0.protocolVersion = .v311
        $0.will = .init(topic: "will", payload: [], messageExpiry: 5)
      })
    let session = try client.session()
    let publication = MQTTPublication(
      topic: "t", payload: .init("x"), retain: true, messageExpiry: 60, correlationData: .init("c"), contentType: "y")
    client.client.publish(publication, token: 1, session: session)
    #expect(try client.reasonCode(of: 1) == 0)
    let subscriber = try broker.subscribe("-V", "5", "-t", "t", "-F", "%p r%r [%D][%C][%E]")
    #expect(subscriber.output.first { _ in true } == "x r1 [][][]")
    #expect(broker.log.first { $0.contains("as node (p2,") } != nil)
  }

  @Test(
    "10,000 publications arrive in the order of publishing, QoS 0 and 1 mixed", arguments: [MQTTConfiguration.ProtocolVersion.v5, .v311])
  func order(version: MQTTConfiguration.ProtocolVersion) throws {
    // Subscribed with QoS 0: to a QoS 1 subscriber that is behind, mosquitto itself sends the QoS 0 messages first.
    let broker = try BrokerProcess(["max_queued_messages 0"])
    let subscriber = try broker.subscribe("-q", "0", "-t", "t", "-F", "%p")
    let client = try TestClient(.test(broker) { $0.protocolVersion = version })
    let session = try client.session()
    let count = 10_000
    for number in 0..<count {
      let qos = number % 10 == 9 ? MQTTQoS.atMostOnce : .atLeastOnce
      client.client.publish(.init(topic: "t", payload: .init(String(number)), qos: qos), token: UInt64(number), session: session)
    }
    let lines = try #require(subscriber.output.wait(within: 60_000) { $0.count == count ? $0 : nil })
    let isOrdered = lines.compactMap(Int.init) == Array(0..<count)
    #expect(isOrdered)
    let tokens = client.events.wait { events -> [UInt64]? in
      let tokens = events.compactMap { if case .acknowledged(let token, _, 0) = $0 { token } else { nil } }
      return tokens.count == count * 9 / 10 ? tokens : nil
    }
    let isComplete = tokens == (0..<UInt64(count)).filter { $0 % 10 != 9 }
    #expect(isComplete)
  }

  @Test("Several threads publish at once and each one's order is kept")
  func severalThreads() async throws {
    let broker = try BrokerProcess(["max_queued_messages 0"])
    let subscriber = try broker.subscribe("-q", "1", "-t", "t/+", "-F", "%t %p")
    let client = try TestClient(.test(broker))
    let session = try client.session()
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask {
          for number in 0..<250 { client.client.publish(.init(topic: "t/\(thread)", payload: .init(String(number))), session: session) }
        }
      }
    }
    let lines = try #require(subscriber.output.wait { $0.count == 1000 ? $0 : nil })
    for thread in 0..<4 {
      #expect(lines.filter { $0.hasPrefix("t/\(thread) ") } == (0..<250).map { "t/\(thread) \($0)" })
    }
  }

  @Test("What the access rules forbid is answered with 0x87")
  func notAuthorized() throws {
    let directory = try TemporaryDirectory()
    let rules = try directory.write("acl", "topic readwrite allowed/#\n")
    let broker = try BrokerProcess(["acl_file \(rules)"], directory: directory)
    let client = try TestClient(.test(broker))
    let session = try client.session()
    client.client.publish(.init(topic: "forbidden", payload: []), token: 1, session: session)
    client.client.publish(.init(topic: "allowed/x", payload: []), token: 2, session: session)
    #expect(try client.reasonCode(of: 1) == 0x87)
    #expect(try client.reasonCode(of: 2) < 0x80)
  }

  @Test("What the broker cannot take is answered as refused: too large, no QoS 1, no retained messages")
  func brokerLimits() throws {
    let broker = try BrokerProcess(["max_packet_size 1000"])
    let client = try TestClient(.test(broker))
    let session = try client.session()
    client.client.publish(.init(topic: "t", payload: .init(repeating: 1, count: 2000)), token: 1, session: session)
    #expect(try client.reasonCode(of: 1) == 0x95)

    let poor = try BrokerProcess(["max_qos 0", "retain_available false"])
    let second = try TestClient(.test(poor))
    let other = try second.session()
    second.client.publish(.init(topic: "t", payload: []), token: 2, session: other)
    second.client.publish(.init(topic: "t", payload: [], qos: .atMostOnce, retain: true), token: 3, session: other)
    #expect(try second.reasonCode(of: 2) == 0x9B)
    #expect(try second.reasonCode(of: 3) == 0x9A)
    #expect(second.events.first(within: 0) { if case .disconnected = $0 { true } else { false } } == nil)
  }

  @Test("Topics that MQTT does not allow are answered with 0x90 and harm nothing")
  func badTopics() throws {
    let broker = try BrokerProcess()
    let client = try TestClient(.test(broker))
    let session = try client.session()
    let topics = ["", "a/+/b", "#", "nul\0", "\u{1}", String(repeating: "x", count: 70_000)]
    for (index, topic) in topics.enumerated() {
      client.client.publish(.init(topic: topic, payload: []), token: UInt64(index), session: session)
    }
    client.client.publish(.init(topic: "fine", payload: []), token: 100, session: session)
    for index in topics.indices { #expect(try client.reasonCode(of: UInt64(index)) == 0x90) }
    #expect(try client.reasonCode(of: 100) < 0x80)
  }

  @Test("Correlation data beyond 65,535 bytes is answered with 0x95")
  func longCorrelationData() throws {
    let broker = try BrokerProcess()
    let client = try TestClient(.test(broker))
    let session = try client.session()
    client.client.publish(
      .init(topic: "t", payload: [], correlationData: .init(repeating: 0, count: 65_536)), token: 1, session: session)
    #expect(try client.reasonCode(of: 1) == 0x95)
  }
}
