import AlarmModel
import JSON

extension Engine {
  /// The alarms that alert, in the order of their ids.
  var alerting: [AlarmRecord] { alarms.ids { $0.state == .alerting }.compactMap { records[$0] } }

  /// What should sound now: the ring that began first, else a short sound.
  private var wanted: Ring? {
    let rings = alerting.compactMap { record in record.alerting.map { (record: record, ring: $0.ring) } }
    let loud = rings.filter { settings.quiet($0.record.alarm.interruptionLevel) == nil && $0.ring >= hushed?.below ?? 0 }
    guard let first = loud.min(by: { $0.ring < $1.ring }) else { return rings.isEmpty ? shortSound?.request : nil }
    let alarm = first.record.alarm
    return Ring(
      ring: first.ring, sound: alarm.sound ?? settings.sound, volume: alarm.volume ?? settings.volume, fadeIn: alarm.fadeIn)
  }

  /// A button is down: what rings now is silent for a moment; what begins to ring meanwhile is not, for the button may be stuck.
  mutating func hush() {
    hushed = (nextRing, present.elapsed + Self.longestHush)
    shortSound = nil
  }

  /// Whether a button that asks for this would change anything now.
  package func hasUse(for operation: AlarmOperation) -> Bool {
    do throws(RequestError) { return try !targets(of: operation, id: nil, occurrence: nil).isEmpty } catch { return false }
  }

  /// The sounds of all enabled alarms, and the one that is set for those without.
  package var neededSounds: Set<String> {
    Set(records.values.filter(\.alarm.isEnabled).compactMap(\.alarm.sound) + [settings.sound])
  }

  /// Whether any alarm counts down.
  package var isCountingDown: Bool { alarms.outlooks.contains { $0.state == .countdown } }

  /// Tells the outputs where they differ from what should sound.
  mutating func updateRing() -> [EngineEffect] {
    let wanted = wanted
    guard wanted?.ring != ringing?.ring else { return [] }
    ringing = wanted
    return [.ring(wanted)]
  }

  /// A short chime, for a reminder.
  mutating func chime(for record: AlarmRecord) {
    guard !settings.isSilent, settings.quiet(record.alarm.interruptionLevel) == nil else { return }
    soundShortly("chime", volume: record.alarm.volume, for: 3)
  }

  mutating func soundShortly(_ sound: String?, volume: Int?, for length: Seconds, outputs: Set<String>? = nil) {
    let request = Ring(
      ring: nextRing, sound: sound ?? settings.sound, volume: volume ?? settings.volume, fadeIn: 0, outputs: outputs)
    nextRing += 1
    shortSound = (request, present.elapsed + length.milliseconds)
  }

  /// The outputs say what sounds: the proof of a ring.
  mutating func sounding(_ ring: UInt64, results: [JSONValue], fallbacks: [String]) {
    guard let record = alerting.first(where: { $0.alerting?.ring == ring }) else { return }
    let receipt: JSONObject = ["outputs": .array(results), "fallbacks": .array(fallbacks.map(JSONValue.string))]
    // The receipt is for the events to come; nothing that is published of the alarm changes.
    alarms[record.alarm.id]?.live?.receipt = receipt
    note(.sounding, record, receipt)
  }

  mutating func outputFailed(_ output: String, code: String, message: String) {
    let record = ringing.flatMap { ringing in alerting.first { $0.alerting?.ring == ringing.ring } }
    note(.outputFailed, record, ["output": .string(output), "code": .string(code), "message": .string(message)])
  }
}
