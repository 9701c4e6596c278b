import Glibc
import LinuxSupport

/// The buttons' thread: holds the lines and tells what becomes of them.
///
/// Every wake does all there is to do for all buttons; there are few of either.
final class ButtonLoop {
  private struct Button {
    let configuration: ButtonConfiguration
    var held: (line: any InputLine, state: ButtonState)?
    var failure: ButtonError.Code?
    /// When the line is requested (again) if it is not held.
    var requestAt: Int64 = 0
  }

  private let stop: EventDescriptor
  private let timing: ButtonTiming
  private let open: InputLineOpener
  private let report: @Sendable (ButtonEvent) -> Void
  private var buttons: [Button]

  init(
    buttons: [ButtonConfiguration], timing: ButtonTiming, stop: EventDescriptor, open: @escaping InputLineOpener,
    report: @escaping @Sendable (ButtonEvent) -> Void
  ) {
    self.buttons = buttons.map { Button(configuration: $0) }
    self.timing = timing
    self.stop = stop
    self.open = open
    self.report = report
  }

  /// Runs until `stop` is signalled.
  func run() {
    repeat {
      for index in buttons.indices { serve(index) }
    } while !waitForNews()
    for button in buttons { button.held?.line.release() }
  }

  /// Waits for an edge, the next deadline or the next look. Answers whether it is time to stop.
  private func waitForNews() -> Bool {
    let now = SystemClock.elapsedMilliseconds()
    // A kernel may tell nobody that a chip is gone: it shows when its lines are looked at.
    var next = now + timing.retry
    var watched = [pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0)]
    for button in buttons {
      if let held = button.held {
        next = min(next, held.state.nextDeadline ?? next)
        watched.append(pollfd(fd: held.line.descriptor, events: Int16(POLLIN), revents: 0))
      } else {
        next = min(next, button.requestAt)
      }
    }
    // An interruption (EINTR) is an early wake; nothing else can fail with valid descriptors.
    poll(&watched, nfds_t(watched.count), Int32(clamping: max(0, next - now)))
    return watched[0].revents != 0
  }

  private func serve(_ index: Int) {
    let configuration = buttons[index].configuration
    // Before the edges are read, so that none of those up to now is missing when time is told.
    let now = SystemClock.elapsedMilliseconds()
    do throws(ButtonError) {
      if buttons[index].held == nil {
        guard now >= buttons[index].requestAt else { return }
        try request(index, now: now)
      }
      do throws(SystemCallError) { try read(index, now: now) } catch { throw .lineLost(configuration, error) }
      // Only now: a line may be there for the asking and fail at every reading.
      if buttons[index].failure != .buttonStuck { recover(index) }
    } catch { fail(index, error, now: now) }
  }

  private func request(_ index: Int, now: Int64) throws(ButtonError) {
    let configuration = buttons[index].configuration
    let line = try open(configuration)
    do throws(SystemCallError) {
      let isDown = try line.isDown()
      let state = ButtonState(isDown: isDown, at: now, debounce: configuration.debounce, timing: timing)
      buttons[index].held = (line, state)
    } catch {
      line.release()
      throw .lineLost(configuration, error)
    }
  }

  private func read(_ index: Int, now: Int64) throws(SystemCallError) {
    guard let line = buttons[index].held?.line else { return }
    var edges: [Edge]
    do throws(SystemCallError) {
      edges = try line.takeEdges()
    } catch  where error.errno == EINTR || error.errno == EAGAIN {
      edges = []  // They are still there, and wake us again.
    }
    for edge in edges { tell(index, buttons[index].held?.state.edge(isDown: edge.isDown, at: edge.time)) }
    // The kernel keeps 16 edges and drops others, so the level has the last word.
    let isDown = try line.isDown()
    tell(index, buttons[index].held?.state.level(isDown: isDown, at: now))
  }

  private func tell(_ index: Int, _ signals: [ButtonState.Signal]?) {
    for signal in signals ?? [] {
      switch signal {
      case .down: report(.down(button: index))
      case .press: report(.press(button: index))
      case .hold: report(.hold(button: index))
      case .up: report(.up(button: index))
      case .stuck: tell(index, .stuck(buttons[index].configuration, milliseconds: timing.stuck))
      case .loose: recover(index)
      }
    }
  }

  private func tell(_ index: Int, _ error: ButtonError) {
    let isNews = buttons[index].failure != error.code
    buttons[index].failure = error.code
    if isNews { report(.failed(button: index, error: error)) }
  }

  private func recover(_ index: Int) {
    if buttons[index].failure != nil { report(.recovered(button: index)) }
    buttons[index].failure = nil
  }

  private func fail(_ index: Int, _ error: ButtonError, now: Int64) {
    if let held = buttons[index].held {
      held.line.release()
      buttons[index].held = nil
      if held.state.isToldDown { report(.up(button: index)) }
    }
    buttons[index].requestAt = now + timing.retry
    tell(index, error)
  }
}
