/// One way to make the speaker sound.
struct ChainStep: Sendable, Hashable {
  var sound: String
  /// The PCM name.
  var device: String
  /// What this step is called among the fallbacks; `nil` for the first.
  var fallback: String?

  /// The alarm's sound on its device, the built-in tone there, the built-in tone on the default card; without repetitions.
  static func chain(sound: String, device: String) -> [ChainStep] {
    let tone = BuiltInTone.standard.rawValue
    var steps = [ChainStep(sound: sound, device: device)]
    if sound != tone { steps.append(ChainStep(sound: tone, device: device, fallback: "built-in-tone")) }
    if device != "default" { steps.append(ChainStep(sound: tone, device: "default", fallback: "default-card")) }
    return steps
  }
}
