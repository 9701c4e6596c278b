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
          "state_topic": state, "value_template": "{{ 'enable' if value_json.enabled else 'disable' }}", "command_topic": command,
          "payload_on": "enable", "payload_off": "disable", "entity_category": "config", "icon": .string(alarm.icon ?? "mdi:alarm"),
        ]),
      Component(
        "sensor", "\(key)_next", "\(name) next",
        [
          "state_topic": state, "value_template": "{{ value_json.nextAlert or 'None' }}", "device_class": "timestamp",
          "icon": "mdi:calendar-clock",
        ]),
      Component(
        "sensor", "\(key)_remaining", "\(name) remaining",
        [
          "state_topic": .string(topics.remaining(alarm.id)), "device_class": "duration", "unit_of_measurement": "s",
          "enabled_by_default": false,
        ]),
    ]
    if alarm.isRepeating {
      components.append(
        Component(
          "switch", "\(key)_skip_next", "\(name) skip next",
          [
            "state_topic": state, "value_template": "{{ 'skip' if value_json.skipped else 'unskip' }}", "command_topic": command,
            "payload_on": "skip", "payload_off": "unskip", "entity_category": "config", "icon": "mdi:debug-step-over",
          ]))
    }
    return components
  }

  func timeComponents(of alarm: Alarm) -> [Component] {
    let (name, key) = names(of: alarm)
    return [
      Component(
        "time", "\(key)_time", "\(name) time",
        [
          "state_topic": .string(topics.alarm(alarm.id)),
          "value_template": "{{ value_json.schedule.time if value_json.schedule.time | length == 8 else value_json.schedule.time ~ ':00' }}",
          "command_topic": .string("\(topics.base)/request/update"),
          "command_template": .string("{\"id\": \"\(alarm.id)\", \"schedule\": {\"time\": \"{{ value }}\"}}"),
          "entity_category": "config", "icon": "mdi:clock-edit-outline",
        ])
    ]
  }

  private func names(of alarm: Alarm) -> (name: String, key: String) { (alarm.title ?? alarm.id, alarm.id) }
}
