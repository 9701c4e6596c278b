/// What becomes of one alarm's record.
package struct AlarmChange: Sendable, Equatable {
  /// The alarm's name, the key of its row.
  package var id: String
  /// The record to store in place of any earlier one; `nil` deletes it.
  package var record: String?

  package init(id: String, record: String?) {
    self.id = id
    self.record = record
  }
}
