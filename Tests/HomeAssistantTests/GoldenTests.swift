import AlarmModel
import Glibc
import HomeAssistant
import JSON
import TestSupport
import Testing

@Suite("Discovery documents")
struct GoldenTests {
  /// With `REVEILLE_WRITE_GOLDEN` set the files are written instead, to be read in the difference.
  private func expect(_ document: JSONObject?, in file: String) throws {
    let path = "\(folder)/golden/\(file).json"
    let text = lines(try #require(document, "no such document: \(file)"))
    if getenv("REVEILLE_WRITE_GOLDEN") != nil {
      try ProjectFileWriter.write(path, text)
    } else {
      #expect(try ProjectFile.read(path) == text, "\(file)")
    }
  }

  @Test("A node without alarms is announced as ever")
  func node() throws {
    let documents = discovery().documents()
    #expect(Array(documents.keys) == ["homeassistant/device/reveille_bedroom/config"])
    try expect(documents["homeassistant/device/reveille_bedroom/config"], in: "node")
  }

  @Test("A node with two buttons and an unusual focus and sound is announced as ever")
  func buttons() throws {
    let documents = discovery(buttons: 2).documents(sound: "removed", focus: "exam")
    try expect(documents["homeassistant/device/reveille_bedroom/config"], in: "node-with-buttons")
  }

  @Test("A repeating alarm is announced as ever, its time on a topic of its own")
  func repeating() throws {
    let documents = discovery().documents([wakeUp])
    #expect(documents.count == 3)
    try expect(documents["homeassistant/device/reveille_bedroom/wake-up/config"], in: "repeating-alarm")
    try expect(documents["homeassistant/time/reveille_bedroom_TIME/wake-up/config"], in: "repeating-alarm-time")
  }

  @Test("A one-shot is announced as ever where all alarms are")
  func oneShot() throws {
    let tree = alarm(#"{"id":"Tree_1","icon":"mdi:pine-tree","schedule":{"at":"2026-12-24T08:00:00Z"}}"#)
    let documents = discovery(.all).documents([tree])
    #expect(documents.count == 2, "it has no time of day")
    try expect(documents["homeassistant/device/reveille_bedroom/Tree_1/config"], in: "one-shot")
  }
}
