import JSON

/// The replies to the latest changing requests, so that a repeated one has no second effect.
struct TransactionMemory: Sendable {
  /// How many are kept, and how long (milliseconds).
  static let capacity = 1000
  static let lifetime: Int64 = 24 * 3_600_000

  struct Entry: Sendable {
    var stored: StoredReply
    /// The commit that its reply waits for; `nil` once it is durable.
    var token: UInt64?
  }

  private var entries: [ReplyKey: Entry] = [:]
  // Oldest first.
  private var order: [ReplyKey] = []

  init(_ replies: [StoredReply] = []) {
    for reply in replies.sorted(by: { $0.at < $1.at }) {
      entries[reply.key] = Entry(stored: reply, token: nil)
      order.append(reply.key)
    }
  }

  subscript(key: ReplyKey) -> Entry? { entries[key] }

  mutating func insert(_ reply: StoredReply, token: UInt64) {
    if entries.updateValue(Entry(stored: reply, token: token), forKey: reply.key) == nil { order.append(reply.key) }
  }

  /// The commit succeeded: its replies may be given again.
  mutating func settle(_ token: UInt64, keys: [ReplyKey]) {
    for key in keys where entries[key]?.token == token { entries[key]?.token = nil }
  }

  mutating func forget(_ keys: [ReplyKey]) {
    for key in keys { entries[key] = nil }
    order.removeAll { keys.contains($0) }
  }

  /// Removes what is too old or too many, and answers which.
  mutating func trim(now: Int64) -> [ReplyKey] {
    var forgotten: [ReplyKey] = []
    while let oldest = order.first, let entry = entries[oldest], order.count > Self.capacity || now - entry.stored.at > Self.lifetime {
      forgotten.append(oldest)
      entries[oldest] = nil
      order.removeFirst()
    }
    return forgotten
  }
}
