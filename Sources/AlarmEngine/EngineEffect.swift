import AlarmModel
import JSON

/// What the engine wants done, in this order.
package enum EngineEffect: Hashable, Sendable {
  /// Sound this from now on, in place of whatever sounds; `nil`: be silent.
  case ring(Ring?)
  /// Make a change durable, then answer with `EngineInput.committed`.
  case commit(token: UInt64, EngineChange)
  case publish(EnginePublication)
}

package enum EnginePublication: Hashable, Sendable {
  case info
  case health
  /// `online`, after the retained snapshot.
  case online
  case setting(name: String, value: String)
  /// The whole document, retained; `nil` clears the topic of an alarm that is gone.
  case alarm(id: String, JSONObject?)
  case node(JSONObject)
  case activity(id: String, JSONObject)
  case remaining(id: String, Int64)
  case event(Event)
  case reply(Reply, ReplyAddress)
}

/// What is to sound.
package struct Ring: Hashable, Sendable {
  /// Identity of this ring: a snoozed alarm that alerts again is a new one.
  package var ring: UInt64
  package var sound: String
  /// 1 to 100.
  package var volume: Int
  package var fadeIn: Seconds
  /// The outputs that are to sound, and no other; `nil`: the chain decides.
  package var outputs: Set<String>?
}

/// One transaction for the store: all or nothing.
package struct EngineChange: Hashable, Sendable {
  /// Records by id; `nil` deletes.
  package var alarms: [String: JSONObject?] = [:]
  package var events: [Event] = []
  package var acknowledgedEvents: [Int64] = []
  package var replies: [KeptReply] = []
  package var forgottenReplies: [RequestKey] = []
  package var values: [String: String] = [:]

  package var isEmpty: Bool {
    alarms.isEmpty && events.isEmpty && acknowledgedEvents.isEmpty && replies.isEmpty && forgottenReplies.isEmpty && values.isEmpty
  }
}

/// By what the reply to a request is found again.
package struct RequestKey: Hashable, Sendable {
  package var operation: String
  package var transaction: String

  package init(operation: String, transaction: String) {
    self.operation = operation
    self.transaction = transaction
  }
}

/// A reply that is kept so that the same request again gets it again.
package struct KeptReply: Hashable, Sendable {
  package var key: RequestKey
  package var digest: UInt64
  package var reply: JSONObject
  /// When it was made, in wall milliseconds.
  package var at: Int64

  package init(key: RequestKey, digest: UInt64, reply: JSONObject, at: Int64) {
    self.key = key
    self.digest = digest
    self.reply = reply
    self.at = at
  }
}
