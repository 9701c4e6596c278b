import AlarmModel
import HomeAssistant
import JSON
import NodeProtocol

/// What Home Assistant was told of the node, and when it is to be told anew.
struct Announcement {
  /// How long changes gather, and how far apart two rounds are at least: Home Assistant drops what comes while it is busy with an earlier one.
  private static let gathering: Int64 = 1000
  private static let spacing: Int64 = 5000
  /// How long after connecting retained documents are looked for that are no more (milliseconds).
  private static let searching: Int64 = 10_000
  /// How long after Home Assistant's start it is told everything: all devices at once would be too much for it.
  private static let birthDelays: ClosedRange<Int64> = 1000...10_000
  /// How long after a change of the node's own document its states are repeated: a new template is applied to new messages only.
  private static let settling: Int64 = 1000

  let discovery: Discovery
  let isEnabled: Bool
  /// The retained documents as they should be at the broker.
  private var published: [String: JSONObject] = [:]
  private var roundAt: Int64?
  private var latestRound: Int64 = 0
  private var repeatAt: Int64?
  private var statesAt: Int64?
  private var searchEnd: Int64?

  init(discovery: Discovery, isEnabled: Bool) {
    self.discovery = discovery
    self.isEnabled = isEnabled
  }

  /// When there is something to do, in elapsed time.
  var nextDeadline: Int64? { [roundAt, repeatAt, statesAt, searchEnd].compactMap(\.self).min() }

  /// Something that the documents tell may have changed.
  mutating func touch(now: Int64) { roundAt = roundAt ?? max(now + Self.gathering, latestRound + Self.spacing) }

  /// Home Assistant has started.
  mutating func homeAssistantStarted(now: Int64) { repeatAt = repeatAt ?? now + .random(in: Self.birthDelays) }

  mutating func disconnected() { (roundAt, repeatAt, statesAt, searchEnd) = (nil, nil, nil, nil) }

  enum Due { case round, everything, states, endOfSearch }

  /// What is due by now; asked until nothing is.
  mutating func take(now: Int64) -> Due? {
    if let at = repeatAt, at <= now {
      repeatAt = nil
      return .everything
    }
    if let at = roundAt, at <= now {
      roundAt = nil
      return .round
    }
    if let at = statesAt, at <= now {
      statesAt = nil
      return .states
    }
    if let at = searchEnd, at <= now {
      searchEnd = nil
      return .endOfSearch
    }
    return nil
  }

  /// All documents, for a session that begins or a Home Assistant that has started.
  mutating func everything(_ documents: [String: JSONObject], now: Int64, isNewSession: Bool) -> [NodeMessage] {
    let gone = published.keys.filter { documents[$0] == nil }
    published = documents
    latestRound = now
    roundAt = nil
    if isNewSession { searchEnd = now + Self.searching }
    return messages(documents) + gone.sorted().map { NodeMessage(topic: $0, payload: "", isRetained: true) }
  }

  /// The documents that have changed, and the topics of those that are gone.
  mutating func changes(_ documents: [String: JSONObject], now: Int64) -> [NodeMessage] {
    var changed: [String: JSONObject] = [:]
    for (topic, document) in documents where published[topic] != document {
      changed[topic] = published[topic].map { Discovery.withRemovals(document, since: $0) } ?? document
    }
    let gone = published.keys.filter { documents[$0] == nil }
    published = documents
    if !changed.isEmpty || !gone.isEmpty { latestRound = now }
    if changed[discovery.nodeTopic] != nil { statesAt = now + Self.settling }
    return messages(changed) + gone.sorted().map { NodeMessage(topic: $0, payload: "", isRetained: true) }
  }

  /// A retained document that the broker holds; what to publish where it tells of what is no more.
  func correction(_ topic: String, _ payload: JSONObject) -> NodeMessage? {
    guard let document = published[topic] else { return NodeMessage(topic: topic, payload: "", isRetained: true) }
    let corrected = Discovery.withRemovals(document, since: payload)
    return corrected == document ? nil : NodeMessage(topic: topic, payload: corrected.description, isRetained: true)
  }

  private func messages(_ documents: [String: JSONObject]) -> [NodeMessage] {
    documents.sorted { $0.key < $1.key }.map { NodeMessage(topic: $0.key, payload: $0.value.description, isRetained: true) }
  }
}
