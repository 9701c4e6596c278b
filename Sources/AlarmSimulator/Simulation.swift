import AlarmEngine
import AlarmModel
import CivilTime
import JSON
import NodeProtocol

/// One simulated node through some years of everything that can happen to it, decided by a seed. Each step is checked.
public struct Simulation {
  let seed: UInt64
  let zones: [ZoneRules]
  var random: SeededGenerator
  var clock: VirtualClock
  var store = VirtualStore()
  var engine: Engine
  var context: DocumentContext
  let topics = Topics(prefix: "reveille", node: "sim")
  var statistics = SimulationStatistics()

  var isConnected = false
  /// Events that the broker will acknowledge, with the time at which it does.
  var acknowledgements: [(sequence: Int64, at: Int64)] = []
  var ringing: Ring?
  /// The alarm states that the step under way has published.
  var shown: [String: String?] = [:]
  /// Events of this life of the program and the last one, and the highest sequence of all lives before this one.
  var publishedEvents: [Int64: Event] = [:]
  var sequenceFloor: Int64 = 0
  /// Acknowledged by the broker while the disk did not have them.
  var acknowledgedEarly: [Event] = []
  var occurrences = OccurrenceLedger()
  var ticks = TickLedger()
  /// When the engine wants to be stepped next.
  private var deadlines: (wall: Instant?, elapsed: Int64?)
  /// True time at which the next thing is done to the node.
  var nextActionAt: Int64 = 0
  /// Until when the loop does not run.
  var stalledUntil: Int64 = 0
  var requestNumber = 0
  /// Requests that were acknowledged lately, with the replies.
  var acknowledged: [(topic: String, payload: String, reply: JSONObject)] = []
  var sent: [String: (topic: String, payload: String)] = [:]
  /// Crash after so many more effects.
  var crashAfter: Int?
  var trace: [String] = []
  let isTracing: Bool

  /// Of the alarms that this node may have.
  let identifiers: [String]

  /// Lives through so many days, and answers what happened.
  ///
  /// - Parameter zones: of which the node's zone is one at a time.
  public static func run(
    seed: UInt64, beginning: Instant, zones: [ZoneRules], days: Int64, isTracing: Bool = false
  ) throws(Violation) -> SimulationStatistics {
    var simulation = Simulation(seed: seed, beginning: beginning, zones: zones, isTracing: isTracing)
    try simulation.run(days: days)
    return simulation.statistics
  }

  private init(seed: UInt64, beginning: Instant, zones: [ZoneRules], isTracing: Bool) {
    self.seed = seed
    self.zones = zones
    self.isTracing = isTracing
    random = SeededGenerator(seed: seed)
    identifiers = (1...random.number(6...60)).map { "alarm\($0)" }
    clock = VirtualClock(beginning: beginning)
    let local = random.element(of: zones, or: .utc)
    let known = Dictionary(zones.map { ($0.identifier, $0) }, uniquingKeysWith: { first, _ in first })
    context = DocumentContext(
      localZone: local, zone: { known[$0] }, isKnownSound: { $0 == "default" || $0 == "chime" }, makeIdentifier: { "unnamed" })
    engine = Engine(
      configuration: EngineConfiguration(context: context, boot: clock.bootIdentifier), stored: StoredNode(), at: clock.present)
    statistics.simulations = 1
  }

  private mutating func run(days: Int64) throws(Violation) {
    let end = clock.now + days * 86_400_000
    try step(.start)
    isConnected = true
    try step(.connected)
    // Short snoozes: what is wanted is many rings, not many ticks.
    try step(.setting(name: "snooze", value: "7", isRetained: false))
    while clock.now < end { try proceed(until: end) }
    statistics.simulated += days * 86_400_000
  }

  // MARK: Time

  /// Goes to the next thing that happens, and does it.
  private mutating func proceed(until end: Int64) throws(Violation) {
    let wake = max(nextWake(), stalledUntil)
    let commit = store.pending.first.map { max($0.at, stalledUntil) }
    let acknowledgement = acknowledgements.first.map { max($0.at, stalledUntil) }
    let next = min(wake, nextActionAt, commit ?? .max, acknowledgement ?? .max, end)
    clock.advance(to: next)
    if next == commit, let finished = store.finish(by: clock.now) {
      if !finished.isDurable { statistics.failedCommits += 1 } else { try bookDurableEvents() }
      try step(.committed(token: finished.token, error: finished.isDurable ? nil : "disk full"))
    } else if next == acknowledgement, let first = acknowledgements.first {
      acknowledgements.removeFirst()
      if let event = publishedEvents[first.sequence], store.events[first.sequence] == nil { acknowledgedEarly.append(event) }
      try step(.eventAcknowledged(sequence: first.sequence))
    } else if next == wake {
      try step(.wake)
    } else if next == nextActionAt {
      try act()
    }
  }

  /// True time of the engine's next deadline.
  private func nextWake() -> Int64 {
    let wall = deadlines.wall.map { clock.now + ($0 - clock.present.wall) }
    let elapsed = deadlines.elapsed.map { clock.bootedAt + $0 }
    return max(min(wall ?? .max, elapsed ?? .max), clock.now)
  }

  // MARK: Steps

  /// Steps the engine and does its effects, of which a crash may cut off the rest.
  mutating func step(_ input: EngineInput) throws(Violation) {
    statistics.steps += 1
    if isTracing { note("\(clock.truth.formatted(in: .utc)) wall \(clock.present.wall.formatted(in: .utc)) input \(Self.short(input))") }
    let (trust, sequence) = (engine.trust, engine.upcomingSequence)
    let effects = engine.step(input, at: clock.present)
    if trust == .untrusted, engine.trust != .untrusted { occurrences.startAfresh(from: sequence) }
    for effect in effects {
      if let left = crashAfter {
        if left == 0 { return try crash() }
        crashAfter = left - 1
      }
      try perform(effect)
    }
    try check()
    if !effects.isEmpty { try checkSound() }
  }

  mutating func perform(allOf effects: [EngineEffect]) throws(Violation) {
    for effect in effects { try perform(effect) }
    try check()
    try checkSound()
  }

  mutating func perform(_ effect: EngineEffect) throws(Violation) {
    if isTracing { note("    \(Self.short(effect))") }
    switch effect {
    case .ring(let ring): ringing = ring
    case .commit(let token, let change):
      let delay = random.oneIn(50) ? random.number(500...5000) : random.number(1...30)
      if delay > 400 { ticks.disturb() }
      store.hand(token, change, durableAt: clock.now + delay)
    case .publish(let publication): try take(publication)
    }
  }

  private mutating func take(_ publication: EnginePublication) throws(Violation) {
    guard isConnected else { return try fail("nothing is published without a broker", "\(publication)") }
    switch publication {
    case .remaining(let id, let number):
      statistics.ticks += 1
      let isWaiting = engine.isUncommitted(id)
      if let fault = ticks.take(id, number, record: engine.records[id], isWaiting: isWaiting, at: engine.present) {
        try fail("ticks are exact", fault)
      }
    case .event(let event):
      if publishedEvents[event.sequence] == nil {
        guard event.sequence > sequenceFloor else {
          return try fail("sequences increase", "\(event.sequence) after a restart at \(sequenceFloor)")
        }
        switch event.kind {
        case .alerting: statistics.firings += 1
        case .missed: statistics.missed += 1
        default: break
        }
      } else if publishedEvents[event.sequence] != event {
        return try fail("a repeated event is the same", "\(event.document)")
      }
      publishedEvents[event.sequence] = event
      acknowledgements.append((event.sequence, max(clock.now + random.number(1...200), acknowledgements.last?.at ?? 0)))
    case .alarm(let id, nil): shown[id] = nil
    case .alarm(let id, let document?):
      let state = document["state"]?.string
      guard (state == "countdown") == (document["fireDate"] != .null) else { return try fail("an alarm is in one state", "\(document)") }
      shown[id] = state
      if state == AlarmState.scheduled.rawValue { ticks.end(id) }
    case .reply(let reply, _): try take(reply)
    case .info, .health, .online, .setting, .node, .activity: break
    }
  }

  /// An acknowledged change is on disk.
  private mutating func take(_ reply: Reply) throws(Violation) {
    guard reply.document["status"] == "ok", let transaction = reply.document["transaction"]?.string, let request = sent[transaction] else {
      return
    }
    let data = reply.document["data"]?.object
    if reply.operation == "schedule", let id = data?["id"]?.string, let revision = data?["revision"]?.integer {
      let stored = store.alarms[id]?["revision"]?.integer ?? -1
      let isKnown = store.replies[RequestKey(operation: "schedule", transaction: transaction)] != nil
      guard stored >= revision || isKnown else {
        return try fail("what is acknowledged is on disk", "\(id) revision \(revision), on disk \(stored)")
      }
    }
    acknowledged.append((request.topic, request.payload, reply.document))
    if acknowledged.count > 20 { acknowledged.removeFirst() }
  }

  mutating func bookDurableEvents() throws(Violation) {
    // What the broker had before the disk never gets there, but what it tells of does.
    for event in (store.takeNewEvents() + acknowledgedEarly).sorted(by: { $0.sequence < $1.sequence }) { try book(event) }
    acknowledgedEarly = []
  }

  /// What an event tells of is durable.
  private mutating func book(_ event: Event) throws(Violation) {
    if isTracing { note("    durable \(event.document)") }
    let engine = engine
    if let fault = occurrences.take(event, definition: { engine.records[$0]?.alarm }) {
      try fail("every occurrence ends once and none is lost", fault)
    }
  }

  // MARK: Checks

  private mutating func check() throws(Violation) {
    for (id, state) in shown where !engine.isUncommitted(id) && engine.records[id]?.state.rawValue != state {
      return try fail("what is published last is the state", "\(id) is published as \(state ?? "nothing")")
    }
    shown = [:]
    let present = clock.present
    deadlines = engine.nextDeadlines
    if let wall = deadlines.wall, wall <= present.wall { return try fail("deadlines lie ahead", "wall \(wall.formatted(in: .utc))") }
    if let elapsed = deadlines.elapsed, elapsed <= present.elapsed { return try fail("deadlines lie ahead", "elapsed \(elapsed)") }
  }

  private mutating func checkSound() throws(Violation) {
    let alerting = engine.records.values.filter { $0.state == .alerting }
    if !alerting.isEmpty, ringing == nil { return try fail("what alerts sounds", alerting.map(\.alarm.id).joined(separator: " ")) }
    if alerting.isEmpty, let ringing, ringing.sound != "chime" {
      return try fail("nothing sounds unless it alerts", "ring \(ringing.ring)")
    }
  }

  mutating func fail(_ promise: String, _ details: String) throws(Violation) {
    throw Violation(
      seed: seed, promise: promise, details: "\(clock.truth.formatted(in: .utc)): \(details)", trace: trace.suffix(isTracing ? 15000 : 20))
  }

  mutating func note(_ line: String) {
    trace.append(line)
    if trace.count > 20_000 { trace.removeFirst(5000) }
  }

  private static func short(_ value: some Any) -> String { String(String(describing: value).prefix(4000)) }
}
