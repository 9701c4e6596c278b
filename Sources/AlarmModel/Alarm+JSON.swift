import CivilTime
import JSON

extension Alarm {
  /// The document as `schedule` would take it back, with every key. `zone` is the alarm's zone, for the offset of a fixed instant.
  public func document(in zone: ZoneRules) -> JSONObject {
    [
      "id": .string(id), "title": JSONValue(title), "body": JSONValue(body), "enabled": .bool(isEnabled),
      "schedule": schedule?.json(in: zone) ?? .null,
      "countdown": countdownDuration.json,
      "reminders": .array(reminders.map(\.json)),
      "presentation": presentation?.json ?? .null,
      "tint": JSONValue(tint), "icon": JSONValue(icon), "metadata": .object(metadata),
      "sound": JSONValue(sound), "volume": JSONValue(volume), "fadeIn": fadeIn.json,
      "interruptionLevel": .string(interruptionLevel.rawValue),
      "maximumSnoozes": JSONValue(maximumSnoozes), "ringFor": ringFor.json, "onRingTimeout": .string(onRingTimeout.rawValue),
      "missedPolicy": .string(missedPolicy.rawValue), "missedGrace": missedGrace.json,
      "exceptDates": .array(exceptDates.map { .string($0.description) }),
    ]
  }
}

extension Alarm.Schedule {
  func json(in zone: ZoneRules) -> JSONValue {
    var object: JSONObject
    switch self {
    case .fixed(let instant, _): object = ["at": .string(instant.formatted(in: zone))]
    case .relative(let time, let weekdays, _):
      object = ["time": .string(time.description)]
      if !weekdays.isEmpty { object["weekdays"] = .array(weekdays.map { .string($0.word) }) }
    }
    if let timeZone { object["timeZone"] = .string(timeZone) }
    return .object(object)
  }
}

extension Alarm.CountdownDuration {
  var json: JSONValue {
    preAlert == nil && postAlert == nil ? .null : ["preAlert": preAlert?.json ?? .null, "postAlert": postAlert?.json ?? .null]
  }
}

// A presentation is handed back as it came: keys that were absent stay absent.
extension AlarmPresentation {
  var json: JSONValue {
    var object = JSONObject()
    object["alert"] = alert.map { alert in
      var object = JSONObject()
      object["title"] = alert.title.map(JSONValue.string)
      object["stopButton"] = alert.stopButton?.json
      object["secondaryButton"] = alert.secondaryButton?.json
      object["secondaryButtonBehavior"] = alert.secondaryButtonBehavior.map { .string($0.rawValue) }
      return .object(object)
    }
    object["countdown"] = countdown.map { countdown in
      var object = JSONObject()
      object["title"] = countdown.title.map(JSONValue.string)
      object["pauseButton"] = countdown.pauseButton?.json
      return .object(object)
    }
    object["paused"] = paused.map { paused in
      var object = JSONObject()
      object["title"] = paused.title.map(JSONValue.string)
      object["resumeButton"] = paused.resumeButton?.json
      return .object(object)
    }
    return .object(object)
  }
}

extension AlarmButton {
  var json: JSONValue {
    var object: JSONObject = ["text": .string(text)]
    object["textColor"] = textColor.map(JSONValue.string)
    object["icon"] = icon.map(JSONValue.string)
    return .object(object)
  }
}
