/// What the buttons tell the node, on their thread; the number is the button's index in the list of configurations.
///
/// A press is `down`, `press`, `up`; holding is `down`, `hold`, `up`. Where the line is lost while the button is down, and after a spike, `down` and
/// `up` follow each other: nothing was meant, or nobody knows what.
package enum ButtonEvent: Sendable, Hashable {
  /// The button has gone down; told at the first edge.
  case down(button: Int)
  /// It has been released before it was held.
  case press(button: Int)
  /// It is still down after a second.
  case hold(button: Int)
  /// It has been up for the debounce time.
  case up(button: Int)
  /// It cannot be read, or is stuck. Told again only if the failure becomes another one.
  case failed(button: Int, error: ButtonError)
  /// It works again.
  case recovered(button: Int)
}
