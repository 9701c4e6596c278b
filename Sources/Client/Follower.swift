import Glibc
import LinuxSupport
import MQTTTransport

/// Keeps a connection and hands on what comes, until a signal ends it.
struct Follower {
  private let session: NodeSession
  private let signals: SignalDescriptor

  /// Takes the signals away from their default action: to be made before the session, whose thread inherits the mask.
  static func signals() throws(ClientError) -> SignalDescriptor {
    do throws(SystemCallError) { return try SignalDescriptor([SIGINT, SIGTERM, SIGHUP, SIGWINCH]) } catch { throw .noAnswer("\(error)") }
  }

  init(_ session: NodeSession, signals: SignalDescriptor) {
    self.session = session
    self.signals = signals
  }

  /// Calls `handle` with all events that came at once, and with none where the terminal's size has changed.
  ///
  /// - Parameter handle: answers `false` to end.
  func run(_ handle: ([MQTTEvent]) throws(ClientError) -> Bool) throws(ClientError) {
    while true {
      if try !handle(session.take()) { return }
      var watched = [
        pollfd(fd: session.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
        // Asked for nothing, it tells of an error: nobody reads the pipe any more.
        pollfd(fd: STDOUT_FILENO, events: 0, revents: 0),
      ]
      poll(&watched, 3, -1)
      if watched[2].revents & Int16(POLLERR | POLLNVAL) != 0 { return }
      while let signal = signals.take() {
        if signal != SIGWINCH { return }
      }
    }
  }
}
