/// One transaction: all of it comes to be on disk, or none of it.
///
/// Applying a change twice has the effect of applying it once, so a change whose commit failed can be handed in again.
package struct StoreChange: Sendable, Equatable {
  /// Alarms to store or delete, in this order.
  package var alarms: [AlarmChange]
  /// Events that wait from now on.
  package var events: [StoredEvent]
  /// Sequences of events to delete; deleted after `events` are stored.
  package var acknowledgedEvents: [Int64]
  /// Replies to keep; stored after `forgottenReplies` are deleted.
  package var replies: [StoredReply]
  /// Replies to delete.
  package var forgottenReplies: [ReplyKey]
  /// Single values by name; `nil` deletes one. Mind that `values[key] = nil` takes the key out of the dictionary: use `set(_:to:)`.
  package var values: [String: String?]

  package init(
    alarms: [AlarmChange] = [], events: [StoredEvent] = [], acknowledgedEvents: [Int64] = [], replies: [StoredReply] = [],
    forgottenReplies: [ReplyKey] = [], values: [String: String?] = [:]
  ) {
    self.alarms = alarms
    self.events = events
    self.acknowledgedEvents = acknowledgedEvents
    self.replies = replies
    self.forgottenReplies = forgottenReplies
    self.values = values
  }

  /// Stores a value under a name, or deletes it (`nil`).
  package mutating func set(_ key: String, to value: String?) { values.updateValue(value, forKey: key) }

  /// Nothing to write.
  package var isEmpty: Bool { self == StoreChange() }
}
