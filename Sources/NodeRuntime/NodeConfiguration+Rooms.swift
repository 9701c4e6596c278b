import Configuration
import JSON
import MQTTTransport
import Outputs

// The configuration in the words of the rooms that it is for.
extension NodeConfiguration {
  var outputsConfiguration: OutputsConfiguration {
    OutputsConfiguration(
      speaker: outputs.speaker.map { OutputsConfiguration.Speaker(device: $0.device, mixer: $0.mixer) },
      buzzer: outputs.buzzer.map { OutputsConfiguration.Buzzer($0) },
      light: outputs.light.map { light in
        OutputsConfiguration.Light(
          line: OutputsConfiguration.GPIOLine(light.line), alerting: light.alerting == .on ? .steady : .blinking(every: 500),
          countdown: light.countdown == .off ? nil : light.countdown == .on ? .steady : .blinking(every: 1_000))
      },
      soundsDirectory: soundsDirectory)
  }

  /// - Throws: `NodeError` where the password cannot be read.
  func transportConfiguration(will: MQTTPublication) throws(NodeError) -> MQTTConfiguration {
    let password: String?
    do throws(PasswordFileError) { password = try mqtt.password() } catch { throw NodeError("mqtt.password_file: \(error.message)") }
    return MQTTConfiguration(
      host: mqtt.host, port: UInt16(mqtt.port), clientID: "reveille-\(node)", username: mqtt.username, password: password,
      caFile: mqtt.caFile,
      clientCertificateFile: mqtt.certificateFile, clientKeyFile: mqtt.keyFile, useOSCertificates: mqtt.osCertificates,
      protocolVersion: mqtt.protocolVersion == .v5 ? .v5 : .v311, keepAlive: UInt16(mqtt.keepAlive), will: will)
  }

  /// The kinds of outputs that there are.
  var outputNames: Set<String> { Set(outputDescriptions.compactMap { $0["kind"]?.string }) }

  /// The outputs for the info document.
  var outputDescriptions: [JSONObject] {
    var descriptions: [JSONObject] = []
    if let speaker = outputs.speaker { descriptions.append(["kind": "speaker", "device": .string(speaker.device)]) }
    if let buzzer = outputs.buzzer {
      switch buzzer.kind {
      case .active(let line, _, _): descriptions.append(["kind": "buzzer", "chip": .string(line.chip), "line": JSONValue(line.line)])
      case .passive(let pwm, let channel, _):
        descriptions.append(["kind": "buzzer", "pwm": .string(pwm), "channel": JSONValue(channel)])
      }
    }
    if let light = outputs.light {
      descriptions.append([
        "kind": "light", "chip": .string(light.line.chip), "line": JSONValue(light.line.line), "alerting": .string(light.alerting.rawValue),
        "countdown": .string(light.countdown.rawValue),
      ])
    }
    return descriptions
  }

  /// The buttons for the info document.
  var buttonDescriptions: [JSONObject] {
    buttons.map { button in
      [
        "chip": .string(button.chip), "line": JSONValue(button.line), "press": JSONValue(button.press?.rawValue),
        "hold": JSONValue(button.hold?.rawValue), "idle": .string(button.idle.word),
      ]
    }
  }
}

extension OutputsConfiguration.GPIOLine {
  init(_ line: NodeConfiguration.OutputLine) { self.init(chip: line.chip, offset: UInt32(line.line), activeLow: line.activeLow) }
}

extension OutputsConfiguration.Buzzer {
  init(_ buzzer: NodeConfiguration.Buzzer) {
    let after = buzzer.after.map(Double.init)
    switch buzzer.kind {
    case .active(let line, let pattern, let tick):
      self.init(line: .gpio(OutputsConfiguration.GPIOLine(line)), pattern: OutputPattern(pattern, tick: Int64(tick)), after: after)
    case .passive(let pwm, let channel, let melody):
      self.init(
        line: .pwm(OutputsConfiguration.PWMChannel(chip: pwm, channel: UInt32(channel))),
        pattern: OutputPattern(notes: melody.notes.map { ($0.frequency, $0.length) }), after: after)
    }
  }
}

extension OutputPattern {
  init(_ pattern: NodeConfiguration.Buzzer.Pattern, tick: Int64) {
    switch pattern {
    case .beep: self = .beep(tick: tick)
    case .urgent: self = .urgent(tick: tick)
    case .digits(let digits): self.init(digits: digits, tick: tick)
    }
  }
}

extension OutputResult {
  /// The result as events have it.
  var json: JSONValue {
    [
      "output": .string(output.rawValue), "device": .string(detail), "sound": .string(sound), "ok": .bool(ok),
      "error": error.map { ["code": .string($0.code.rawValue), "message": .string($0.message)] } ?? .null,
    ]
  }
}
