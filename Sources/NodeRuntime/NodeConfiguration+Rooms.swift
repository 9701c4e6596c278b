import Configuration
import JSON
import MQTTTransport
import Outputs

// The configuration in the words of the rooms that it is for.
extension NodeConfiguration {
  var outputsConfiguration: OutputsConfiguration {
    OutputsConfiguration(
      speaker: outputs.speaker.map { OutputsConfiguration.Speaker(device: $0.device, mixer: $0.mixer) },
      buzzer: outputs.buzzer.map {
        OutputsConfiguration.Buzzer(chip: $0.chip, line: UInt32($0.line), activeLow: $0.activeLow, after: $0.after.map(Double.init))
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
      descriptions.append(["kind": "buzzer", "chip": .string(buzzer.chip), "line": JSONValue(buzzer.line)])
    }
    return descriptions
  }

  /// The buttons for the info document.
  var buttonDescriptions: [JSONObject] {
    buttons.map { button in
      [
        "chip": .string(button.chip), "line": JSONValue(button.line), "press": JSONValue(button.press?.rawValue),
        "hold": JSONValue(button.hold?.rawValue),
      ]
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
