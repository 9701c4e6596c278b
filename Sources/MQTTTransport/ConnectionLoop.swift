import Glibc
import LinuxSupport

/// What the MQTT thread does: connects, serves the connection, waits, connects again — until it is told to stop.
final class ConnectionLoop {
  enum Command: Sendable {
    case publish(MQTTPublication, token: UInt64?, session: UInt64)
    case subscribe(MQTTSubscription, session: UInt64)
    case unsubscribe(String, session: UInt64)
    /// `deadline` is on the elapsed clock.
    case stop(last: [MQTTPublication], deadline: Int64)
  }

  private let configuration: MQTTConfiguration
  private let subscriptions: [MQTTSubscription]
  private let mailbox: Mailbox<Command>
  private let handler: @Sendable (MQTTEvent) -> Void
  private var connection: Connection?
  private var lastSession: UInt64 = 0
  private var delay = ReconnectDelay()
  private var nextAttempt: Int64 = 0
  private var stopDeadline: Int64?

  init(
    configuration: MQTTConfiguration, subscriptions: [MQTTSubscription], mailbox: Mailbox<Command>,
    handler: @escaping @Sendable (MQTTEvent) -> Void
  ) {
    self.configuration = configuration
    self.subscriptions = subscriptions
    self.mailbox = mailbox
    self.handler = handler
  }

  func run() {
    while true {
      let ready = poll()
      let now = SystemClock.elapsedMilliseconds()
      attempt { connection throws(MQTTError) in
        if connection.descriptor != nil { try connection.service(ready: ready, now: now) }
      }
      for command in mailbox.drain() { obey(command) }
      if let stopDeadline, isFinished(stopDeadline) { return }
      if connection == nil && stopDeadline == nil && SystemClock.elapsedMilliseconds() >= nextAttempt { connect() }
    }
  }

  /// Waits for the socket, the mailbox or the next deadline; answers what is ready on the socket.
  private func poll() -> Int16 {
    var deadline = connection?.nextDeadline ?? nextAttempt
    if let stopDeadline { deadline = min(deadline, stopDeadline) }
    // Rounded up by one, so that it has truly passed on waking.
    let wait = min(max(deadline - SystemClock.elapsedMilliseconds() + 1, 0), 600_000)
    var descriptors = [pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0)]
    if let connection, let descriptor = connection.descriptor {
      descriptors.append(pollfd(fd: descriptor, events: connection.events, revents: 0))
    }
    // Two valid descriptors leave only EINTR to fail with, and then nothing is ready.
    guard Glibc.poll(&descriptors, nfds_t(descriptors.count), Int32(wait)) > 0 else { return 0 }
    return descriptors.count == 2 ? descriptors[1].revents : 0
  }

  private func connect() {
    lastSession += 1
    do throws(MQTTError) {
      connection = try Connection(
        configuration: configuration, subscriptions: subscriptions, session: lastSession, emit: handler)
    } catch {
      ended(error)
    }
  }

  private func obey(_ command: Command) {
    switch command {
    case .publish(let publication, let token, let session):
      attempt(in: session) { connection throws(MQTTError) in try connection.publish(publication, token: token) }
    case .subscribe(let subscription, let session):
      attempt(in: session) { connection throws(MQTTError) in try connection.subscribe(subscription) }
    case .unsubscribe(let filter, let session):
      attempt(in: session) { connection throws(MQTTError) in try connection.unsubscribe(filter) }
    case .stop(let last, let deadline):
      for publication in last {
        attempt(in: lastSession) { connection throws(MQTTError) in try connection.publish(publication, token: nil) }
      }
      stopDeadline = deadline
    }
  }

  /// Whether the thread may end; says goodbye once everything has been acknowledged.
  private func isFinished(_ deadline: Int64) -> Bool {
    guard let connection, connection.descriptor != nil, SystemClock.elapsedMilliseconds() < deadline else { return true }
    switch connection.phase {
    case .connecting, .subscribing: return true
    case .closing: return false
    case .up:
      guard connection.isDrained else { return false }
      attempt { connection throws(MQTTError) in try connection.close() }
      return self.connection?.descriptor == nil
    }
  }

  /// Runs a step that somebody asked for; dropped if it is meant for another session.
  private func attempt(in session: UInt64, _ body: (Connection) throws(MQTTError) -> Void) {
    guard stopDeadline == nil, connection?.session == session, connection?.isUp == true else { return }
    attempt(body)
  }

  /// Runs a step of the present connection; if it fails, the connection has ended.
  private func attempt(_ body: (Connection) throws(MQTTError) -> Void) {
    guard let connection else { return }
    do throws(MQTTError) {
      try body(connection)
    } catch {
      ended(error)
    }
  }

  private func ended(_ error: MQTTError) {
    let now = SystemClock.elapsedMilliseconds()
    var session: UInt64?
    var uptime: Int64?
    if let connection, case .up(let since) = connection.phase {
      session = connection.session
      uptime = now - since
    }
    connection = nil
    let milliseconds = delay.next(uptime: uptime, takenOver: error.code == .sessionTakenOver, jitter: .random(in: -1...1))
    nextAttempt = now + milliseconds
    guard stopDeadline == nil else { return }
    handler(.disconnected(session: session, reason: reported(error), retryMilliseconds: milliseconds))
  }

  private func reported(_ error: MQTTError) -> MQTTError {
    guard delay.isRepeatedlyDropped, error.code != .sessionTakenOver else { return error }
    return MQTTError(
      code: .repeatedlyDropped, operation: error.operation, reasonCode: error.reasonCode, libraryCode: error.libraryCode,
      errno: error.errno,
      message:
        "\(configuration.broker) drops each connection within seconds; check whether another client has the id \(configuration.clientID) (\(error.message))"
    )
  }
}
