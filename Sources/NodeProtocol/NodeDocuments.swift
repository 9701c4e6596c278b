import AlarmEngine
import JSON

/// The retained `info` document: what the node is and can do.
package struct InfoDocument: Hashable, Sendable {
  package var node: String
  package var timeZone: String
  package var sounds: [String]
  /// The outputs that are configured, each with its kind and what it is.
  package var outputs: [JSONObject]
  package var buttons: [JSONObject]
  package var maximumAlarms: Int
  /// Those that may be asked for.
  package var operations: [Operation]

  package init(
    node: String, timeZone: String, sounds: [String], outputs: [JSONObject], buttons: [JSONObject], maximumAlarms: Int,
    operations: [Operation]
  ) {
    self.node = node
    self.timeZone = timeZone
    self.sounds = sounds
    self.outputs = outputs
    self.buttons = buttons
    self.maximumAlarms = maximumAlarms
    self.operations = operations
  }

  package var json: JSONObject {
    [
      "version": .string(Version.program), "contract": .integer(Int64(Version.contract)), "node": .string(node),
      "timeZone": .string(timeZone),
      "sounds": .array(sounds.map(JSONValue.string)), "outputs": .array(outputs.map(JSONValue.object)),
      "buttons": .array(buttons.map(JSONValue.object)),
      "limits": ["alarms": JSONValue(maximumAlarms), "payload": JSONValue(CommandReader.maximumPayload)],
      "operations": .array(operations.map { .string($0.rawValue) }),
    ]
  }
}

/// The retained `health` document: whether an alarm would ring.
package struct HealthDocument: Hashable, Sendable {
  package struct Problem: Hashable, Sendable {
    /// A stable word.
    package var code: String
    /// A sentence that says what is wrong and what to do.
    package var message: String

    package init(code: String, message: String) {
      self.code = code
      self.message = message
    }
  }

  package var problems: [Problem]
  /// `synced`, `plausible` or `untrusted`.
  package var clockTrust: String
  /// Each output's name and whether it is well.
  package var outputs: [String: Bool]
  package var isStorageWritable: Bool
  package var waitingEvents: Int
  /// Seconds since the program started.
  package var uptime: Int64

  package init(
    problems: [Problem], clockTrust: String, outputs: [String: Bool], isStorageWritable: Bool, waitingEvents: Int, uptime: Int64
  ) {
    self.problems = problems
    self.clockTrust = clockTrust
    self.outputs = outputs
    self.isStorageWritable = isStorageWritable
    self.waitingEvents = waitingEvents
    self.uptime = uptime
  }

  package var json: JSONObject {
    [
      "ready": .bool(problems.isEmpty),
      "problems": .array(problems.map { ["code": .string($0.code), "message": .string($0.message)] }),
      "clock": ["trust": .string(clockTrust)],
      "outputs": .object(JSONObject(outputs.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value ? "ok" : "failed")) })),
      "storage": .string(isStorageWritable ? "ok" : "failed"), "waitingEvents": JSONValue(waitingEvents), "uptime": .integer(uptime),
    ]
  }
}
