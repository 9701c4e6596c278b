import Testing

@testable import Configuration

@Suite struct GoodFileTests {
  @Test(
    "An empty file, one with comments only, and one with empty sections give the defaults",
    arguments: [
      "", "\n# nothing\n", "---\n", "~", "mqtt:\noutputs:\nbuttons:\nlimits: {}\nnode: null\nresponse_topics: []\n", "\u{FEFF}# mark\n",
    ])
  func defaults(text: String) throws {
    let configuration = try parse(text)
    #expect(configuration == NodeConfiguration(hostName: "pi"))
    #expect(configuration.node == "pi")
    #expect(configuration.topicPrefix == "reveille")
    #expect(configuration.timeZone == nil)
    #expect(configuration.stateDirectory == "/var/lib/reveille")
    #expect(configuration.soundsDirectory == "/usr/share/reveille/sounds")
    #expect(configuration.mqtt.host == "127.0.0.1")
    #expect(configuration.mqtt.port == 1883)
    #expect(configuration.mqtt.protocolVersion == .v5)
    #expect(configuration.mqtt.keepAlive == 15)
    #expect(!configuration.mqtt.usesTLS)
    #expect(configuration.outputs == NodeConfiguration.Outputs(speaker: NodeConfiguration.Speaker(device: "default"), buzzer: nil))
    #expect(configuration.buttons.isEmpty)
    #expect(configuration.homeAssistant == NodeConfiguration.HomeAssistant(discovery: true, prefix: "homeassistant", alarms: .repeating))
    #expect(configuration.limits.alarms == 64)
    #expect(configuration.responseTopics.isEmpty)
  }

  @Test("The contract's example is read whole")
  func example() throws {
    let configuration = try parse(
      """
      node: bedroom
      topic_prefix: reveille
      time_zone: Europe/Berlin          # default: the system's
      state_directory: /var/lib/reveille
      sounds_directory: /usr/share/reveille/sounds
      mqtt: {host: 127.0.0.1, port: 1883, username: bedroom, password_file: /etc/reveille/password, ca_file: /etc/reveille/ca.pem, protocol: 5}
      outputs:
        speaker: {device: default}      # an ALSA PCM name
        buzzer: {chip: pinctrl-bcm2711, line: 18, active_low: false, after: 60}
      buttons:
        - {chip: pinctrl-bcm2711, line: 27, press: snooze, hold: stop}
      home_assistant: {discovery: true, prefix: homeassistant, alarms: repeating}
      limits: {alarms: 64}
      """)
    var expected = NodeConfiguration(hostName: "bedroom")
    expected.timeZone = "Europe/Berlin"
    expected.mqtt.username = "bedroom"
    expected.mqtt.passwordFile = "/etc/reveille/password"
    expected.mqtt.caFile = "/etc/reveille/ca.pem"
    expected.outputs.buzzer = NodeConfiguration.Buzzer(
      kind: .active(.init(chip: "pinctrl-bcm2711", line: 18, activeLow: false), pattern: .beep, tick: 100), after: 60)
    expected.buttons = [
      NodeConfiguration.Button(chip: "pinctrl-bcm2711", line: 27, press: .operation(.snooze), hold: .operation(.stop))
    ]
    #expect(configuration == expected)
  }

  @Test("Every key away from its default is read")
  func everyKey() throws {
    let configuration = try parse(
      """
      node: "a_b-9"
      topic_prefix: Home-1
      state_directory: /srv/state
      sounds_directory: '/srv/sounds'
      mqtt:
        host: broker.example
        username: "1234"
        certificate_file: /c.pem
        key_file: /k.pem
        os_certificates: yes
        protocol: 3.1.1
        keep_alive: 5
      outputs:
        speaker: no
        buzzer: {chip: "0", line: 0, active_low: True, pattern: "1101", tick: 20}
        light: {chip: "0", line: 1, active_low: yes, alerting: on, countdown: "blink"}
      buttons:
        - chip: /dev/gpiochip0
          line: 1023
          hold: resume
          active_low: FALSE
        - {chip: a, line: 1, press: pause, bias: as_is, idle: light, debounce: 200}
        - {chip: a, line: 2, press: {topic: /lamp/set, payload: "1"}, hold: {topic: a}, idle: chime, debounce: 5}
        - chip: a
          line: 3
          idle:
            topic: ä b
            payload: |
              {"say": "good night"}
        - {chip: a, line: 4, press: "stop", hold: ~, idle: "none", active_low: false, bias: disabled}
        - {chip: a, line: 5, hold: {topic: a, payload: ""}, bias: pull_down}
      home_assistant: {discovery: No, prefix: ha/eins, alarms: none}
      limits: {alarms: 1000}
      response_topics: [homeassistant, node-red/replies]
      """)
    var expected = NodeConfiguration(hostName: "a_b-9")
    expected.topicPrefix = "Home-1"
    expected.stateDirectory = "/srv/state"
    expected.soundsDirectory = "/srv/sounds"
    expected.mqtt = NodeConfiguration.MQTT(
      host: "broker.example", port: 8883, username: "1234", certificateFile: "/c.pem", keyFile: "/k.pem", osCertificates: true,
      protocolVersion: .v311, keepAlive: 5)
    expected.outputs.speaker = nil
    expected.outputs.buzzer = NodeConfiguration.Buzzer(
      kind: .active(.init(chip: "0", line: 0, activeLow: true), pattern: .digits("1101"), tick: 20))
    expected.outputs.light = NodeConfiguration.Light(
      line: .init(chip: "0", line: 1, activeLow: true), alerting: .on, countdown: .blink)
    expected.buttons = [
      NodeConfiguration.Button(chip: "/dev/gpiochip0", line: 1023, hold: .operation(.resume), activeLow: false, bias: .pullDown),
      NodeConfiguration.Button(chip: "a", line: 1, press: .operation(.pause), idle: .light, debounce: 200, bias: .asIs),
      NodeConfiguration.Button(
        chip: "a", line: 2, press: .message(topic: "/lamp/set", payload: "1"), hold: .message(topic: "a", payload: ""), idle: .chime,
        debounce: 5),
      NodeConfiguration.Button(chip: "a", line: 3, idle: .message(topic: "ä b", payload: "{\"say\": \"good night\"}\n")),
      NodeConfiguration.Button(chip: "a", line: 4, press: .operation(.stop), activeLow: false, bias: .disabled),
      NodeConfiguration.Button(chip: "a", line: 5, hold: .message(topic: "a", payload: ""), bias: .pullDown),
    ]
    expected.homeAssistant = NodeConfiguration.HomeAssistant(discovery: false, prefix: "ha/eins", alarms: .none)
    expected.limits.alarms = 1000
    expected.responseTopics = ["homeassistant", "node-red/replies"]
    #expect(configuration == expected)
  }

  @Test("A passive buzzer has a melody, by default the built-in one, and channel 0")
  func passiveBuzzer() throws {
    let text = "wake:d=8,o=5,b=140:c,e,g,8p"
    let melody = try Melody(rtttl: text)
    let whole = try parse("outputs: {buzzer: {pwm: pwmchip0, channel: 1, after: 0, melody: '\(text)'}}").outputs.buzzer
    #expect(whole == NodeConfiguration.Buzzer(kind: .passive(pwm: "pwmchip0", channel: 1, melody: melody), after: 0))
    // Between the braces of a short mapping the commas need quotes; on a line of its own they do not.
    let block = try parse("outputs:\n  buzzer:\n    pwm: 1f00098000.pwm\n    melody: \(text)\n").outputs.buzzer
    #expect(block == NodeConfiguration.Buzzer(kind: .passive(pwm: "1f00098000.pwm", channel: 0, melody: melody)))
    let short = try parse("outputs: {buzzer: {pwm: /sys/class/pwm/pwmchip0}}").outputs.buzzer
    #expect(short == NodeConfiguration.Buzzer(kind: .passive(pwm: "/sys/class/pwm/pwmchip0", channel: 0, melody: .standard)))
  }

  @Test(
    "An active buzzer's pattern is a word or digits",
    arguments: [
      ("beep", .beep), ("urgent", .urgent), ("'1'", .digits("1")), ("'01'", .digits("01")),
      ("'" + String(repeating: "10", count: 32) + "'", .digits(String(repeating: "10", count: 32))),
    ] as [(String, NodeConfiguration.Buzzer.Pattern)])
  func pattern(text: String, pattern: NodeConfiguration.Buzzer.Pattern) throws {
    let buzzer = try parse("outputs: {buzzer: {chip: a, line: 1, pattern: \(text), tick: 2000}}").outputs.buzzer
    #expect(buzzer == NodeConfiguration.Buzzer(kind: .active(.init(chip: "a", line: 1), pattern: pattern, tick: 2000)))
  }

  @Test("A light needs only its line: it blinks while alerting and is off during countdowns")
  func light() throws {
    let light = try parse("outputs: {light: {chip: a, line: 1}}").outputs.light
    #expect(light == NodeConfiguration.Light(line: .init(chip: "a", line: 1), alerting: .blink, countdown: .off))
    #expect(try parse("outputs: {light: {chip: a, line: 1, countdown: off}}").outputs.light == light)
    #expect(try parse("outputs: {buzzer: false, light: no}").outputs == NodeConfiguration.Outputs())
  }

  @Test("With TLS the port is 8883, unless it is given")
  func port() throws {
    #expect(try parse("mqtt: {ca_file: /ca}").mqtt.port == 8883)
    #expect(try parse("mqtt: {os_certificates: true}").mqtt.port == 8883)
    #expect(try parse("mqtt: {os_certificates: false}").mqtt.port == 1883)
    #expect(try parse("mqtt: {ca_file: /ca, port: 1883}").mqtt.port == 1883)
  }

  @Test("An IPv6 address is a host")
  func addressAsHost() throws {
    #expect(try parse("mqtt: {host: 'fe80::1%eth0'}").mqtt.host == "fe80::1%eth0")
  }

  @Test(
    "The host name becomes a node name",
    arguments: [
      ("raspberrypi", "raspberrypi"), ("Kitchen.Local", "kitchen-local"), ("büro", "b-ro"), ("(none)", "-none-"), ("", "reveille"),
      (String(repeating: "x", count: 64), String(repeating: "x", count: 32)), ("a_b-1", "a_b-1"),
    ])
  func hostName(host: String, node: String) {
    #expect(NodeConfiguration(hostName: host).node == node)
  }

  @Test("The system's host name is used")
  func systemHostName() throws {
    #expect(try NodeConfiguration.parse(text: "", file: "f").node == NodeConfiguration(hostName: NodeConfiguration.systemHostName()).node)
    #expect(!NodeConfiguration.systemHostName().isEmpty)
  }
}
