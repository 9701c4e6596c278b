import JSON
import TestSupport
import Testing

@Suite("The life of an alarm", .serialized)
struct LifeCycleTests {
  @Test("A snoozed alarm counts down as postAlert and alerts again, as often as maximumSnoozes allows")
  func snooze() async throws {
    let node = try await NodeProcess.running()
    try await node.request("schedule", #"{"id":"egg","countdown":{"preAlert":1,"postAlert":2},"maximumSnoozes":1}"#)
    try await node.event("alerting", "egg")
    let mark = node.listener.mark
    let reply = try await node.request("snooze", "{}")
    #expect(reply["status"] == "ok")
    let document = try await node.state("egg", "countdown", after: mark)
    #expect(document["total"]?.double == 2 && document["snoozes"] == 1)
    let activity = try await node.listener.first(after: mark, "a tick") { $0.topic.hasSuffix("/egg/activity") }.json
    #expect(activity["phase"] == "postAlert" && activity["total"]?.double == 2 && activity["remaining"] == 2)
    let snoozed = try await node.event("snoozed", "egg", after: mark)
    #expect(snoozed["occurrence"] == document["occurrence"])
    try await node.event("alerting", "egg", after: mark)
    #expect(try await node.request("snooze", #"{"id":"egg"}"#)["error", "code"] == "limit_reached")
    #expect(try await node.request("stop", #"{"id":"egg"}"#)["status"] == "ok")
  }

  @Test("Without an id stop ends what alerts, else what snoozes, but never a first countdown; pause and resume are for timers only")
  func withoutIdentifier() async throws {
    let node = try await NodeProcess.running()
    try await node.request("schedule", #"{"id":"first","duration":3600}"#)
    // A scheduled alarm within its preAlert counts down too, and is not for a word without an id.
    let at = UnixTime.text(UnixTime.now + 3000)
    let scheduled = try await node.request("schedule", #"{"id":"fixed","schedule":{"at":"\#(at)"},"countdown":{"preAlert":3500}}"#)
    #expect(scheduled["data", "state"] == "countdown" || scheduled["data", "state"] == "scheduled")
    try await node.state("fixed", "countdown")
    #expect(try await node.request("stop", "{}")["error", "code"] == "nothing_to_do")
    for id in ["egg", "rice"] { try await node.request("schedule", #"{"id":"\#(id)","duration":1}"#) }
    for id in ["egg", "rice"] { try await node.event("alerting", id) }
    #expect(try await node.request("snooze", #"{"id":"egg","duration":"1h"}"#)["data", "state"] == "countdown")
    #expect(try await node.request("stop", "{}")["status"] == "ok")
    try await node.event("stopped", "rice")
    #expect(node.events("stopped", "egg").isEmpty)
    #expect(try await node.request("stop", "{}")["status"] == "ok")
    try await node.event("stopped", "egg")
    #expect(try await node.request("stop", "{}")["error", "code"] == "nothing_to_do")
    #expect(try await node.request("pause", "{}")["status"] == "ok")
    try await node.state("first", "paused")
    #expect(try await node.request("get", #"{"id":"fixed"}"#)["data", "state"] == "countdown")
    #expect(try await node.request("resume", "{}")["status"] == "ok")
    #expect(try await node.request("get", #"{"id":"first"}"#)["data", "state"] == "countdown")
  }

  @Test("A fixed alarm counts down during its preAlert and alerts at its scheduled time")
  func fixed() async throws {
    let node = try await NodeProcess.running()
    let due = (UnixTime.now + 4).rounded(.up)
    try await node.request("schedule", #"{"id":"wake","schedule":{"at":"\#(UnixTime.text(due))"},"countdown":{"preAlert":2}}"#)
    let countdown = try await node.state("wake", "countdown")
    #expect(countdown["fireDate"]?.string.flatMap(UnixTime.seconds(of:)) == due && countdown["total"]?.double == 2)
    let event = try await node.event("alerting", "wake")
    #expect(event["due"]?.string.flatMap(UnixTime.seconds(of:)) == due)
    #expect((0..<10).contains(event["lateness"]?.double ?? -1))
    let ticks = node.listener.messages().filter { $0.topic.hasSuffix("/wake/remaining") }.map(\.payload)
    #expect(ticks == ["2", "1", "0"])
    // A one-shot is gone once it is stopped.
    let mark = node.listener.mark
    try await node.request("stop", "{}")
    _ = try await node.listener.first(after: mark, "the end of wake") { $0.topic.hasSuffix("/alarms/wake/state") && $0.payload.isEmpty }
  }

  @Test("Nobody answers: after ringFor it snoozes or stops by itself")
  func timeout() async throws {
    let node = try await NodeProcess.running()
    try await node.request("schedule", #"{"id":"egg","duration":1,"ringFor":1,"onRingTimeout":"stop"}"#)
    let stopped = try await node.event("stopped", "egg")
    #expect(stopped["by"] == "timeout")
    try await node.request("schedule", #"{"id":"rice","duration":1,"ringFor":1,"maximumSnoozes":0}"#)
    let missed = try await node.event("missed", "rice")
    #expect(missed["reason"] == "unanswered")
    let document = try await node.state("rice", "disabled")
    #expect(document["enabled"] == false && document["lastOutcome"] == "missed")
    #expect(try await node.sound.isAtItsEnd())
  }

  @Test("The next alert of a weekly alarm is the one that Python's zoneinfo finds")
  func weekly() async throws {
    let node = try await NodeProcess.running(settings: ["time_zone: Europe/Berlin"])
    // Lines of zone, time, weekdays and the instant from which to look.
    let judge = """
      import sys
      from datetime import datetime, time, timedelta
      from zoneinfo import ZoneInfo
      for line in sys.stdin:
          zone, clock, days, now = line.split()
          now = datetime.fromtimestamp(float(now), ZoneInfo(zone))
          for ahead in range(9):
              day = now.date() + timedelta(days=ahead)
              alert = datetime.combine(day, time.fromisoformat(clock), now.tzinfo)
              if alert > now and "mon tue wed thu fri sat sun".split()[day.weekday()] in days.split(","):
                  print(alert.isoformat(timespec="milliseconds"), flush=True)
                  break
      """
    let python = try Subprocess(["python3", "-c", judge])
    var alerts: [String?] = []
    for (zone, time, days) in [
      ("Europe/Berlin", "07:00", "mon,tue,wed,thu,fri"), ("America/New_York", "12:34:56", "sun"), ("Asia/Kolkata", "00:00", "wed,sat"),
      ("Australia/Lord_Howe", "23:59:59", "mon"), ("Pacific/Chatham", "12:00", "mon,tue,wed,thu,fri,sat,sun"),
      ("America/St_Johns", "06:30", "thu"), ("Africa/Casablanca", "18:00", "tue"),
    ] {
      let body = #"{"id":"weekly","schedule":{"time":"\#(time)","weekdays":"\#(days)","timeZone":"\#(zone)"}}"#
      // On either side of the request: the alarm's own second may have passed meanwhile.
      python.write("\(zone) \(time) \(days) \(UnixTime.now)\n")
      alerts.append(try await node.request("schedule", body)["data", "nextAlert"]?.string)
      python.write("\(zone) \(time) \(days) \(UnixTime.now)\n")
    }
    let count = 2 * alerts.count
    let answers = try await blocking { python.output.wait { $0.count == count ? $0 : nil } }
    let judged = try #require(answers, "python3: \(python.errors.all)")
    for (index, alert) in alerts.enumerated() { #expect(judged[2 * index...2 * index + 1].contains(alert ?? ""), "\(judged)") }
  }

  @Test("A document is published with every key of the contract, and may be sent back as it is without effect")
  func document() async throws {
    let node = try await NodeProcess.running(settings: ["time_zone: Europe/Berlin"])
    let contract = """
      {"id":"wake-up","title":"Wake up","body":"School day","enabled":true,
      "schedule":{"time":"07:00","weekdays":["mon","tue","wed","thu","fri"],"timeZone":"Europe/Berlin"},
      "countdown":{"preAlert":900,"postAlert":300},"reminders":[1800],
      "presentation":{"alert":{"title":"Wake up","stopButton":{"text":"Stop"},
      "secondaryButton":{"text":"Snooze","textColor":"#FFFFFF","icon":"mdi:sleep"},"secondaryButtonBehavior":"countdown"},
      "countdown":{"title":"Soon","pauseButton":{"text":"Pause"}},"paused":{"title":"Paused","resumeButton":{"text":"Resume"}}},
      "tint":"#5E5CE6","icon":"mdi:alarm","metadata":{"room":"bedroom"},"sound":"default","volume":80,"fadeIn":30,
      "interruptionLevel":"critical","maximumSnoozes":3,"ringFor":600,"onRingTimeout":"snooze","missedPolicy":"ring","missedGrace":900,
      "exceptDates":["2031-12-25","2031-12-27/2032-01-02"]}
      """
    let reply = try await node.request("schedule", contract)
    #expect(reply["status"] == "ok", "\(reply)")
    let given = try #require(JSONValue(parsing: contract.utf8).object)
    let message = try await node.listener.first("the document") { $0.topic.hasSuffix("/wake-up/state") }
    for (key, value) in given { #expect(message.json[key] == value, "\(key)") }
    let published = [
      "state", "revision", "occurrence", "nextAlert", "fireDate", "total", "remaining", "snoozes", "skipped", "adjusted", "lastOutcome",
    ]
    for key in published { #expect(message.json[key] != nil, "\(key)") }
    #expect(message.json["state"] == "scheduled" || message.json["state"] == "countdown")
    #expect(reply["data"] == message.json)

    // As it is: no effect.
    let mark = node.listener.mark
    let again = try await node.request("schedule", message.payload)
    #expect(again["status"] == "ok" && again["data", "revision"] == message.json["revision"], "\(again)")
    #expect(node.events("updated", "wake-up", after: mark).isEmpty && node.events("scheduled", "wake-up", after: mark).isEmpty)
    // Edited: taken over.
    var edited = try #require(message.json.object)
    edited["title"] = "Get up"
    let changed = try await node.request("schedule", JSONValue.object(edited).description)
    #expect(changed["data", "title"] == "Get up" && changed["data", "revision"] != message.json["revision"])
    try await node.event("updated", "wake-up", after: mark)
    // With a stale revision: refused.
    edited["title"] = "Stay in bed"
    edited["ifRevision"] = message.json["revision"]
    #expect(try await node.request("schedule", JSONValue.object(edited).description)["error", "code"] == "conflict")
  }

  @Test("Numbers and booleans may come as strings, as templates send them")
  func templates() async throws {
    let node = try await NodeProcess.running()
    for (duration, seconds) in [
      (#""90""#, 90.0), (#""10m""#, 600), (#""1h30m""#, 5400), (#""00:10:00""#, 600), (#""PT10M""#, 600), ("1.5", 1.5),
    ] {
      let reply = try await node.request("schedule", #"{"id":"x","duration":\#(duration),"volume":"70","enabled":"False","title":null}"#)
      #expect(reply["data", "countdown", "preAlert"]?.double == seconds && reply["data", "volume"] == 70, "\(duration): \(reply)")
      #expect(reply["data", "state"] == "disabled")
    }
  }
}
