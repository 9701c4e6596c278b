import AlarmEngine
import AlarmModel
import AlarmStore
import Buttons
import CivilTime
import Configuration
import Glibc
import HomeAssistant
import JSON
import LinuxSupport
import MQTTTransport
import NodeProtocol
import Outputs

/// The running node: the thread that owns the engine, and the wiring of all that it speaks to.
///
/// This thread never waits for the network, the disk or a sound card; those have threads of their own and post to its mailbox.
package final class Node {
  let configuration: NodeConfiguration
  let log: Log
  let configurationFile: String
  let manager: ServiceManager
  var pingDueAt: Int64
  let mailbox: Mailbox<NodeInput>
  private let signals: SignalDescriptor
  /// With a terminal SIGHUP means that it is gone.
  private let hasTerminal = isatty(STDIN_FILENO) == 1 || isatty(STDERR_FILENO) == 1
  private let wallTimer: TimerDescriptor
  private let elapsedTimer: TimerDescriptor
  private let poller: Poller
  let outputs: OutputController
  private let buttons: ButtonController?
  let store: StoreWorker
  private let client: MQTTClient
  let topics: Topics
  /// What may be asked of it.
  let allowedOperations: [Operation]
  let sounds: SoundCatalog
  private let zones: ZoneDatabase
  private let reader: SharedReader
  let startedAt: Int64

  var engine: Engine
  private var session: UInt64?
  var health = HealthMonitor()
  var healthDueAt: Int64 = 0
  private var zonesDueAt: Int64
  var publishedHealth: HealthDocument?
  var announcement: Announcement
  /// The latest failure of each output that has not been made good.
  var outputErrors: [OutputKind: OutputError] = [:]
  /// Of the buttons, by index, those that do not work.
  var buttonErrors: [Int: ButtonError] = [:]
  /// Of the sounds that alarms need, those that cannot be played.
  var soundErrors: [String: OutputError] = [:]
  /// Whether the light was told of a countdown.
  private var isCountdownShown = false
  /// The sounds that the outputs were told to check.
  private var checkedSounds: Set<String> = []
  var brokerError: MQTTError?
  /// The names of state files that were set aside and are still there.
  var setAside: (damaged: [String], newer: [String])
  /// What is wrong with the configuration file, at the latest reading.
  var configurationProblem: String?
  /// Whether the file was read for SIGHUP, found good, and the node is to start anew with it.
  var isRestartDue = false

  /// How often health is published though nothing changed (milliseconds).
  static let healthInterval: Int64 = 60_000
  /// How often the time zone database is looked at (milliseconds).
  private static let zonesInterval: Int64 = 900_000
  /// How long a changed number of waiting events must stand to be published (milliseconds).
  static let waitingEventsDelay: Int64 = 10_000
  /// How long a clean exit may take to say goodbye to the broker (milliseconds).
  private static let farewell = 700

  /// Opens everything that the node needs; nothing sounds and nothing is connected yet.
  ///
  /// - Parameter file: where the configuration came from, for SIGHUP.
  /// - Throws: `NodeError` for what the user can mend, `StoreError`, `MQTTError`, `SystemCallError`.
  package init(configuration: NodeConfiguration, file: String, log: Log, signals: SignalDescriptor, manager: ServiceManager) throws {
    self.configuration = configuration
    configurationFile = file
    self.log = log
    self.signals = signals
    self.manager = manager
    startedAt = SystemClock.elapsedMilliseconds()
    pingDueAt = manager.watchdogInterval == nil ? .max : startedAt
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

    buttons =
      configuration.buttons.isEmpty
      ? nil : try ButtonController(buttons: configuration.buttons.map { ButtonConfiguration($0) }) { mailbox.post(.button($0)) }

    let sounds = SoundCatalog { outputs.soundNames() }
    self.sounds = sounds
    let zones = ZoneDatabase()
    self.zones = zones
    let localZone: ZoneRules
    do throws(ZoneError) { localZone = try zones.zone(named: configuration.timeZone ?? ZoneDatabase.systemZoneName()) } catch {
      throw NodeError("time_zone: \(error.message)")
    }
    let context = Self.context(localZone: localZone, zones: zones, isKnownSound: { sounds.isRemembered($0) })

    do {
      store = try StoreWorker(directory: configuration.stateDirectory) { token, error in
        mailbox.post(.committed(token: token, error: error?.message))
      }
    } catch let error as StoreError { throw NodeError("state_directory: \(error.message)") }
    setAside = AlarmStore.namesSetAside(in: configuration.stateDirectory)

    zonesDueAt = startedAt + Self.zonesInterval
    allowedOperations = try configuration.allowedOperations()
    topics = Topics(prefix: configuration.topicPrefix, node: configuration.node)
    // Commands are read on the transport's thread, which may wait for the disk to find a sound or a zone.
    let reader = SharedReader(
      CommandReader(
        topics: topics, context: Self.context(localZone: localZone, zones: zones, isKnownSound: { sounds.isKnown($0) }),
        responsePrefixes: configuration.responseTopics,
        outputs: configuration.outputNames, operations: allowedOperations))
    self.reader = reader
    let homeAssistantPrefix = configuration.homeAssistant.prefix
    announcement = Announcement(
      discovery: Discovery(
        topics: topics, node: configuration.node, prefix: homeAssistantPrefix,
        alarms: Discovery.Alarms(rawValue: configuration.homeAssistant.alarms.rawValue) ?? .repeating, buttons: configuration.buttons.count),
      isEnabled: configuration.homeAssistant.discovery)
    client = try MQTTClient(
      configuration: try configuration.transportConfiguration(will: MQTTPublication(topics.availabilityMessage(isOnline: false))),
      subscriptions: topics.commandFilters.map { MQTTSubscription(filter: $0, retainHandling: .sendNever, retainAsPublished: true) }
    ) { event in
      if let input = NodeInput(event, reader: reader.present, homeAssistantPrefix: homeAssistantPrefix) { mailbox.post(input) }
    }

    engine = Engine(
      configuration: EngineConfiguration(
        context: context, maximumAlarms: configuration.limits.alarms, boot: SystemClock.bootIdentifier()),
      stored: StoredNode(store.contents) { log.write(.error, "the stored \($0) cannot be read; it is left as it is") }, at: Self.present)
    logOpening()
    for (name, reason) in engine.unreadable {
      log.write(.error, "the stored alarm \(name) cannot be read (\(reason)); it is left as it is")
    }
  }

  private enum Source: UInt64 { case mailbox, signals, wall, elapsed }

  private static var present: Present {
    Present(
      wall: Instant(milliseconds: SystemClock.wallMilliseconds()), elapsed: SystemClock.elapsedMilliseconds(),
      isSynchronized: TimeService.isSynchronized)
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

  /// Runs until SIGTERM or SIGINT, or until SIGHUP finds a good configuration.
  package func run() throws -> End {
    log.write(
      .notice,
      "node \(configuration.node), version \(Version.program), \(engine.records.count) alarms, broker \(configuration.mqtt.host):\(configuration.mqtt.port)"
    )
    perform(engine.step(.start, at: Self.present))
    // Here and not at the broker: what is due rings already.
    manager.ready("node \(configuration.node)")
    try client.start()
    while true {
      try arm()
      for identifier in try poller.wait() {
        switch Source(rawValue: identifier) {
        case .mailbox: for input in mailbox.drain() { take(input) }
        case .wall: if wallTimer.take() != .none { wake() }
        case .elapsed: if elapsedTimer.take() != .none { wake() }
        case .signals:
          while let signal = signals.take() {
            if signal == SIGHUP, !hasTerminal {
              readConfiguration()
            } else {
              log.write(.notice, "signal \(signal): ending")
              manager.stopping()
              end()
              return .stopped
            }
          }
        case nil: break
        }
      }
      if isRestartDue {
        end()
        return .restart
      }
      ping()
      checkSounds()
      updateCountdown()
      announce(session: session, client: client)
      updateHealth()
      refreshZones()
    }
  }

  private func wake() { perform(engine.step(.wake, at: Self.present)) }

  /// Arms both timers for the next thing to do.
  private func arm() throws {
    let next = engine.nextDeadlines
    try wallTimer.arm(at: next.wall?.milliseconds)
    let housekeeping = min(healthDueAt, zonesDueAt, health.nextClearing ?? .max, announcement.nextDeadline ?? .max, pingDueAt)
    try elapsedTimer.arm(at: min(next.elapsed ?? .max, housekeeping))
  }

  /// Looks, on the thread that may wait for the disk, whether an upgrade of tzdata or a new system zone changed any rules.
  private func refreshZones() {
    let now = SystemClock.elapsedMilliseconds()
    guard now >= zonesDueAt else { return }
    zonesDueAt = now + Self.zonesInterval
    let (zones, mailbox, log, configured) = (zones, mailbox, log, configuration.timeZone)
    let present = engine.configuration.context.localZone
    store.run {
      let hasChanged = zones.refresh()
      do throws(ZoneError) {
        let localZone = try zones.zone(named: configured ?? ZoneDatabase.systemZoneName())
        if hasChanged || localZone != present { mailbox.post(.zonesChanged(localZone: localZone)) }
      } catch { log.write(.warning, "\(error.message); the zone stays \(present.identifier)") }
    }
  }

  /// Has the outputs check the sounds that alarms need, where those have changed.
  private func checkSounds() {
    let needed = engine.neededSounds
    guard needed != checkedSounds else { return }
    checkedSounds = needed
    soundErrors = soundErrors.filter { needed.contains($0.key) }
    outputs.check(sounds: needed)
  }

  /// Tells the light when the first countdown begins and the last one ends.
  private func updateCountdown() {
    let isRunning = engine.isCountingDown
    guard isRunning != isCountdownShown else { return }
    isCountdownShown = isRunning
    outputs.setCountdown(isRunning)
  }

  private func end() {
    buttons?.stop()
    outputs.silence()
    client.stop(last: session == nil ? [] : [MQTTPublication(topics.availabilityMessage(isOnline: false))], within: Self.farewell)
    outputs.stop()
    // Acknowledgements that are still in the mailbox count as well: no event is repeated for nothing.
    for input in mailbox.drain() {
      if case .acknowledged = input { take(input) }
    }
    step(.stopping)
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
      announceAll(session: session, client: client)
      step(.connected)
      client.subscribe(MQTTSubscription(filter: topics.retainedAlarmsFilter, noLocal: true), session: session)
    case .homeAssistant(let topic, let payload, let session):
      if session == self.session { take(homeAssistant: topic, payload) }
    case .disconnected(let error, let retry):
      if session != nil || brokerError?.code != error.code {
        log.write(.warning, "no broker: \(error.message); next attempt in \(Double(retry) / 1000) s")
      }
      session = nil
      brokerError = error
      announcement.disconnected()
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
    case .setAside(let damaged, let newer): setAside = (damaged, newer)
    case .output(let report): take(report)
    case .button(let event): take(event)
    case .configurationRead(let problem): take(configurationProblem: problem)
    case .zonesChanged(let localZone):
      log.write(.notice, "time zone rules have changed; local zone \(localZone.identifier)")
      reader.setLocalZone(localZone)
      step(.zonesChanged(localZone: localZone))
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
    case .checked(let sound, let error):
      if let error { log.write(.warning, "the sound \(sound): \(error)") }
      soundErrors[sound] = error
    case .recovered(let output):
      log.write(.notice, "\(output.rawValue) works again")
      outputErrors[output] = nil
    }
  }

  func step(_ input: EngineInput) { perform(engine.step(input, at: Self.present)) }

  // MARK: Effects

  private func perform(_ effects: [EngineEffect]) {
    for effect in effects {
      switch effect {
      case .ring(let ring?):
        outputs.ring(
          RingRequest(
            ring: ring.ring, sound: ring.sound, volume: ring.volume, fadeIn: Double(ring.fadeIn.milliseconds) / 1000,
            outputs: ring.outputs.map { Set($0.compactMap(OutputKind.init)) }))
      case .ring(nil): outputs.silence()
      case .publish(.info): publish(infoMessage)
      case .publish(.health): publishHealth()
      case .publish(let publication):
        if case .event(let event) = publication { logEvent(event) }
        for message in topics.messages(for: publication) { publish(message) }
      case .commit(let token, let change):
        if !change.alarms.isEmpty || !change.values.isEmpty { announcement.touch(now: SystemClock.elapsedMilliseconds()) }
        store.commit(token, StoreChange(change))
      }
    }
  }

  private func logEvent(_ event: Event) {
    log.write(.information, "event \(event.document)")
  }

  func publish(_ message: NodeMessage) {
    guard let session else { return }
    client.publish(MQTTPublication(message), token: message.eventSequence.map(UInt64.init), session: session)
  }
}
