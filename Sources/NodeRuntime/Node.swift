import AlarmEngine
import AlarmModel
import AlarmStore
import CivilTime
import Configuration
import Glibc
import JSON
import LinuxSupport
import MQTTTransport
import NodeProtocol
import Outputs

/// The running node: the thread that owns the engine, and the wiring of all that it speaks to.
///
/// This thread never waits for the network, the disk or a sound card; those have threads of their own and post to its mailbox.
package final class Node {
  private let configuration: NodeConfiguration
  private let log: Log
  private let mailbox: Mailbox<NodeInput>
  private let signals: SignalDescriptor
  private let wallTimer: TimerDescriptor
  private let elapsedTimer: TimerDescriptor
  private let poller: Poller
  private let outputs: OutputController
  private let store: StoreWorker
  private let client: MQTTClient
  private let topics: Topics
  private let sounds: SoundCatalog
  private let startedAt = SystemClock.elapsedMilliseconds()

  private var engine: Engine
  private var session: UInt64?
  private var health = HealthMonitor()
  private var healthDueAt: Int64 = 0
  private var publishedHealth: HealthDocument?
  /// The latest failure of each output that has not been made good.
  private var outputErrors: [OutputKind: OutputError] = [:]
  private var brokerError: MQTTError?

  /// How often health is published though nothing changed (milliseconds).
  private static let healthInterval: Int64 = 60_000
  /// How long a changed number of waiting events must stand to be published (milliseconds).
  private static let waitingEventsDelay: Int64 = 10_000
  /// How long a clean exit may take to say goodbye to the broker (milliseconds).
  private static let farewell = 700

  /// Opens everything that the node needs; nothing sounds and nothing is connected yet.
  ///
  /// - Throws: `NodeError` for what the user can mend, `StoreError`, `MQTTError`, `SystemCallError`.
  package init(configuration: NodeConfiguration, log: Log, signals: SignalDescriptor) throws {
    self.configuration = configuration
    self.log = log
    self.signals = signals
    let mailbox = try Mailbox<NodeInput>()
    self.mailbox = mailbox
    wallTimer = try TimerDescriptor(clock: .wall)
    elapsedTimer = try TimerDescriptor(clock: .elapsed)
    poller = try Poller()
    for (source, descriptor) in [
      (Source.mailbox, mailbox.descriptor), (.signals, signals.descriptor), (.wall, wallTimer.descriptor),
      (.elapsed, elapsedTimer.descriptor),
    ] { try poller.add(descriptor, identifier: source.rawValue) }

    let outputs = try OutputController(configuration: configuration.outputsConfiguration) { mailbox.post(.output($0)) }
    self.outputs = outputs
    // Silence first: a crash may have left the buzzer's line active.
    outputs.start()

    let sounds = SoundCatalog { outputs.soundNames() }
    self.sounds = sounds
    let zones = ZoneDatabase()
    let zoneName = configuration.timeZone ?? ZoneDatabase.systemZoneName()
    let localZone: ZoneRules
    do throws(ZoneError) { localZone = try zones.zone(named: zoneName) } catch {
      throw NodeError("time_zone: \(error.message)")
    }
    let context = Self.context(localZone: localZone, zones: zones, isKnownSound: { sounds.isRemembered($0) })

    do {
      store = try StoreWorker(directory: configuration.stateDirectory) { token, error in
        mailbox.post(.committed(token: token, error: error?.message))
      }
    } catch let error as StoreError { throw NodeError("state_directory: \(error.message)") }

    topics = Topics(prefix: configuration.topicPrefix, node: configuration.node)
    // Commands are read on the transport's thread, which may wait for the disk to find a sound or a zone.
    let reader = CommandReader(
      topics: topics, context: Self.context(localZone: localZone, zones: zones, isKnownSound: { sounds.isKnown($0) }),
      responsePrefixes: configuration.responseTopics)
    client = try MQTTClient(
      configuration: try configuration.transportConfiguration(will: MQTTPublication(topics.availabilityMessage(isOnline: false))),
      subscriptions: topics.commandFilters.map { MQTTSubscription(filter: $0, retainHandling: .sendNever, retainAsPublished: true) }
    ) { event in
      if let input = NodeInput(event, reader: reader) { mailbox.post(input) }
    }

    engine = Engine(
      configuration: EngineConfiguration(
        context: context, maximumAlarms: configuration.limits.alarms, boot: SystemClock.bootIdentifier()),
      stored: StoredNode(store.contents) { log.write(.error, "the stored \($0) cannot be read; it is left as it is") }, at: Self.present)
    for (name, reason) in engine.unreadable {
      log.write(.error, "the stored alarm \(name) cannot be read (\(reason)); it is left as it is")
    }
  }

  private enum Source: UInt64 { case mailbox, signals, wall, elapsed }

  private static var present: Present {
    Present(wall: Instant(milliseconds: SystemClock.wallMilliseconds()), elapsed: SystemClock.elapsedMilliseconds())
  }

  private static func context(
    localZone: ZoneRules, zones: ZoneDatabase, isKnownSound: @escaping @Sendable (String) -> Bool
  ) -> DocumentContext {
    DocumentContext(
      localZone: localZone,
      zone: { name in
        // A name that is in no database is the sender's fault, which the document's reader reports with its field.
        do throws(ZoneError) { return try zones.zone(named: name) } catch { return nil }
      },
      isKnownSound: isKnownSound, makeIdentifier: { UniqueIdentifier.make() })
  }

  /// Runs until SIGTERM or SIGINT.
  package func run() throws {
    log.write(
      .notice,
      "node \(configuration.node), version \(Version.program), \(engine.records.count) alarms, broker \(configuration.mqtt.host):\(configuration.mqtt.port)"
    )
    perform(engine.step(.start, at: Self.present))
    try client.start()
    while true {
      try arm()
      for identifier in try poller.wait() {
        switch Source(rawValue: identifier) {
        case .mailbox: for input in mailbox.drain() { take(input) }
        case .wall: if wallTimer.take() != .none { wake() }
        case .elapsed: if elapsedTimer.take() != .none { wake() }
        case .signals:
          if let signal = signals.take() {
            log.write(.notice, "signal \(signal): ending")
            return end()
          }
        case nil: break
        }
      }
      updateHealth()
    }
  }

  private func wake() { perform(engine.step(.wake, at: Self.present)) }

  /// Arms both timers for the next thing to do.
  private func arm() throws {
    let next = engine.nextDeadlines
    try wallTimer.arm(at: next.wall?.milliseconds)
    let housekeeping = min(healthDueAt, health.nextClearing(problems) ?? .max)
    try elapsedTimer.arm(at: min(next.elapsed ?? .max, housekeeping))
  }

  private func end() {
    outputs.silence()
    client.stop(last: session == nil ? [] : [MQTTPublication(topics.availabilityMessage(isOnline: false))], within: Self.farewell)
    outputs.stop()
    store.close()
  }

  // MARK: Inputs

  private func take(_ input: NodeInput) {
    switch input {
    case .command(let command, let session):
      if session == self.session { step(command) }
    case .connected(let session):
      self.session = session
      brokerError = nil
      log.write(.notice, "connected to the broker")
      step(.connected)
      client.subscribe(MQTTSubscription(filter: topics.retainedAlarmsFilter, noLocal: true), session: session)
    case .disconnected(let error, let retry):
      if session != nil || brokerError?.code != error.code {
        log.write(.warning, "no broker: \(error.message); next attempt in \(Double(retry) / 1000) s")
      }
      session = nil
      brokerError = error
      step(.disconnected)
    case .subscriptionRefused(let filter, let reasonCode):
      log.write(.error, "the broker refuses the subscription to \(filter) (reason code \(reasonCode)): commands there do not arrive")
    case .acknowledged(let token, let session, let reasonCode):
      guard session == self.session else { return }
      if reasonCode >= 0x80 { log.write(.warning, "the broker refuses an event (reason code \(reasonCode))") }
      step(.eventAcknowledged(sequence: Int64(token)))
    case .committed(let token, let error):
      if let error { log.write(.error, "cannot write: \(error)") }
      step(.committed(token: token, error: error))
    case .output(let report): take(report)
    }
  }

  private func take(_ report: OutputReport) {
    switch report {
    case .sounding(let ring, let results, let fallbacks):
      for result in results where result.ok && fallbacks.isEmpty { outputErrors[result.output] = nil }
      step(.sounding(ring: ring, results: results.map(\.json), fallbacks: fallbacks))
    case .failed(let output, let error):
      log.write(.warning, "\(output.rawValue): \(error)")
      outputErrors[output] = error
      step(.outputFailed(output: output.rawValue, code: error.code.rawValue, message: error.message))
    case .recovered(let output):
      log.write(.notice, "\(output.rawValue) works again")
      outputErrors[output] = nil
    }
  }

  private func step(_ input: EngineInput) { perform(engine.step(input, at: Self.present)) }

  // MARK: Effects

  private func perform(_ effects: [EngineEffect]) {
    for effect in effects {
      switch effect {
      case .ring(let ring?):
        outputs.ring(
          RingRequest(ring: ring.ring, sound: ring.sound, volume: ring.volume, fadeIn: Double(ring.fadeIn.milliseconds) / 1000))
      case .ring(nil): outputs.silence()
      case .publish(.info): publish(infoMessage)
      case .publish(.health): publishHealth()
      case .publish(let publication):
        if case .event(let event) = publication { logEvent(event) }
        for message in topics.messages(for: publication) { publish(message) }
      case .commit(let token, let change): store.commit(token, StoreChange(change))
      }
    }
  }

  private func logEvent(_ event: Event) {
    log.write(.information, "event \(event.document)")
  }

  private func publish(_ message: NodeMessage) {
    guard let session else { return }
    client.publish(MQTTPublication(message), token: message.eventSequence.map(UInt64.init), session: session)
  }

  // MARK: Info and health

  private var infoMessage: NodeMessage {
    let info = InfoDocument(
      node: configuration.node, timeZone: engine.configuration.context.localZone.identifier, sounds: sounds.sorted,
      outputs: configuration.outputDescriptions, buttons: configuration.buttonDescriptions, maximumAlarms: configuration.limits.alarms)
    return NodeMessage(topic: topics.info, payload: info.json.description, isRetained: true)
  }

  /// What is wrong at this moment.
  private var problems: [HealthDocument.Problem] {
    var problems = engine.problems.map { HealthDocument.Problem(code: $0.code, message: $0.message) }
    for (output, error) in outputErrors {
      problems.append(HealthDocument.Problem(code: "output_failed", message: "\(output.rawValue): \(error.message)"))
    }
    if configuration.outputs.speaker == nil, configuration.outputs.buzzer == nil {
      problems.append(
        HealthDocument.Problem(code: "no_output", message: "neither a speaker nor a buzzer is configured: no alarm will sound"))
    }
    if brokerError?.code == .sessionTakenOver {
      problems.append(
        HealthDocument.Problem(code: "name_taken", message: "another client uses this node's name; give each node a name of its own"))
    }
    return problems
  }

  private func updateHealth() {
    let now = SystemClock.elapsedMilliseconds()
    var document = healthDocument(now: now)
    if now >= healthDueAt { return publishHealth() }
    guard var published = publishedHealth else { return }
    if document.waitingEvents != published.waitingEvents {
      // Each event waits for a moment; a number that stands is news.
      healthDueAt = min(healthDueAt, now + Self.waitingEventsDelay)
      document.waitingEvents = published.waitingEvents
    }
    published.uptime = document.uptime
    if document != published { publishHealth() }
  }

  private func publishHealth() {
    let now = SystemClock.elapsedMilliseconds()
    healthDueAt = now + Self.healthInterval
    let document = healthDocument(now: now)
    publishedHealth = document
    publish(NodeMessage(topic: topics.health, payload: document.json.description, isRetained: true))
  }

  private func healthDocument(now: Int64) -> HealthDocument {
    health.update(problems, now: now)
    var states: [String: Bool] = [:]
    if configuration.outputs.speaker != nil { states["speaker"] = outputErrors[.speaker] == nil }
    if configuration.outputs.buzzer != nil { states["buzzer"] = outputErrors[.buzzer] == nil }
    return HealthDocument(
      problems: health.standing, clockTrust: TimeService.isSynchronized ? "synced" : "plausible", outputs: states,
      isStorageWritable: engine.storageError == nil, waitingEvents: engine.waitingEvents.count, uptime: (now - startedAt) / 1000)
  }
}
