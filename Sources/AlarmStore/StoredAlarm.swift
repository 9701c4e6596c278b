/// One alarm's record as it is on disk.
package struct StoredAlarm: Sendable, Equatable {
  /// The alarm's name, unique in the store.
  package var id: String
  /// Text that only the writer understands.
  package var record: String

  package init(id: String, record: String) {
    self.id = id
    self.record = record
  }
}
