/// What became of one output when a ring started.
package struct OutputResult: Sendable, Hashable {
  package var output: OutputKind
  /// The PCM name, or the chip and line.
  package var detail: String
  /// What actually sounds there: a sound's name, or `buzzer`.
  package var sound: String
  package var ok: Bool
  /// Why nothing sounds there; `nil` if `ok`.
  package var error: OutputError?

  package init(output: OutputKind, detail: String, sound: String, error: OutputError? = nil) {
    self.output = output
    self.detail = detail
    self.sound = sound
    self.ok = error == nil
    self.error = error
  }
}
