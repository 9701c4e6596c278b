import CMosquitto

/// A topic filter with its options (MQTT 5 §3.8.3.1). Under 3.1.1 all options but `qos` are ignored.
package struct MQTTSubscription: Sendable, Hashable {
  package enum RetainHandling: Sendable, Hashable {
    /// Stored messages come at every subscribing.
    case sendAlways
    /// Stored messages never come.
    case sendNever
  }

  package var filter: String
  /// The highest quality of service to deliver with.
  package var qos: MQTTQoS
  package var retainHandling: RetainHandling
  /// Keeps the publisher's retain flag on live messages.
  package var retainAsPublished: Bool
  /// Leaves out what this client published itself.
  package var noLocal: Bool

  package init(
    filter: String, qos: MQTTQoS = .atLeastOnce, retainHandling: RetainHandling = .sendAlways, retainAsPublished: Bool = false,
    noLocal: Bool = false
  ) {
    self.filter = filter
    self.qos = qos
    self.retainHandling = retainHandling
    self.retainAsPublished = retainAsPublished
    self.noLocal = noLocal
  }

  /// Refuses what no broker could accept.
  func validate() throws(MQTTError) {
    if filter.isEmpty || filter.utf8.contains(0) || mosquitto_sub_topic_check(filter) != MOSQ_ERR_SUCCESS.rawValue {
      throw .badArgument("\(filter.debugDescription) is no topic filter; + and # stand for whole levels, # only for the last")
    }
  }
}
