import NodeProtocol
import Testing

@Suite("Topics")
struct TopicsTests {
  @Test("They are called as the contract calls them")
  func names() {
    #expect(topics.base == "reveille/bedroom")
    #expect(topics.availability == "reveille/bedroom/availability")
    #expect(topics.info == "reveille/bedroom/info")
    #expect(topics.health == "reveille/bedroom/health")
    #expect(topics.state == "reveille/bedroom/state")
    #expect(topics.event == "reveille/bedroom/event")
    #expect(topics.alarm("a") == "reveille/bedroom/alarms/a/state")
    #expect(topics.activity("a") == "reveille/bedroom/alarms/a/activity")
    #expect(topics.remaining("a") == "reveille/bedroom/alarms/a/remaining")
    #expect(topics.response("stop") == "reveille/bedroom/response/stop")
    #expect(topics.setting("volume") == "reveille/bedroom/setting/volume")
  }

  @Test(
    "Command topics mean their command, all others nothing",
    arguments: [
      ("reveille/bedroom/request/stop", .request(operation: "stop")), ("reveille/bedroom/set/volume", .setting(name: "volume")),
      ("reveille/bedroom/alarms/a/set", .word(id: "a")), ("reveille/bedroom/alarms/a/state", .alarmState(id: "a")),
      ("reveille/bedroom/state", nil),
      ("reveille/bedroom/alarms/a/activity", nil), ("reveille/bedroom/response/stop", nil), ("reveille/bedroom/setting/volume", nil),
      ("reveille/bedroom", nil), ("reveille/bedroom/request", nil), ("reveille/bedroom/request/a/b", nil),
      ("reveille/kitchen/request/stop", nil),
      ("reveille/bedroom2/request/stop", nil), ("", nil), ("homeassistant/status", nil), ("/reveille/bedroom/request/stop", nil),
    ] as [(String, Topics.Meaning?)])
  func meanings(topic: String, meaning: Topics.Meaning?) { #expect(topics.meaning(of: topic) == meaning) }

  @Test("The subscriptions take every command topic and no state")
  func filters() {
    #expect(Set(topics.commandFilters) == ["reveille/bedroom/request/+", "reveille/bedroom/set/+", "reveille/bedroom/alarms/+/set"])
  }

  @Test(
    "A response topic lies below the first level or a configured prefix, has no wildcard and is none of a node's own",
    arguments: [
      ("reveille/phone/replies", true), ("reveille/bedroom/replies/7", true), ("homeassistant/replies/x", true), ("reveille/x", true),
      ("other/replies", false), ("reveille", false), ("reveilleX/a", false), ("", false), ("reveille/+/x", false), ("reveille/#", false),
      ("reveille/phone/x\0", false), ("homeassistant/switch/x", false), ("homeassistant/repliesX", false), ("$SYS/x", false),
      ("reveille/bedroom/alarms/a/set", false), ("reveille/bedroom/request/stop", false), ("reveille/kitchen/request/stop", false),
      ("reveille/bedroom/availability", false), ("reveille/bedroom/state", false), ("reveille/bedroom/event", false),
      ("reveille/bedroom/set/volume", false), ("reveille/bedroom/setting/volume", false), ("reveille/bedroom/health", false),
      ("reveille/bedroom/info", false),
    ])
  func responseTopics(topic: String, isAllowed: Bool) {
    #expect((topics.refusal(ofResponseTopic: topic, extraPrefixes: ["homeassistant/replies"]) == nil) == isAllowed, "\(topic)")
  }
}
