import AlarmEngine
import JSON
import NodeProtocol

// The node's own entities.
extension Discovery {
  func nodeComponents(sounds: [String], sound: String, focus: String) -> [Component] {
    // One sum of eight is more than the compiler likes.
    let groups: [[Component]] = [
      sensors, diagnostics, [event], pressed, settings(sounds: sounds, sound: sound, focus: focus), quick, [siren(sounds)], triggers,
    ]
    return Array(groups.joined())
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
          "json_attributes_topic": state, "json_attributes_template": "{{ {'alarms': value_json.alerting} | tojson }}",
          "icon": "mdi:bell-ring",
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

  private func settings(sounds: [String], sound: String, focus: String) -> [Component] {
    [
      setting("switch", "muted", "Muted", "mdi:volume-off", [:]),
      setting("switch", "silent", "Silent", "mdi:bell-off", [:]),
      choice("sound", "Sound", "mdi:music-note", sounds, sound),
      choice("focus", "Focus", "mdi:moon-waning-crescent", ["off", "do-not-disturb", "sleep", "work"], focus),
      setting("number", "volume", "Volume", "mdi:volume-medium", ["min": 1, "max": 100, "step": 1, "unit_of_measurement": "%"]),
      setting(
        "number", "snooze", "Snooze length", "mdi:sleep",
        minutes("(value | float(0) / 60) | round(2)", from: Self.shortest).merging(["command_template": "{{ (value | float * 60) | int }}"])
      ),
    ]
  }

  private func setting(_ platform: String, _ name: String, _ title: String, _ icon: String, _ more: JSONObject) -> Component {
    let members: JSONObject = [
      "state_topic": .string(topics.setting(name)), "command_topic": .string("\(topics.base)/set/\(name)"), "entity_category": "config",
      "icon": .string(icon),
    ]
    return Component(platform, name == "snooze" ? "snooze_length" : name, title, members.merging(more))
  }

  /// A choice among the usual values and the one in force; one that Home Assistant does not know yet is unknown until it does.
  private func choice(_ name: String, _ title: String, _ icon: String, _ usual: [String], _ present: String) -> Component {
    let options = JSONValue.array((usual.contains(present) ? usual : usual + [present]).map(JSONValue.string))
    return setting(
      "select", name, title, icon, ["options": options, "value_template": .string("{{ value if value in \(options) else 'None' }}")])
  }

  /// The least number of minutes above none that can be set.
  private static let shortest = 0.5
  private static let longest = 1440.0

  /// The members of a number of minutes; a value out of range, which other clients may set, is unknown: Home Assistant rejects it loudly.
  private func minutes(_ expression: String, from least: Double) -> JSONObject {
    [
      "min": .number(least), "max": .number(Self.longest), "step": .number(Self.shortest), "mode": "box", "unit_of_measurement": "min",
      "value_template": .string(
        "{% set minutes = \(expression) %}{{ minutes if \(JSONValue.number(least)) <= minutes <= \(JSONValue.number(Self.longest)) else 'None' }}"
      ),
    ]
  }

  private var quick: [Component] {
    let timer = Self.quickTimer
    let members: JSONObject = [
      "command_topic": request(.quick),
      "command_template": .string(
        "{\"id\": \"\(timer)\", \"text\": \"{{ 'in %ss' % (value | float * 60) | int if value | float > 0 else 'off' }}\"}"),
      "state_topic": .string(topics.alarm(timer)), "icon": "mdi:timer-outline",
    ]
    return [
      Component(
        "number", "quick_timer", "Quick timer",
        members.merging(minutes("(value_json.total / 60) | round(2) if value_json is defined and value_json.total else -1", from: 0))),
      Component(
        "text", "quick_alarm", "Quick alarm",
        [
          "command_topic": request(.quick), "command_template": "{\"text\": {{ value | tojson }}}", "min": 1, "max": 255,
          "json_attributes_topic": .string(topics.response(Operation.quick.rawValue)),
          "json_attributes_template": "{{ {'answer': value_json.error.message if 'error' in value_json else 'ok'} | tojson }}",
          "icon": "mdi:alarm-plus",
        ]),
    ]
  }

  private func siren(_ sounds: [String]) -> Component {
    Component(
      "siren", "siren", "Siren",
      [
        // The alarm's own document is there only while it sounds.
        "command_topic": request(.siren), "state_topic": state,
        "state_value_template": .string("{{ 'ON' if '\(RequestBody.Siren.id)' in value_json.alerting else 'OFF' }}"),
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
