import AlarmModel
import JSON
import NodeProtocol

// The entities of an alarm.
extension Discovery {
  func components(of alarm: Alarm) -> [Component] {
    let (name, key) = names(of: alarm)
    let state = JSONValue.string(topics.alarm(alarm.id))
    let command = JSONValue.string("\(topics.base)/alarms/\(alarm.id)/set")
    var components = [
      Component(
        "switch", "\(key)_enabled", name,
        [
          "state_topic": state, "value_template": Self.document("'enable' if value_json.enabled else 'disable'"), "command_topic": command,
          "payload_on": "enable", "payload_off": "disable", "entity_category": "config", "icon": .string(alarm.icon ?? "mdi:alarm"),
        ]),
      Component(
        "sensor", "\(key)_next", "\(name) next",
        [
          "state_topic": state, "value_template": Self.document("value_json.nextAlert or 'None'"), "device_class": "timestamp",
          "icon": "mdi:calendar-clock",
        ]),
      Component(
        "sensor", "\(key)_remaining", "\(name) remaining",
        [
          "state_topic": .string(topics.remaining(alarm.id)), "device_class": "duration", "unit_of_measurement": "s",
          // Once a second is too much for a recorder.
          "enabled_by_default": false,
        ]),
    ]
    if alarm.isRepeating {
      components.append(
        Component(
          "switch", "\(key)_skip_next", "\(name) skip next",
          [
            "state_topic": state, "value_template": Self.document("'skip' if value_json.skipped else 'unskip'"), "command_topic": command,
            "payload_on": "skip", "payload_off": "unskip", "entity_category": "config", "icon": "mdi:debug-step-over",
          ]))
    }
    if case .relative = alarm.schedule {
      // For Home Assistant before 2026.4, which does not know of times.
      components.append(Component("text", "\(key)_time", "\(name) time as text", time(of: alarm, more: ["enabled_by_default": false])))
    }
    return components
  }

  func timeComponent(of alarm: Alarm) -> Component {
    let (name, key) = names(of: alarm)
    return Component("time", "\(key)_time", "\(name) time", time(of: alarm))
  }

  private func time(of alarm: Alarm, more: JSONObject = [:]) -> JSONObject {
    var members: JSONObject = [
      "state_topic": .string(topics.alarm(alarm.id)),
      "value_template": Self.document("(value_json.schedule.time ~ ':00')[:8] if 'time' in (value_json.schedule or {}) else 'None'"),
      "command_topic": .string("\(topics.base)/request/update"),
      "command_template": .string("{\"id\": \"\(alarm.id)\", \"schedule\": {\"time\": {{ value | string | tojson }}}}"),
      "entity_category": "config", "icon": "mdi:clock-edit-outline",
    ]
    members.merge(more)
    return members
  }

  private func names(of alarm: Alarm) -> (name: String, key: String) { (alarm.title ?? alarm.id, alarm.id) }

  /// A template over an alarm's document; an empty message tells that the alarm is gone, and Home Assistant logs what a template stumbles over.
  private static func document(_ expression: String) -> JSONValue {
    .string("{{ (\(expression)) if value_json is defined else 'None' }}")
  }
}
