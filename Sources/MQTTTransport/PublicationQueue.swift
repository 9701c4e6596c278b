/// The publications of one session: those that wait, and those whose PUBACK is awaited.
///
/// libmosquitto holds QoS 1 messages beyond the broker's Receive Maximum back but lets QoS 0 ones pass them, and its 16-bit packet ids would
/// come round again; so it is never given more than the window, and order is kept here.
struct PublicationQueue {
  struct Entry {
    let publication: MQTTPublication
    let token: UInt64?
  }

  /// How many QoS 1 publications may be unacknowledged at once.
  var window = 20

  private var waiting: [Entry?] = []
  private var head = 0
  /// Tokens by packet id.
  private var inFlight: [Int32: UInt64?] = [:]

  /// Everything was handed over and acknowledged.
  var isEmpty: Bool { head == waiting.count && inFlight.isEmpty }

  mutating func append(_ publication: MQTTPublication, token: UInt64?) {
    waiting.append(Entry(publication: publication, token: token))
  }

  /// Takes the oldest publication that may be sent now.
  mutating func takeNext() -> Entry? {
    guard head < waiting.count, let entry = waiting[head] else { return nil }
    if entry.publication.qos == .atLeastOnce && inFlight.count >= window { return nil }
    waiting[head] = nil
    head += 1
    if head == waiting.count {
      waiting.removeAll(keepingCapacity: head <= 64)
      head = 0
    } else if head >= 1024 && head * 2 >= waiting.count {
      waiting.removeFirst(head)
      head = 0
    }
    return entry
  }

  mutating func sent(packetID: Int32, token: UInt64?) {
    inFlight[packetID] = .some(token)
  }

  /// Notes a PUBACK; answers the token of its publication if it had one.
  mutating func acknowledge(packetID: Int32) -> UInt64? {
    inFlight.removeValue(forKey: packetID) ?? nil
  }
}
