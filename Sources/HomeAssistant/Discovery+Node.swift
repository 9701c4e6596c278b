import AlarmEngine
import JSON
import NodeProtocol

// The node's own entities.
extension Discovery {
  func nodeComponents(sounds: [String], focus: String) -> [Component] {
    sensors + diagnostics + [event] + pressed + settings(sounds: sounds, focus: focus) + quick + [siren(sounds)] + triggers
  }

  private var state: JSONValue { .string(topics.state) }

  private func request(_ operation: Operation) -> JSONValue { .string("\(topics.base)/request/\(operation.rawValue)") }

  private var sensors: [Component] {
    [
      Component(
        "sensor", "state", "State",
        [
          "state_topic": state, "value_template": "{{ value_json.state }}", "device_class": "enum",
          "options": ["idle", "scheduled", "countdown", "paused", "alerting"], "icon": "mdi:alarm",
        ]),
      Component(
        "sensor", "next_alarm", "Next alarm",
        [
          "state_topic": state, "value_template": "{{ value_json.next.at if value_json.next else 'None' }}", "device_class": "timestamp",
          "icon": "mdi:alarm",
        ]),
      Component(
        "sensor", "next_alarm_title", "Next alarm title",
        [
          "state_topic": state, "value_template": "{{ value_json.next.title or value_json.next.id if value_json.next else 'None' }}",
          "icon": "mdi:format-title",
        ]),
      Component(
        "sensor", "alarms", "Alarms",
        ["state_topic": state, "value_template": "{{ value_json.alarms }}", "state_class": "measurement", "icon": "mdi:counter"]),
      Component(
        "binary_sensor", "alerting", "Alerting",
        [
          "state_topic": state, "value_template": "{{ 'ON' if value_json.alerting else 'OFF' }}",
          "json_attributes_topic": state, "json_attributes_template": "{{ {'alarms': value_json.alerting} | tojson }}", "icon": "mdi:bell-ring",
        ]),
    ]
  }

  private var diagnostics: [Component] {
    let health = JSONValue.string(topics.health)
    return [
      Component(
        "binary_sensor", "ready", "Ready",
        [
          "state_topic": health, "value_template": "{{ 'ON' if value_json.ready else 'OFF' }}", "entity_category": "diagnostic",
          "icon": "mdi:check-circle",
        ]),
      Component(
        "binary_sensor", "problem", "Problem",
        [
          "state_topic": health, "value_template": "{{ 'ON' if value_json.problems else 'OFF' }}", "device_class": "problem",
          "json_attributes_topic": health, "json_attributes_template": "{{ {'problems': value_json.problems} | tojson }}",
          "entity_category": "diagnostic",
        ]),
      Component(
        "binary_sensor", "clock_synced", "Clock synced",
        [
          "state_topic": health, "value_template": "{{ 'ON' if value_json.clock.trust == 'synced' else 'OFF' }}",
          "entity_category": "diagnostic", "icon": "mdi:clock-check",
        ]),
    ]
  }

  private var event: Component {
    Component(
      "event", "event", "Event",
      ["state_topic": .string(topics.event), "event_types": .array(Event.Kind.allCases.map { .string($0.rawValue) }), "icon": "mdi:bell"])
  }

  private var pressed: [Component] {
    [
      (Operation.stop, "Stop", "mdi:alarm-off"), (.snooze, "Snooze", "mdi:sleep"), (.pause, "Pause timers", "mdi:pause"),
      (.resume, "Resume timers", "mdi:play"), (.test, "Test", "mdi:volume-high"),
    ].map { operation, name, icon in
      var members: JSONObject = ["command_topic": request(operation), "payload_press": "{}", "icon": .string(icon)]
      if operation == .test { members["entity_category"] = "diagnostic" }
      return Component("button", operation.rawValue, name, members)
    }
  }

  private func settings(sounds: [String], focus: String) -> [Component] {
    func setting(_ platform: String, _ name: String, _ title: String, _ icon: String, _ more: JSONObject) -> Component {
      var members: JSONObject = [
        "state_topic": .string(topics.setting(name)), "command_topic": .string("\(topics.base)/set/\(name)"), "entity_category": "config",
        "icon": .string(icon),
      ]
      members.merge(more)
      return Component(platform, name == "snooze" ? "snooze_length" : name, title, members)
    }
    let usual = ["off", "do-not-disturb", "sleep", "work"]
    let focuses = usual.contains(focus) ? usual : usual + [focus]
    return [
      setting("switch", "muted", "Muted", "mdi:volume-off", [:]),
      setting("switch", "silent", "Silent", "mdi:bell-off", [:]),
      setting("select", "sound", "Sound", "mdi:music-note", ["options": .array(sounds.map(JSONValue.string))]),
      setting("select", "focus", "Focus", "mdi:moon-waning-crescent", ["options": .array(focuses.map(JSONValue.string))]),
      setting("number", "volume", "Volume", "mdi:volume-medium", ["min": 1, "max": 100, "step": 1, "unit_of_measurement": "%"]),
      setting(
        "number", "snooze", "Snooze length", "mdi:sleep",
        [
          "min": 1, "max": 60, "step": 1, "unit_of_measurement": "min", "mode": "box",
          "value_template": "{{ (value | float / 60) | round(0, 'ceil') | int }}", "command_template": "{{ (value | float * 60) | int }}",
        ]),
    ]
  }

  private var quick: [Component] {
    let timer = Self.quickTimer
    return [
      Component(
        "number", "quick_timer", "Quick timer",
        [
          "command_topic": request(.quick),
          "command_template": .string(
            "{\"id\": \"\(timer)\", \"text\": \"{{ 'in %sm' % value if value | float > 0 else 'off' }}\"}"),
          "state_topic": .string(topics.alarm(timer)),
          "value_template": "{{ (value_json.total / 60) | round(2) if value_json is defined and value_json.total else 0 }}",
          "min": 0, "max": 1440, "step": .number(0.5), "mode": "box", "unit_of_measurement": "min", "icon": "mdi:timer-outline",
        ]),
      Component(
        "text", "quick_alarm", "Quick alarm",
        [
          "command_topic": request(.quick), "command_template": "{\"text\": {{ value | tojson }}}", "min": 1, "max": 255,
          "icon": "mdi:alarm-plus",
        ]),
    ]
  }

  private func siren(_ sounds: [String]) -> Component {
    Component(
      "siren", "siren", "Siren",
      [
        "command_topic": request(.siren), "state_topic": .string(topics.alarm(RequestBody.Siren.id)),
        "state_value_template": "{{ 'ON' if value_json is defined and value_json.state in ['countdown', 'alerting'] else 'OFF' }}",
        "available_tones": .array(sounds.map(JSONValue.string)), "support_duration": true, "support_volume_set": true,
        "icon": "mdi:bullhorn",
      ])
  }

  /// What automations can be built on by clicking.
  private var triggers: [Component] {
    let kinds: [Event.Kind] = [.alerting, .stopped, .missed, .snoozed]
    let events = kinds.map { kind in
      Component(
        "device_automation", "trigger_\(kind.rawValue)", nil,
        [
          "automation_type": "trigger", "type": .string(kind.rawValue), "subtype": "alarm", "topic": .string(topics.event),
          "payload": .string(kind.rawValue), "value_template": "{{ value_json.event_type }}",
        ])
    }
    let pressed = (0..<buttons).flatMap { index in
      [("press", "button_short_press"), ("hold", "button_long_press")].map { payload, type in
        Component(
          "device_automation", "trigger_button_\(index + 1)_\(payload)", nil,
          [
            "automation_type": "trigger", "type": .string(type), "subtype": .string("button_\(index + 1)"),
            "topic": .string(topics.button(index + 1)), "payload": .string(payload),
          ])
      }
    }
    return events + pressed
  }
}
