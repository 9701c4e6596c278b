import AlarmModel
import HomeAssistant
import JSON
import TestSupport
import Testing

@Suite("Discovery")
struct DiscoveryTests {
  private let timer = alarm(#"{"id":"pasta","duration":60}"#)

  private func components(_ documents: [String: JSONObject]) -> [(topic: String, key: String, members: JSONObject)] {
    documents.flatMap { topic, document in
      (document["cmps"]?.object ?? JSONObject()).compactMap { key, value in value.object.map { (topic, key, $0) } }
    }
  }

  @Test("Which alarms have entities is a matter of configuration; the siren and the quick timer never have")
  func chosen() {
    let alarms = [wakeUp, timer, alarm(#"{"id":"siren","duration":60}"#), alarm(#"{"id":"quick-timer","duration":60}"#)]
    func named(_ documents: [String: JSONObject]) -> Set<String> {
      Set(
        documents.keys.compactMap { $0.hasPrefix("homeassistant/device/reveille_bedroom/") ? $0.split(separator: "/")[3] : nil }.map(
          String.init))
    }
    #expect(named(discovery(.none).documents(alarms)) == ["config"])
    #expect(named(discovery(.repeating).documents(alarms)) == ["config", "wake-up"])
    #expect(named(discovery(.all).documents(alarms)) == ["config", "wake-up", "pasta"])
  }

  @Test("Every document lies where the node looks for old ones")
  func filters() {
    let discovery = discovery(.all)
    for topic in discovery.documents([wakeUp, timer]).keys {
      let levels = topic.split(separator: "/")
      #expect(
        discovery.filters.contains { filter in
          let parts = filter.split(separator: "/")
          return parts.count == levels.count && zip(parts, levels).allSatisfy { $0 == "+" || $0 == $1 }
        }, "\(topic)")
    }
  }

  @Test("Unique identifiers and entity identifiers differ within a platform, entities without one there are none")
  func identifiers() {
    let alarms = [
      wakeUp, alarm(#"{"id":"wake","schedule":{"time":"07:00","weekdays":"sat"}}"#), alarm(#"{"id":"a_skip","duration":5}"#),
      alarm(#"{"id":"a","schedule":{"time":"07:00","weekdays":"sat"}}"#),
    ]
    var seen: Set<String> = []
    for (topic, key, members) in components(discovery(.all).documents(alarms)) where members["p"] != "device_automation" {
      let platform = members["p"]?.string ?? ""
      for value in [members["unique_id"], members["default_entity_id"]] {
        #expect(value?.string != nil, "\(topic) \(key)")
        let isNew = seen.insert("\(platform) \(value?.string ?? "")").inserted
        #expect(isNew, "\(topic) \(key): \(value?.string ?? "")")
      }
      #expect(members["default_entity_id"]?.string?.hasPrefix("\(platform).reveille_bedroom_") == true)
    }
  }

  @Test("Every switch is a matter of configuration, so that turning everything off disarms nothing")
  func switches() {
    let switches = components(discovery(.all).documents([wakeUp, timer])).filter { $0.members["p"] == "switch" }
    #expect(switches.count == 5)
    for entity in switches { #expect(entity.members["entity_category"] == "config", "\(entity.key)") }
  }

  @Test("What ticks once a second is switched off until somebody wants it")
  func ticking() {
    let ticking = components(discovery(.all).documents([wakeUp, timer])).filter {
      let topic = $0.members["state_topic"]?.string ?? ""
      return topic.hasSuffix("/remaining") || topic.hasSuffix("/activity")
    }
    #expect(ticking.count == 2)
    for entity in ticking { #expect(entity.members["enabled_by_default"] == false, "\(entity.key)") }
  }

  @Test("A platform that older ones reject is in no document with others")
  func platforms() {
    let old: Set<String?> = [
      "sensor", "binary_sensor", "event", "button", "switch", "select", "number", "text", "siren", "device_automation",
    ]
    for entity in components(discovery(.all, buttons: 1).documents([wakeUp, timer])) {
      #expect(old.contains(entity.members["p"]?.string), "\(entity.key)")
    }
  }

  @Test("What a document lacks that an earlier one had is removed by name, once")
  func removals() throws {
    let before = try #require(discovery(buttons: 1).documents()[discovery().nodeTopic])
    let after = try #require(discovery().documents()[discovery().nodeTopic])
    let removing = Discovery.withRemovals(after, since: before)
    #expect(removing["cmps"]?.object?["trigger_button_1_press"] == ["p": "device_automation"])
    #expect(removing["cmps"]?.object?["trigger_button_1_hold"] == ["p": "device_automation"])
    #expect(Discovery.withRemovals(after, since: removing) == after)
    #expect(Discovery.withRemovals(after, since: after) == after)
  }
}
