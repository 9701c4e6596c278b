/// All that the store holds.
package struct StoreContents: Sendable, Equatable {
  /// Ordered by `id`, byte by byte.
  package var alarms: [StoredAlarm]
  /// Ordered by `sequence`.
  package var events: [StoredEvent]
  /// Oldest first.
  package var replies: [StoredReply]
  package var values: [String: String]

  package init(alarms: [StoredAlarm] = [], events: [StoredEvent] = [], replies: [StoredReply] = [], values: [String: String] = [:]) {
    self.alarms = alarms
    self.events = events
    self.replies = replies
    self.values = values
  }
}
