import AlarmEngine
import JSON

/// What is on the simulated disk, and what is on the way there.
struct VirtualStore {
  private(set) var alarms: [String: JSONObject] = [:]
  private(set) var events: [Int64: Event] = [:]
  private(set) var replies: [RequestKey: KeptReply] = [:]
  private(set) var values: [String: String] = [:]
  /// Commits that are not durable yet, in order, each with the elapsed time at which it will be.
  private(set) var pending: [(token: UInt64, change: EngineChange, at: Int64)] = []
  /// While the disk is full no commit succeeds.
  var isFull = false

  mutating func hand(_ token: UInt64, _ change: EngineChange, durableAt time: Int64) {
    // One thread writes them in order.
    pending.append((token, change, max(time, pending.last?.at ?? 0)))
  }

  /// The next commit that is done by `time`: its token, and whether it succeeded.
  mutating func finish(by time: Int64) -> (token: UInt64, isDurable: Bool)? {
    guard let first = pending.first, first.at <= time else { return nil }
    pending.removeFirst()
    if isFull { return (first.token, false) }
    apply(first.change)
    return (first.token, true)
  }

  /// The machine or the program dies: what was not durable is gone. A commit may have got there without its answer.
  mutating func crash(keepingFirst: Bool) {
    if keepingFirst, !isFull, let first = pending.first { apply(first.change) }
    pending = []
  }

  private var newEvents: [Event] = []

  /// Events that became durable since the last call.
  mutating func takeNewEvents() -> [Event] {
    defer { newEvents = [] }
    return newEvents
  }

  private mutating func apply(_ change: EngineChange) {
    for (id, record) in change.alarms { alarms[id] = record }
    // An event that another one overtook on its way here is written again under a later number.
    let replaced = change.acknowledgedEvents.compactMap { events[$0] }
    newEvents += change.events.filter { event in !replaced.contains { $0.renumbered(event.sequence) == event } }
    for event in change.events { events[event.sequence] = event }
    for sequence in change.acknowledgedEvents { events[sequence] = nil }
    for key in change.forgottenReplies { replies[key] = nil }
    for reply in change.replies { replies[reply.key] = reply }
    values.merge(change.values) { _, newer in newer }
  }

  /// What a node finds that starts now.
  var contents: StoredNode {
    var node = StoredNode()
    node.alarms = alarms.sorted { $0.key < $1.key }.map(\.value)
    node.events = events.values.sorted { $0.sequence < $1.sequence }
    node.replies = Array(replies.values)
    node.values = values
    return node
  }
}
