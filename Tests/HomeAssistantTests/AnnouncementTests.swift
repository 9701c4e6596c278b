import AlarmModel
import HomeAssistant
import JSON
import NodeProtocol
import Testing

@testable import NodeRuntime

@Suite("When Home Assistant is told")
struct AnnouncementTests {
  private func connected() -> Announcement {
    var announcement = Announcement(discovery: discovery(), isEnabled: true)
    _ = announcement.everything(discovery().documents([wakeUp]), now: 0, isNewSession: true)
    return announcement
  }

  @Test("Changes gather for a second, and rounds are five seconds apart")
  func spacing() {
    var announcement = connected()
    announcement.touch(now: 20_000)
    announcement.touch(now: 20_900)
    #expect(announcement.take(now: 20_999) != .round)
    #expect(announcement.take(now: 21_000) == .round)
    #expect(announcement.changes(discovery().documents(), now: 21_000).count == 2)
    announcement.touch(now: 21_100)
    #expect(announcement.nextDeadline == 26_000)
  }

  @Test("An alarm that is gone clears its topics once; what has not changed is not told again")
  func gone() {
    var announcement = connected()
    let messages = announcement.changes(discovery().documents(), now: 10)
    #expect(
      messages.map(\.topic) == [
        "homeassistant/device/reveille_bedroom/wake-up/config", "homeassistant/time/reveille_bedroom_TIME/wake-up/config",
      ])
    #expect(messages.allSatisfy { $0.payload.isEmpty && $0.isRetained })
    #expect(announcement.changes(discovery().documents(), now: 20).isEmpty)
  }

  @Test("After Home Assistant's start everything is told again, one to ten seconds later, and once however often it says so")
  func birth() throws {
    var announcement = connected()
    while announcement.take(now: 50_000) != nil {}
    announcement.homeAssistantStarted(now: 50_000)
    let due = try #require(announcement.nextDeadline)
    announcement.homeAssistantStarted(now: 50_500)
    #expect((51_000...60_000).contains(due))
    #expect(announcement.nextDeadline == due)
    #expect(announcement.take(now: due) == .everything)
    #expect(announcement.everything(discovery().documents([wakeUp]), now: due, isNewSession: false).count == 3)
    #expect(announcement.take(now: due + 10_000) == nil)
  }

  @Test("A changed document of the node is followed by its states")
  func states() {
    var announcement = connected()
    while announcement.take(now: 50_000) != nil {}
    #expect(announcement.changes(discovery().documents([wakeUp], focus: "exam"), now: 50_000).count == 1)
    #expect(announcement.nextDeadline == 51_000)
    #expect(announcement.take(now: 51_000) == .states)
  }

  @Test("Retained documents of what is no more are cleared, a component that is no more is removed, the present ones stay")
  func corrections() {
    let announcement = connected()
    let wakeUpTopic = "homeassistant/device/reveille_bedroom/wake-up/config"
    #expect(
      announcement.correction("homeassistant/device/reveille_bedroom/gone/config", ["dev": [:]])
        == NodeMessage(topic: "homeassistant/device/reveille_bedroom/gone/config", payload: "", isRetained: true))
    #expect(announcement.correction(wakeUpTopic, discovery().documents([wakeUp])[wakeUpTopic] ?? [:]) == nil)
    let earlier: JSONObject = ["cmps": ["old": ["p": "sensor", "unique_id": "x"]]]
    #expect(announcement.correction(wakeUpTopic, earlier)?.payload.contains(#""old":{"p":"sensor"}"#) == true)
  }

  @Test("Without a broker nothing is due")
  func disconnected() {
    var announcement = connected()
    announcement.touch(now: 0)
    announcement.homeAssistantStarted(now: 0)
    announcement.disconnected()
    #expect(announcement.nextDeadline == nil)
  }
}
