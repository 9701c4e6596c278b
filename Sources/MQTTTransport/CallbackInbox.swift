/// What libmosquitto's callbacks have reported and nobody has handled yet.
///
/// Until 2.0.18 libmosquitto holds a lock that is not recursive while it calls back, so nothing may be done there but to note what came.
/// Used by one thread only: libmosquitto calls back from within its loop functions.
final class CallbackInbox {
  enum Entry {
    case connectionAnswer(reasonCode: UInt8, limits: BrokerLimits)
    case subscriptionAnswer(packetID: Int32, reasonCodes: [UInt8])
    case publicationAnswer(packetID: Int32, reasonCode: UInt8)
    case message(MQTTMessage)
    /// A DISCONNECT from the broker, or one of libmosquitto's own error codes (all below 0x80).
    case disconnected(Int32)
  }

  /// Larger payloads are not copied.
  let maximumPayload: Int
  private var entries: [Entry] = []
  /// libmosquitto's last error line.
  private(set) var lastError = ""

  init(maximumPayload: Int) { self.maximumPayload = maximumPayload }

  func append(_ entry: Entry) { entries.append(entry) }

  func note(error: String) { lastError = error }

  /// Takes everything, oldest first.
  func takeAll() -> [Entry] {
    defer { entries.removeAll(keepingCapacity: true) }
    return entries
  }
}
