import JSON

/// The replies to the latest changing requests, so that a repeated one has no second effect.
struct TransactionMemory: Sendable {
  /// How many are kept, and how long (milliseconds).
  static let capacity = 1000
  static let lifetime: Int64 = 24 * 3_600_000

  struct Entry: Sendable {
    var stored: KeptReply
    /// The commit that its reply waits for; `nil` once it is durable.
    var token: UInt64?
  }

  private var entries: [RequestKey: Entry] = [:]
  // Oldest first.
  private var order: [RequestKey] = []

  init(_ replies: [KeptReply] = []) {
    for reply in replies.sorted(by: { $0.at < $1.at }) {
      entries[reply.key] = Entry(stored: reply, token: nil)
      order.append(reply.key)
    }
  }

  subscript(key: RequestKey) -> Entry? { entries[key] }

  mutating func insert(_ reply: KeptReply, token: UInt64) {
    if entries.updateValue(Entry(stored: reply, token: token), forKey: reply.key) == nil { order.append(reply.key) }
  }

  /// The commit succeeded: its replies may be given again.
  mutating func settle(_ token: UInt64, keys: [RequestKey]) {
    for key in keys where entries[key]?.token == token { entries[key]?.token = nil }
  }

  mutating func forget(_ keys: [RequestKey]) {
    for key in keys { entries[key] = nil }
    order.removeAll { keys.contains($0) }
  }

  /// Removes what is too old or too many, and answers which.
  mutating func trim(now: Int64) -> [RequestKey] {
    var forgotten: [RequestKey] = []
    while let oldest = order.first, let entry = entries[oldest], order.count > Self.capacity || now - entry.stored.at > Self.lifetime {
      forgotten.append(oldest)
      entries[oldest] = nil
      order.removeFirst()
    }
    return forgotten
  }
}
