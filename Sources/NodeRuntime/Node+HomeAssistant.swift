import AlarmModel
import HomeAssistant
import JSON
import LinuxSupport
import MQTTTransport
import NodeProtocol

// The node's side of Home Assistant's discovery.
extension Node {
  private var discoveryDocuments: [String: JSONObject] {
    guard announcement.isEnabled else { return [:] }
    return announcement.discovery.documents(
      alarms: engine.records.values.map(\.alarm), sounds: sounds.sorted, focus: engine.settings.value(of: "focus") ?? "off")
  }

  /// A session begins: Home Assistant must know the entities before their states come.
  func announceAll(session: UInt64, client: MQTTClient) {
    for message in announcement.everything(discoveryDocuments, now: SystemClock.elapsedMilliseconds(), isNewSession: true) {
      publish(message)
    }
    client.subscribe(MQTTSubscription(filter: announcement.discovery.filter, noLocal: true), session: session)
    if announcement.isEnabled { client.subscribe(MQTTSubscription(filter: announcement.discovery.statusTopic), session: session) }
  }

  /// Does what is due.
  func announce(session: UInt64?, client: MQTTClient) {
    let now = SystemClock.elapsedMilliseconds()
    while let due = announcement.take(now: now) {
      guard let session else { continue }
      switch due {
      case .round: for message in announcement.changes(discoveryDocuments, now: now) { publish(message) }
      case .everything:
        for message in announcement.everything(discoveryDocuments, now: now, isNewSession: false) { publish(message) }
        step(.republish)
      case .endOfSearch: client.unsubscribe(announcement.discovery.filter, session: session)
      }
    }
  }

  /// A message below Home Assistant's prefix.
  func take(homeAssistant topic: String, _ payload: [UInt8]) {
    if topic == announcement.discovery.statusTopic {
      if payload == Array("online".utf8) { announcement.homeAssistantStarted(now: SystemClock.elapsedMilliseconds()) }
      return
    }
    do throws(JSONError) {
      guard !payload.isEmpty, let document = try JSONValue(parsing: payload).object else { return }
      if let message = announcement.clearing(topic, document) { publish(message) }
    } catch {
      // Somebody else's document: no business of this node.
    }
  }
}
