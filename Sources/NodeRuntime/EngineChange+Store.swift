import AlarmEngine
import AlarmStore
import JSON

extension StoreChange {
  /// The engine's change as texts.
  init(_ change: EngineChange) {
    self.init(
      alarms: change.alarms.sorted { $0.key < $1.key }.map { AlarmChange(id: $0.key, record: $0.value?.description) },
      events: change.events.map { StoredEvent(sequence: $0.sequence, payload: $0.document.description) },
      acknowledgedEvents: change.acknowledgedEvents,
      replies: change.replies.map {
        StoredReply(
          operation: $0.key.operation, transaction: $0.key.transaction, request: String($0.digest, radix: 16), reply: $0.reply.description,
          at: $0.at)
      },
      forgottenReplies: change.forgottenReplies.map { ReplyKey(operation: $0.operation, transaction: $0.transaction) },
      values: change.values.mapValues { $0 })
  }
}

extension StoredNode {
  /// The store's texts as the engine's documents.
  ///
  /// - Parameter unreadable: told of each text that is no JSON object; it stays in the store.
  init(_ contents: StoreContents, unreadable: (String) -> Void) {
    self.init()
    func object(_ text: String, _ name: String) -> JSONObject? {
      do throws(JSONError) {
        if let object = try JSONValue(parsing: text.utf8).object { return object }
        unreadable("\(name): no object")
      } catch { unreadable("\(name): \(error)") }
      return nil
    }
    alarms = contents.alarms.compactMap { object($0.record, "alarm \($0.id)") }
    events = contents.events.compactMap { event in
      object(event.payload, "event \(event.sequence)").map { Event(sequence: event.sequence, document: $0) }
    }
    replies = contents.replies.compactMap { reply in
      guard let document = object(reply.reply, "reply \(reply.key.transaction)"), let digest = UInt64(reply.request, radix: 16) else {
        return nil
      }
      let key = RequestKey(operation: reply.key.operation, transaction: reply.key.transaction)
      return KeptReply(key: key, digest: digest, reply: document, at: reply.at)
    }
    values = contents.values
  }
}
