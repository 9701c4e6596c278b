import CMosquitto
import Glibc
import LinuxSupport

/// One connection to the broker, from name look-up to its end. Used by the MQTT thread only.
///
/// A function that throws has ended the connection; the error is the reason.
final class Connection {
  enum Phase {
    /// CONNECT is on its way.
    case connecting
    /// The CONNACK was good; SUBACKs are awaited.
    case subscribing
    case up(since: Int64)
    /// The DISCONNECT is on its way.
    case closing
  }

  let session: UInt64
  private(set) var phase = Phase.connecting
  /// By when the connection must be up, on the elapsed clock.
  private let deadline: Int64
  private var nextKeepAlive: Int64
  private let configuration: MQTTConfiguration
  private let subscriptions: [MQTTSubscription]
  private let emit: (MQTTEvent) -> Void
  private let handle: MosquittoHandle
  private var limits = BrokerLimits()
  private var queue = PublicationQueue()
  /// Filters by packet id whose SUBACK is awaited.
  private var pendingFilters: [Int32: String] = [:]
  /// Messages that came before the last SUBACK: they belong after `connected`.
  private var early: [MQTTMessage] = []
  /// Do not poll for writing before the time-out: see `events`.
  private var pausesWriting = false

  /// Looks the name up, connects and sends CONNECT. Blocks.
  init(
    configuration: MQTTConfiguration, subscriptions: [MQTTSubscription], session: UInt64, emit: @escaping (MQTTEvent) -> Void
  ) throws(MQTTError) {
    self.configuration = configuration
    self.subscriptions = subscriptions
    self.session = session
    self.emit = emit
    handle = try MosquittoHandle(configuration: configuration)
    try handle.connect()
    let now = SystemClock.elapsedMilliseconds()
    deadline = now + configuration.connectTimeout
    nextKeepAlive = now + Int64(configuration.keepAlive) * 1000 / 3
  }

  var isUp: Bool { if case .up = phase { true } else { false } }

  /// All publications were sent and acknowledged.
  var isDrained: Bool { queue.isEmpty }

  /// The descriptor to poll; `nil` once it is closed.
  var descriptor: Int32? { handle.socket }

  /// What to poll for.
  var events: Int16 {
    Int16(POLLIN) | (handle.wantsToWrite && !pausesWriting ? Int16(POLLOUT) : 0)
  }

  /// When `service` is due even if nothing happens, on the elapsed clock.
  var nextDeadline: Int64 {
    switch phase {
    case .connecting where pausesWriting: SystemClock.elapsedMilliseconds() + 50
    case .connecting, .subscribing: min(deadline, nextKeepAlive)
    case .up, .closing: nextKeepAlive
    }
  }

  /// Takes what came, sends what waits, keeps alive. `ready` is what `poll` answered for the descriptor.
  func service(ready: Int16, now: Int64) throws(MQTTError) {
    pausesWriting = false
    if ready & ~Int16(POLLOUT) != 0 {
      try checkForEnd()
      try perform(handle.read)
    }
    if ready & Int16(POLLOUT) != 0 {
      try perform(handle.write)
      // Until a TLS handshake is through, libmosquitto 2.0.21 wants to write what it cannot write yet: do not spin meanwhile.
      if case .connecting = phase, configuration.usesTLS { pausesWriting = handle.wantsToWrite }
    }
    if now >= nextKeepAlive {
      // A third, so that pings come well within the broker's patience of one and a half times the keep-alive.
      let keepAlive = Int64(limits.serverKeepAlive ?? configuration.keepAlive)
      nextKeepAlive = now + max(keepAlive * 1000 / 3, 1000)
      try perform(handle.keepAlive)
    }
    switch phase {
    case .connecting, .subscribing:
      if now >= deadline {
        throw MQTTError(
          code: .timedOut, operation: "connect",
          message: "\(configuration.broker) accepted the connection but does not answer; check that it is an MQTT broker and runs well")
      }
    case .up, .closing: break
    }
    try sendWaiting()
  }

  /// Queues a publication; those before `connected` and after `close` are dropped.
  func publish(_ publication: MQTTPublication, token: UInt64?) throws(MQTTError) {
    guard isUp else { return }
    queue.append(publication, token: token)
    try sendWaiting()
  }

  func subscribe(_ subscription: MQTTSubscription) throws(MQTTError) {
    switch handle.subscribe(subscription) {
    case .sent(let packetID): pendingFilters[packetID] = subscription.filter
    case .refused(let reasonCode):
      emit(.subscriptionRefused(filter: subscription.filter, reasonCode: reasonCode, session: session))
    case .failed(let result, let errno): throw failure(result, errno: errno, operation: "subscribe")
    }
  }

  func unsubscribe(_ filter: String) throws(MQTTError) {
    if case .failed(let result, let errno) = handle.unsubscribe(filter) {
      throw failure(result, errno: errno, operation: "unsubscribe")
    }
  }

  /// Says goodbye; the descriptor closes once that is sent.
  func close() throws(MQTTError) {
    phase = .closing
    try handle.disconnect()
  }

  /// Before CONNACK: an end without an answer. libmosquitto 2.0.11 does not see it during a TLS handshake and would be called for ever.
  private func checkForEnd() throws(MQTTError) {
    guard case .connecting = phase, let descriptor else { return }
    var byte: UInt8 = 0
    let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
    if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) {
      throw MQTTError(
        code: .connectionLost, operation: "connect", errno: count == 0 ? nil : errno,
        message:
          "\(configuration.broker) closed the connection without an answer; see its log, and check that both sides agree on TLS")
    }
  }

  /// Runs one of libmosquitto's loop functions and handles what it called back. The broker's own words come first, as they say more than
  /// the result.
  private func perform(_ call: () throws(MQTTError) -> Void) throws(MQTTError) {
    let failure: MQTTError?
    do {
      try call()
      failure = nil
    } catch {
      failure = error
    }
    try handleCallbacks()
    if let failure { throw failure }
    if handle.socket == nil {
      if case .closing = phase { return }
      throw handle.error(MOSQ_ERR_CONN_LOST.rawValue, errno: 0, operation: "session")
    }
  }

  private func handleCallbacks() throws(MQTTError) {
    for entry in handle.inbox.takeAll() {
      switch entry {
      case .connectionAnswer(let reasonCode, let limits):
        guard reasonCode == 0 else { throw .refused(by: configuration.broker, reasonCode: reasonCode) }
        self.limits = limits
        queue.window = limits.receiveMaximum
        phase = .subscribing
        for subscription in subscriptions { try subscribe(subscription) }
        becomeUpIfReady()
      case .subscriptionAnswer(let packetID, let reasonCodes):
        guard let filter = pendingFilters.removeValue(forKey: packetID) else { continue }
        if let refusal = reasonCodes.first(where: { $0 >= 0x80 }) {
          emit(.subscriptionRefused(filter: filter, reasonCode: refusal, session: session))
        }
        becomeUpIfReady()
      case .publicationAnswer(let packetID, let reasonCode):
        if let token = queue.acknowledge(packetID: packetID) {
          emit(.acknowledged(token: token, session: session, reasonCode: reasonCode))
        }
      case .message(let message):
        if case .subscribing = phase { early.append(message) } else { emit(.message(message, session: session)) }
      case .disconnected(let reasonCode):
        if let reasonCode = UInt8(exactly: reasonCode), reasonCode >= 0x80 {
          throw .disconnected(by: configuration.broker, reasonCode: reasonCode)
        }
      }
    }
  }

  private func becomeUpIfReady() {
    guard case .subscribing = phase, pendingFilters.isEmpty else { return }
    phase = .up(since: SystemClock.elapsedMilliseconds())
    emit(.connected(session: session))
    for message in early { emit(.message(message, session: session)) }
    early = []
  }

  private func sendWaiting() throws(MQTTError) {
    guard isUp else { return }
    while let entry = queue.takeNext() {
      switch send(entry.publication) {
      case .sent(let packetID):
        if entry.publication.qos == .atLeastOnce { queue.sent(packetID: packetID, token: entry.token) }
      case .refused(let reasonCode):
        if let token = entry.token { emit(.acknowledged(token: token, session: session, reasonCode: reasonCode)) }
      case .failed(let result, let errno): throw failure(result, errno: errno, operation: "publish")
      }
    }
  }

  private func send(_ publication: MQTTPublication) -> MosquittoHandle.Outcome {
    // libmosquitto would drop the flag without a word.
    if publication.retain && !limits.retainAvailable { return .refused(reasonCode: ReasonCode.retainNotSupported) }
    if publication.qos.rawValue > limits.maximumQoS { return .refused(reasonCode: ReasonCode.qosNotSupported) }
    return handle.publish(publication)
  }

  /// The reason for a failed send: the broker's DISCONNECT if one waits to be read behind it, else the failure itself.
  private func failure(_ result: Int32, errno: Int32, operation: String) -> MQTTError {
    let own = handle.error(result, errno: errno, operation: operation)
    do {
      for _ in 0..<16 where handle.socket != nil { try perform(handle.read) }
      return own
    } catch {
      return error.reasonCode == nil ? own : error
    }
  }
}
