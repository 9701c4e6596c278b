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
      alarms: engine.records.values.map(\.alarm), sounds: sounds.sorted,
      sound: engine.settings.value(of: "sound") ?? "default", focus: engine.settings.value(of: "focus") ?? "off")
  }

  /// A session begins: Home Assistant must know the entities before their states come.
  func announceAll(session: UInt64, client: MQTTClient) {
    // First, so that the documents come that the broker still holds.
    for filter in announcement.discovery.filters { client.subscribe(MQTTSubscription(filter: filter, noLocal: true), session: session) }
    if announcement.isEnabled { client.subscribe(MQTTSubscription(filter: announcement.discovery.statusTopic), session: session) }
    for message in announcement.everything(discoveryDocuments, now: SystemClock.elapsedMilliseconds(), isNewSession: true) {
      publish(message)
    }
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
      case .states: step(.republish)
      case .endOfSearch: for filter in announcement.discovery.filters { client.unsubscribe(filter, session: session) }
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
      if let message = announcement.correction(topic, document) { publish(message) }
    } catch {
      // Not written by a node; where it is in a node's place, the next document replaces it.
    }
  }
}
