/// The times by which the outputs act, in milliseconds; tests shorten the long ones.
struct OutputTiming: Sendable {
  /// How often the card's buffer of 200 ms is topped up.
  var topUp: Int64 = 40
  /// A device that takes nothing for so long has stalled.
  var stall: Int64 = 1_000
  /// How often a better step of the chain, or an idle output that failed, is tried again.
  var retry: Int64 = 10_000
  /// The same for a device that opened but stalled: each try costs a second of silence.
  var stalledRetry: Int64 = 60_000
  /// How often an idle speaker that works is tried.
  var check: Int64 = 600_000
  /// The first wait while nothing works at all; it doubles up to `retry`.
  var urgentRetry: Int64 = 2_000
  /// The buzzer joins when the speaker's thread itself has been stuck for so long, as on a dying SD card.
  var speakerSilence: Int64 = 1_500
  /// How long access that is denied may still be given by udev, before it counts as a failure.
  var accessGrace: Int64 = 1_000
  /// How often it is tried meanwhile.
  var accessRetry: Int64 = 50
}
