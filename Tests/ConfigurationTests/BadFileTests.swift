import Testing

@testable import Configuration

@Suite struct BadFileTests {
  @Test(
    "A problem is told with its place, its key and what would be right",
    arguments: [
      // Keys
      ("nodes: a", "f.yaml:1:1: nodes: unknown key; did you mean node?"),
      ("topic-prefix: a", "f.yaml:1:1: topic-prefix: unknown key; did you mean topic_prefix?"),
      ("limits: {alarms: 1, x: 2}", "f.yaml:1:21: limits.x: unknown key; known here: alarms, operations"),
      ("outputs:\n  buzer: {}", "f.yaml:2:3: outputs.buzer: unknown key; did you mean buzzer?"),
      (
        "\"a b\": 1",
        "f.yaml:1:1: \"a b\": unknown key; known here: node, topic_prefix, time_zone, state_directory, sounds_directory, mqtt, outputs, buttons, home_assistant, limits, response_topics"
      ),
      (
        "<<: {node: a}",
        "f.yaml:1:1: \"<<\": unknown key; known here: node, topic_prefix, time_zone, state_directory, sounds_directory, mqtt, outputs, buttons, home_assistant, limits, response_topics"
      ),
      ("node: a\nlimits:\n  alarms: 3\nnode: b", "f.yaml:4:1: the key \"node\" is already on line 1"),
      ("mqtt: {host: a, host: b}", "f.yaml:1:17: the key \"host\" is already on line 1"),
      ("? [a]\n: b", "f.yaml:1:3: a key must be a word, not a list or a mapping"),
      // Kinds of values
      ("[a, b]", "f.yaml:1:1: the file must be a mapping of keys to values"),
      ("just text", "f.yaml:1:1: the file must be a mapping of keys to values"),
      ("mqtt: broker", "f.yaml:1:7: mqtt: must be a mapping of keys to values"),
      ("outputs: {speaker: yes}", "f.yaml:1:20: outputs.speaker: must be a mapping of keys to values"),
      ("buttons: {chip: a}", "f.yaml:1:10: buttons: must be a list"),
      ("buttons:\n  - snooze", "f.yaml:2:5: buttons[0]: must be a mapping of keys to values"),
      ("node: [a]", "f.yaml:1:7: node: must be text"),
      ("node: 12", "f.yaml:1:7: node: must be text; write it in quotes: \"12\""),
      ("node: -1.5e3", "f.yaml:1:7: node: must be text; write it in quotes: \"-1.5e3\""),
      ("mqtt: {username: No}", "f.yaml:1:18: mqtt.username: must be text; write it in quotes: \"No\""),
      ("mqtt: {os_certificates: 1}", "f.yaml:1:25: mqtt.os_certificates: must be true or false"),
      ("mqtt: {os_certificates: on}", "f.yaml:1:25: mqtt.os_certificates: must be true or false"),
      ("mqtt: {os_certificates: \"true\"}", "f.yaml:1:25: mqtt.os_certificates: must be true or false"),
      ("limits: {alarms: \"64\"}", "f.yaml:1:18: limits.alarms: must be a whole number from 1 to 1000, without quotes"),
      ("limits: {operations: list}", "f.yaml:1:22: limits.operations: must be a list"),
      ("limits: {operations: [list, \"a b\"]}", "f.yaml:1:29: limits.operations[1]: must be an operation's name"),
      ("limits: {alarms: many}", "f.yaml:1:18: limits.alarms: must be a whole number from 1 to 1000"),
      ("limits: {alarms: 064}", "f.yaml:1:18: limits.alarms: must be a whole number from 1 to 1000"),
      ("limits: {alarms: 6.4}", "f.yaml:1:18: limits.alarms: must be a whole number from 1 to 1000"),
      ("limits: {alarms: 99999999999999999999}", "f.yaml:1:18: limits.alarms: must be a whole number from 1 to 1000"),
      ("limits: {alarms: [1]}", "f.yaml:1:18: limits.alarms: must be a whole number from 1 to 1000"),
      // Ranges and forms
      ("limits: {alarms: 0}", "f.yaml:1:18: limits.alarms: must be a whole number from 1 to 1000"),
      ("limits: {alarms: 1001}", "f.yaml:1:18: limits.alarms: must be a whole number from 1 to 1000"),
      ("mqtt: {port: 0}", "f.yaml:1:14: mqtt.port: must be a whole number from 1 to 65535"),
      ("mqtt: {port: 65536}", "f.yaml:1:14: mqtt.port: must be a whole number from 1 to 65535"),
      ("mqtt: {keep_alive: 4}", "f.yaml:1:20: mqtt.keep_alive: must be a whole number from 5 to 65535"),
      ("mqtt: {keep_alive: -1}", "f.yaml:1:20: mqtt.keep_alive: must be a whole number from 5 to 65535"),
      ("mqtt: {protocol: 4}", "f.yaml:1:18: mqtt.protocol: must be one of 5, 3.1.1"),
      ("mqtt: {host: 'mqtt://broker'}", "f.yaml:1:14: mqtt.host: must be a host name or an address alone, without scheme and port"),
      ("mqtt: {host: 'broker:1883'}", "f.yaml:1:14: mqtt.host: must be a host name or an address alone, without scheme and port"),
      ("mqtt: {host: ''}", "f.yaml:1:14: mqtt.host: must not be empty"),
      ("mqtt: {username: \"a\\0b\"}", "f.yaml:1:18: mqtt.username: must not contain control characters"),
      ("mqtt: {password_file: /p}", "f.yaml:1:23: mqtt.password_file: needs username as well"),
      ("mqtt: {ca_file: ca.pem}", "f.yaml:1:17: mqtt.ca_file: must be an absolute path, one that starts with /"),
      ("mqtt: {ca_file: /a, key_file: /k}", "f.yaml:1:31: mqtt.key_file: needs certificate_file as well"),
      ("state_directory: state", "f.yaml:1:18: state_directory: must be an absolute path, one that starts with /"),
      ("node: Bedroom", "f.yaml:1:7: node: must be 1 to 32 of the characters a-z, 0-9, _ and -"),
      ("node: abcdefghijklmnopqrstuvwxyz0123456", "f.yaml:1:7: node: must be 1 to 32 of the characters a-z, 0-9, _ and -"),
      ("topic_prefix: a/b", "f.yaml:1:15: topic_prefix: must be one topic level, 1 to 64 of the characters A-Z, a-z, 0-9, _ and -"),
      ("topic_prefix: '+'", "f.yaml:1:15: topic_prefix: must be one topic level, 1 to 64 of the characters A-Z, a-z, 0-9, _ and -"),
      ("home_assistant: {alarms: some}", "f.yaml:1:26: home_assistant.alarms: must be one of repeating, all, none"),
      (
        "home_assistant: {prefix: a//b}",
        "f.yaml:1:26: home_assistant.prefix: must be topic levels with / between them, none of them empty, without + and # and a leading $"
      ),
      (
        "topic_prefix: ha\nhome_assistant: {prefix: ha}",
        "f.yaml:2:26: home_assistant.prefix: must not be the topic_prefix, and not lie below the node's own topics"
      ),
      (
        "node: x\nhome_assistant: {prefix: reveille/x/y}",
        "f.yaml:2:26: home_assistant.prefix: must not be the topic_prefix, and not lie below the node's own topics"
      ),
      (
        "topic_prefix: homeassistant",
        "f.yaml:1:15: topic_prefix: must not be home_assistant.prefix, which is \"homeassistant\" if it is left out"
      ),
      (
        "response_topics:\n  - ok\n  - a/#",
        "f.yaml:3:5: response_topics[1]: must be topic levels with / between them, none of them empty, without + and # and a leading $"
      ),
      (
        "response_topics: [$SYS]",
        "f.yaml:1:19: response_topics[0]: must be topic levels with / between them, none of them empty, without + and # and a leading $"
      ),
      ("outputs: {buzzer: {line: 4}}", "f.yaml:1:19: outputs.buzzer.chip: is missing"),
      ("outputs: {buzzer: {chip: a, line: 1024}}", "f.yaml:1:35: outputs.buzzer.line: must be a whole number from 0 to 1023"),
      ("outputs: {buzzer: {chip: a, line: 4, after: 60s}}", "f.yaml:1:45: outputs.buzzer.after: must be a whole number from 0 to 3600"),
      ("buttons:\n  - {chip: a, line: 4}", "f.yaml:2:5: buttons[0].press: is missing, and so are hold and idle; give one of them or more"),
      (
        "buttons: [{chip: a, line: 4, idle: none}]",
        "f.yaml:1:11: buttons[0].press: is missing, and so are hold and idle; give one of them or more"
      ),
      (
        "buttons: [{chip: a, line: 4, press: ring}]",
        "f.yaml:1:37: buttons[0].press: must be one of snooze, stop, pause, resume or {topic: T, payload: P}"
      ),
      (
        "buttons: [{chip: a, line: 4, hold: [stop]}]",
        "f.yaml:1:36: buttons[0].hold: must be one of snooze, stop, pause, resume or {topic: T, payload: P}"
      ),
      (
        "buttons: [{chip: a, line: 4, press: stop, idle: snooze}]",
        "f.yaml:1:49: buttons[0].idle: must be one of none, chime, light or {topic: T, payload: P}"
      ),
      ("buttons: [{chip: a, line: 4, press: {payload: x}}]", "f.yaml:1:37: buttons[0].press.topic: is missing"),
      (
        "buttons: [{chip: a, line: 4, press: {topic: a/+}}]",
        "f.yaml:1:45: buttons[0].press.topic: must be a topic without + and # and a leading $"
      ),
      (
        "buttons: [{chip: a, line: 4, hold: {topic: 'a/#'}}]",
        "f.yaml:1:44: buttons[0].hold.topic: must be a topic without + and # and a leading $"
      ),
      (
        "buttons: [{chip: a, line: 4, idle: {topic: $SYS/a}}]",
        "f.yaml:1:44: buttons[0].idle.topic: must be a topic without + and # and a leading $"
      ),
      ("buttons: [{chip: a, line: 4, press: {topic: ''}}]", "f.yaml:1:45: buttons[0].press.topic: must not be empty"),
      (
        "buttons: [{chip: a, line: 4, press: {topic: \"a\\0\"}}]",
        "f.yaml:1:45: buttons[0].press.topic: must not contain control characters"
      ),
      (
        "buttons: [{chip: a, line: 4, press: {topic: a, payload: 1}}]",
        "f.yaml:1:57: buttons[0].press.payload: must be text; write it in quotes: \"1\""
      ),
      ("buttons: [{chip: a, line: 4, press: {topic: a, payload: {b: 1}}}]", "f.yaml:1:57: buttons[0].press.payload: must be text"),
      (
        "buttons: [{chip: a, line: 4, press: {topic: a, payloads: b}}]",
        "f.yaml:1:48: buttons[0].press.payloads: unknown key; did you mean payload?"
      ),
      ("buttons: [{chip: a, line: 4, press: stop, debounce: 4}]", "f.yaml:1:53: buttons[0].debounce: must be a whole number from 5 to 200"),
      (
        "buttons: [{chip: a, line: 4, press: stop, debounce: 201}]",
        "f.yaml:1:53: buttons[0].debounce: must be a whole number from 5 to 200"
      ),
      (
        "outputs: {buzzer: {after: 4}}",
        "f.yaml:1:19: outputs.buzzer.chip: is missing, and so is pwm; give chip and line for an active buzzer or pwm for a passive one"
      ),
      (
        "outputs: {buzzer: {chip: a, line: 4, pwm: pwmchip0}}",
        "f.yaml:1:43: outputs.buzzer.pwm: is for a passive buzzer, chip and line are for an active one; give only one of them"
      ),
      (
        "outputs: {buzzer: {pwm: pwmchip0, line: 4, active_low: true, channel: 1}}",
        "f.yaml:1:25: outputs.buzzer.pwm: is for a passive buzzer, chip and line are for an active one; give only one of them"
      ),
      (
        "outputs: {buzzer: {pwm: pwmchip0, tick: 100}}",
        "f.yaml:1:41: outputs.buzzer.tick: is for an active buzzer, one with chip and line"
      ),
      (
        "outputs: {buzzer: {chip: a, line: 4, melody: 'a::c'}}", "f.yaml:1:46: outputs.buzzer.melody: is for a passive buzzer, one with pwm"
      ),
      ("outputs: {buzzer: {pwm: 0}}", "f.yaml:1:25: outputs.buzzer.pwm: must be text; write it in quotes: \"0\""),
      ("outputs: {buzzer: {pwm: a, channel: 256}}", "f.yaml:1:37: outputs.buzzer.channel: must be a whole number from 0 to 255"),
      (
        "outputs: {buzzer: {pwm: a, melody: 'a:d=4:c,8x'}}",
        "f.yaml:1:36: outputs.buzzer.melody: character 9: \"8x\" is not a note: a length, a letter a to g or p for a pause, #, an octave, and a dot, such as 8c#6."
      ),
      ("outputs: {buzzer: {chip: a, line: 4, patern: beep}}", "f.yaml:1:38: outputs.buzzer.patern: unknown key; did you mean pattern?"),
      (
        "outputs: {buzzer: {chip: a, line: 4, pattern: 1101}}",
        "f.yaml:1:47: outputs.buzzer.pattern: must be text; write it in quotes: \"1101\""
      ),
      (
        "outputs: {buzzer: {chip: a, line: 4, pattern: '0000'}}",
        "f.yaml:1:47: outputs.buzzer.pattern: must be beep, urgent, or 1 to 64 of the digits 1 and 0 in quotes, with at least one 1"
      ),
      (
        "outputs: {buzzer: {chip: a, line: 4, pattern: '12'}}",
        "f.yaml:1:47: outputs.buzzer.pattern: must be beep, urgent, or 1 to 64 of the digits 1 and 0 in quotes, with at least one 1"
      ),
      (
        "outputs: {buzzer: {chip: a, line: 4, pattern: '11111111111111111111111111111111111111111111111111111111111111111'}}",
        "f.yaml:1:47: outputs.buzzer.pattern: must be beep, urgent, or 1 to 64 of the digits 1 and 0 in quotes, with at least one 1"
      ),
      ("outputs: {buzzer: {chip: a, line: 4, tick: 19}}", "f.yaml:1:44: outputs.buzzer.tick: must be a whole number from 20 to 2000"),
      ("outputs: {light: {chip: a}}", "f.yaml:1:18: outputs.light.line: is missing"),
      ("outputs: {light: {chip: a, line: 4, alerting: off}}", "f.yaml:1:47: outputs.light.alerting: must be one of on, blink"),
      ("outputs: {light: {chip: a, line: 4, countdown: slow}}", "f.yaml:1:48: outputs.light.countdown: must be one of off, on, blink"),
      (
        "outputs: {light: {chip: a, line: 4, pattern: '1'}}",
        "f.yaml:1:37: outputs.light.pattern: unknown key; known here: chip, line, active_low, alerting, countdown"
      ),
      (
        "outputs: {buzzer: {chip: a, line: 4}, light: {chip: a, line: 4}}",
        "f.yaml:1:62: outputs.light.line: line 4 of \"a\" is already used by outputs.buzzer"
      ),
      (
        "buttons: [{chip: a, line: 4, press: stop, bias: up}]",
        "f.yaml:1:49: buttons[0].bias: must be one of pull_up, pull_down, disabled, as_is"
      ),
      (
        "outputs: {buzzer: {chip: a, line: 4}}\nbuttons: [{chip: a, line: 4, press: stop}]",
        "f.yaml:2:27: buttons[0].line: line 4 of \"a\" is already used by outputs.buzzer"
      ),
      // YAML itself
      ("a: *b", "f.yaml:1:4: aliases (*name) are not supported; repeat the value"),
      ("node: &n a", "f.yaml:1:7: anchors (&name) are not supported; take it out"),
      ("mqtt: &n {}", "f.yaml:1:7: anchors (&name) are not supported; take it out"),
      ("node: !!str 1", "f.yaml:1:7: tags (!name) are not supported; take it out"),
      ("buttons: !x []", "f.yaml:1:10: tags (!name) are not supported; take it out"),
      ("node: a\n---\nnode: b", "f.yaml:2:1: the file has a second document; keep one"),
      ("node: a\n\tmqtt: b", "f.yaml:2:1: while scanning a plain scalar: found a tab character that violates indentation"),
      ("node: [a", "f.yaml:2:1: while parsing a flow sequence: did not find expected ',' or ']'"),
      ("ünode: 'a", "f.yaml:1:10: while scanning a quoted scalar: found unexpected end of stream"),
    ] as [(String, String)])
  func problem(text: String, complaint: String) {
    #expect(complaints(text) == [complaint])
  }

  @Test("All problems of a file are told, in its order")
  func all() {
    #expect(
      complaints(
        """
        node: Bedroom
        mqtt:
          prot: 1883
          protocol: 4
          key_file: k.pem
        outputs:
          buzzer: {}
        buttons:
          - {chip: 1, line: x, press: y}
          - {}
        limit: 5
        """) == [
          "f.yaml:1:7: node: must be 1 to 32 of the characters a-z, 0-9, _ and -",
          "f.yaml:3:3: mqtt.prot: unknown key; did you mean port?",
          "f.yaml:4:13: mqtt.protocol: must be one of 5, 3.1.1",
          "f.yaml:5:13: mqtt.key_file: must be an absolute path, one that starts with /",
          "f.yaml:5:13: mqtt.key_file: needs certificate_file as well",
          "f.yaml:5:13: mqtt.key_file: needs ca_file or os_certificates: true as well",
          "f.yaml:7:11: outputs.buzzer.chip: is missing, and so is pwm; give chip and line for an active buzzer or pwm for a passive one",
          "f.yaml:9:12: buttons[0].chip: must be text; write it in quotes: \"1\"",
          "f.yaml:9:21: buttons[0].line: must be a whole number from 0 to 1023",
          "f.yaml:9:31: buttons[0].press: must be one of snooze, stop, pause, resume or {topic: T, payload: P}",
          "f.yaml:10:5: buttons[1].chip: is missing",
          "f.yaml:10:5: buttons[1].line: is missing",
          "f.yaml:10:5: buttons[1].press: is missing, and so are hold and idle; give one of them or more",
          "f.yaml:11:1: limit: unknown key; did you mean limits?",
        ])
  }

  @Test("Columns count characters, not bytes")
  func columns() {
    #expect(complaints("{\"ä€😀\": 1, nodes: a}").last == "f.yaml:1:12: nodes: unknown key; did you mean node?")
  }

  @Test("Bytes that are not UTF-8, and control characters, are told by place")
  func notText() {
    #expect(complaints(Array("node: a\nx: \"ä".utf8) + [0xFF]) == ["f.yaml:2:6: invalid leading UTF-8 octet"])
    #expect(complaints("node: a\u{1}") == ["f.yaml:1:8: control characters are not allowed"])
  }

  @Test("A key of a megabyte does not make a message of a megabyte")
  func longKey() {
    let lines = complaints(String(repeating: "k", count: 900) + ": 1")
    #expect(lines.count == 1 && lines[0].utf8.count < 400)
  }

  @Test("At most a hundred problems are told")
  func many() {
    #expect(complaints((0..<5000).map { "key\($0): 1\n" }.joined()).count == 100)
  }
}
