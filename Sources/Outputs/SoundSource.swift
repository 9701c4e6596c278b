/// Endless sound: what it holds is repeated without a gap.
protocol SoundSource: AnyObject {
  /// Frames per second.
  var rate: Int { get }

  /// Fills the buffer with the next frames: left and right in turn, within −1…1.
  func render(into buffer: UnsafeMutableBufferPointer<Float>) throws(OutputError)
}
