/// An open PCM that takes 16-bit stereo without ever blocking. Counts are frames; negative answers are negative `errno` values, as ALSA has them.
protocol PlaybackDevice: AnyObject {
  /// ALSA's number of the card behind the PCM; `nil` where there is none.
  var card: Int32? { get }
  /// How many frames can be written now.
  func available() -> Int
  /// Writes frames, as many as fit; `-EAGAIN` if none do.
  func write(_ frames: UnsafePointer<Int16>, count: Int) -> Int
  /// Starts playing what was written, if it does not play yet.
  func begin() -> Int
  /// Makes the PCM ready again after an underrun or a suspend.
  func prepare() -> Int
  /// Ends the sound at once, with what is buffered, and closes the PCM. Call it once.
  func close()
}

/// Opens a PCM by name at a rate.
typealias PlaybackDeviceOpener = @Sendable (_ name: String, _ rate: Int) throws(OutputError) -> any PlaybackDevice
