import LinuxSupport
import Synchronization

/// A connection to an MQTT broker that is kept up by a thread of its own.
///
/// Every connection is a new session: nothing that was published in one is ever sent in a later one. Any thread may call; none of the
/// functions but `stop` blocks.
package final class MQTTClient: Sendable {
  private enum State {
    case idle
    case running(WorkerThread)
    case stopped
  }

  private let configuration: MQTTConfiguration
  private let subscriptions: [MQTTSubscription]
  private let handler: @Sendable (MQTTEvent) -> Void
  private let mailbox: Mailbox<ConnectionLoop.Command>
  private let state = Mutex(State.idle)

  /// Checks the settings; connects nowhere yet.
  ///
  /// - Parameters:
  ///   - subscriptions: made anew in each session.
  ///   - handler: called on the MQTT thread, and must return quickly. Calling `stop` in it waits in vain.
  /// - Throws: `badArgument` if a setting or filter can never work, `systemFailure` if no descriptor is left.
  package init(
    configuration: MQTTConfiguration, subscriptions: [MQTTSubscription], handler: @escaping @Sendable (MQTTEvent) -> Void
  ) throws(MQTTError) {
    try configuration.validate()
    for subscription in subscriptions { try subscription.validate() }
    // libmosquitto has its own opinion of the settings: better heard here than at every attempt.
    _ = try MosquittoHandle(configuration: configuration)
    self.configuration = configuration
    self.subscriptions = subscriptions
    self.handler = handler
    do {
      mailbox = try Mailbox()
    } catch {
      throw .system(error)
    }
  }

  deinit {
    // The thread ends by itself; nobody waits for it.
    mailbox.post(.stop(last: [], deadline: 0))
  }

  /// Starts the thread, which connects at once. Does nothing the second time.
  ///
  /// - Throws: `systemFailure` if there is no thread left.
  package func start() throws(MQTTError) {
    try state.withLock { state throws(MQTTError) in
      guard case .idle = state else { return }
      let (configuration, subscriptions, mailbox, handler) = (configuration, subscriptions, mailbox, handler)
      do throws(SystemCallError) {
        state = .running(
          try WorkerThread(name: "mqtt") {
            ConnectionLoop(configuration: configuration, subscriptions: subscriptions, mailbox: mailbox, handler: handler).run()
          })
      } catch {
        throw .system(error)
      }
    }
  }

  /// Publishes in `session`; dropped in silence if that is no longer, or not yet, the present one. Order is kept.
  ///
  /// - Parameter token: comes back in `acknowledged`.
  package func publish(_ publication: MQTTPublication, token: UInt64? = nil, session: UInt64) {
    mailbox.post(.publish(publication, token: token, session: session))
  }

  /// Subscribes for the rest of `session`; a later session does not repeat it.
  package func subscribe(_ subscription: MQTTSubscription, session: UInt64) {
    mailbox.post(.subscribe(subscription, session: session))
  }

  /// Ends a subscription for the rest of `session`.
  package func unsubscribe(_ filter: String, session: UInt64) {
    mailbox.post(.unsubscribe(filter, session: session))
  }

  /// Publishes the `last` messages behind all others, waits until the broker has acknowledged them, says goodbye (so that the will is not
  /// sent) and ends the thread.
  ///
  /// Returns within `milliseconds` whatever the broker or the network does. Where time runs out the connection is cut without a goodbye, and
  /// the broker sends the will; a thread that hangs in name look-up ends when that returns. The second call does nothing.
  package func stop(last: [MQTTPublication], within milliseconds: Int) {
    let running = state.withLock { state -> State in
      defer { state = .stopped }
      return state
    }
    guard case .running(let thread) = running else { return }
    let limit = max(Int64(milliseconds), 0)
    let deadline = SystemClock.elapsedMilliseconds() + limit
    // The thread gets a little less, so that it has ended when the caller's time is up.
    mailbox.post(.stop(last: last, deadline: deadline - min(limit / 10, 50)))
    thread.join(until: deadline)
  }
}
