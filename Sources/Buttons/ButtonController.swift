import LinuxSupport
import Synchronization

/// The node's push buttons.
package final class ButtonController: Sendable {
  private let stopEvent: EventDescriptor
  private let thread: WorkerThread
  private let isStopped = Atomic(false)

  /// Requests the buttons' lines and tells what becomes of them, on a thread of its own. A chip or line that is missing or gets lost is reported
  /// and looked for again every 10 s; the other buttons go on.
  ///
  /// - Parameter report: Called on that thread; it must only hand over.
  /// - Throws: `SystemCallError` if there are no descriptors or threads left.
  package convenience init(buttons: [ButtonConfiguration], report: @escaping @Sendable (ButtonEvent) -> Void) throws(SystemCallError) {
    try self.init(
      buttons: buttons, timing: ButtonTiming(), open: { button throws(ButtonError) in try GPIOInputLine(button) }, report: report)
  }

  init(
    buttons: [ButtonConfiguration], timing: ButtonTiming, open: @escaping InputLineOpener, report: @escaping @Sendable (ButtonEvent) -> Void
  ) throws(SystemCallError) {
    let stop = try EventDescriptor()
    stopEvent = stop
    thread = try WorkerThread(name: "buttons") {
      ButtonLoop(buttons: buttons, timing: timing, stop: stop, open: open, report: report).run()
    }
  }

  deinit { stopEvent.signal() }

  /// Gives the lines back and ends the thread; takes at most a second, even where a driver hangs. Nothing is told afterwards.
  package func stop() {
    guard !isStopped.exchange(true, ordering: .relaxed) else { return }
    stopEvent.signal()
    thread.join(until: SystemClock.elapsedMilliseconds() + 1_000)
  }
}
