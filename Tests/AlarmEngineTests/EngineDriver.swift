import AlarmEngine
import AlarmModel
import CivilTime
import JSON
import NodeProtocol
import Testing

/// Runs an engine as the node's runtime does: in virtual time, against a simulated store and broker.
///
/// `now` counts milliseconds since the driver began, whatever happens to the two clocks that the engine sees.
final class EngineDriver {
  enum StoreBehavior {
    /// Commits are durable so many milliseconds after they were handed in, one after the other.
    case answers(after: Int64)
    /// They wait for `releaseCommits()`.
    case holds
    case fails(String)
  }

  /// An effect and when it came.
  struct Entry {
    let now: Int64
    let wall: Instant
    let effect: EngineEffect
  }

  struct Disk {
    var alarms: [String: JSONObject] = [:]
    var events: [Int64: Event] = [:]
    var replies: [RequestKey: KeptReply] = [:]
    var values: [String: String] = [:]
  }

  static let topics = Topics(prefix: "reveille", node: "bedroom")
  static let sounds: Set = ["default", "bell", "chime", "gong"]

  private(set) var engine: Engine
  private(set) var now: Int64 = 0
  private(set) var log: [Entry] = []
  private(set) var disk = Disk()
  /// The retained alarm documents as the broker holds them.
  private(set) var retained: [String: JSONObject] = [:]
  private(set) var retainedNode: JSONObject?
  /// Every event once, when it was first published or handed to a store that does not fail.
  private(set) var events: [SeenEvent] = []
  private(set) var isConnected = false
  private var seenSequences: Set<Int64> = []
  var store = StoreBehavior.answers(after: 0)
  /// Whether the time service vouches for the wall clock.
  var isSynchronized = true
  /// Whether the broker acknowledges events at once.
  var acknowledges = true

  private let reader: CommandReader
  private let context: DocumentContext
  private let maximumAlarms: Int
  private var boot = 1
  private var wallBase: Int64
  private var elapsedBase: Int64 = 100_000
  private var pending: [(token: UInt64, change: EngineChange, due: Int64)] = []
  private var waitingInputs: [EngineInput] = []
  private var isStepping = false

  init(at start: String = "2026-12-01T12:00:00", zone: String = "Europe/Berlin", maximumAlarms: Int = 64) {
    let rules = rules(zone)
    wallBase = instant(start, rules).milliseconds
    context = DocumentContext(
      localZone: rules, zone: { knownRules($0) }, isKnownSound: { Self.sounds.contains($0) },
      makeIdentifier: { "made-\(UInt64.random(in: .min ... .max))" })
    reader = CommandReader(topics: Self.topics, context: context)
    self.maximumAlarms = maximumAlarms
    engine = Engine(
      configuration: EngineConfiguration(context: context, maximumAlarms: maximumAlarms, boot: "boot-1"), stored: StoredNode(),
      at: Present(wall: instant(start, rules), elapsed: 100_000))
    step(.start)
    connect()
  }

  // MARK: Time

  var wall: Instant { Instant(milliseconds: now + wallBase) }
  var elapsed: Int64 { now + elapsedBase }

  /// Lets time pass; the engine is woken exactly at each of its deadlines.
  func advance(milliseconds: Int64) {
    let end = now + milliseconds
    var wakesHere = 0
    while let due = nextDue, due <= end {
      wakesHere = due > now ? 0 : wakesHere + 1
      guard wakesHere < 50 else {
        Issue.record("the engine asks again and again to be woken at \(wall.formatted(in: context.localZone))")
        break
      }
      now = max(now, due)
      step(pending.first.map { $0.due <= now } == true ? nil : .wake)
    }
    now = max(now, end)
  }

  func advance(seconds: Int64) { advance(milliseconds: seconds * 1000) }

  func advance(to text: String) { advance(milliseconds: instant(text, context.localZone) - wall) }

  /// Time passes while the thread that owns the engine gets no processor.
  func stall(milliseconds: Int64) { now += milliseconds }

  /// Sets the wall clock by so many milliseconds; the engine is told at once.
  func setClock(by milliseconds: Int64) {
    wallBase += milliseconds
    step(.wake)
    advance(milliseconds: 0)
  }

  private var nextDue: Int64? {
    let next = engine.nextDeadlines
    return [next.wall.map { $0.milliseconds - wallBase }, next.elapsed.map { $0 - elapsedBase }, pending.first?.due].compactMap(\.self)
      .min()
  }

  /// Ends the engine and starts another one from what is on disk. What was handed in and not yet durable is lost if `crash`.
  ///
  /// - Parameter clock: what the wall clock shows after a boot without a battery, in milliseconds since 1970.
  func restart(afterDowntime milliseconds: Int64 = 1000, reboot: Bool = false, crash: Bool = false, clock: Int64? = nil) {
    if !crash { for commit in pending { apply(commit.change) } }
    pending = []
    waitingInputs = []
    now += milliseconds
    if let clock { wallBase = clock - now }
    if reboot {
      boot += 1
      elapsedBase = 5000 - now
    }
    var stored = StoredNode()
    stored.alarms = disk.alarms.sorted { $0.key < $1.key }.map { copied($0.value) }
    stored.events = disk.events.values.sorted { $0.sequence < $1.sequence }.map {
      Event(sequence: $0.sequence, document: copied($0.document))
    }
    stored.replies = disk.replies.values.map { KeptReply(key: $0.key, digest: $0.digest, reply: copied($0.reply), at: $0.at) }
    stored.values = disk.values
    isConnected = false
    engine = Engine(
      configuration: EngineConfiguration(context: context, maximumAlarms: maximumAlarms, boot: "boot-\(boot)"), stored: stored,
      at: Present(wall: wall, elapsed: elapsed, isSynchronized: isSynchronized))
    #expect(engine.unreadable.isEmpty, "what was stored can be read again")
    step(.start)
    connect()
    advance(milliseconds: 0)
  }

  // MARK: Inputs

  /// Gives the engine one input (`nil`: only what waits), then everything that follows from it at this moment.
  func step(_ input: EngineInput?) {
    if let input { waitingInputs.append(input) }
    guard !isStepping else { return }
    isStepping = true
    defer { isStepping = false }
    while true {
      if !waitingInputs.isEmpty {
        let input = waitingInputs.removeFirst()
        if case .connected = input { isConnected = true }
        if case .disconnected = input { isConnected = false }
        perform(engine.step(input, at: Present(wall: wall, elapsed: elapsed, isSynchronized: isSynchronized)))
      } else if let commit = pending.first, commit.due <= now {
        pending.removeFirst()
        if case .fails(let error) = store {
          waitingInputs.append(.committed(token: commit.token, error: error))
        } else {
          apply(commit.change)
          waitingInputs.append(.committed(token: commit.token, error: nil))
        }
      } else {
        return
      }
    }
  }

  func connect() { step(.connected) }
  func disconnect() { step(.disconnected) }

  func releaseCommits() {
    for index in pending.indices { pending[index].due = now }
    step(nil)
  }

  var commitsWaiting: Int { pending.count }

  /// Sends a request as its message would reach the node, and answers the reply that came at once.
  @discardableResult
  func request(_ operation: String, _ json: String = "{}", retained: Bool = false) -> Answer {
    send(CommandReader.Message(topic: "\(Self.topics.base)/request/\(operation)", payload: Array(json.utf8), isRetained: retained))
  }

  @discardableResult
  func schedule(_ json: String) -> Answer { request("schedule", json) }

  /// Sends a request that says nothing but the alarm's id.
  @discardableResult
  func ask(_ operation: String, _ id: String) -> Answer { request(operation, #"{"id":"\#(id)"}"#) }

  /// Sends a word to an alarm's `set` topic.
  @discardableResult
  func word(_ word: String, to id: String) -> Answer {
    send(CommandReader.Message(topic: "\(Self.topics.base)/alarms/\(id)/set", payload: Array(word.utf8)))
  }

  @discardableResult
  func set(_ setting: String, _ value: String) -> Answer {
    send(CommandReader.Message(topic: "\(Self.topics.base)/set/\(setting)", payload: Array(value.utf8)))
  }

  /// Presses a button, which speaks of no alarm.
  @discardableResult
  func button(_ operation: AlarmOperation) -> Answer {
    let mark = log.count
    step(
      .request(Request(name: operation.operation.rawValue, body: .success(.change(operation, id: nil, occurrence: nil)), origin: .button)))
    return Answer(replies(since: mark).last)
  }

  private func send(_ message: CommandReader.Message) -> Answer {
    let mark = log.count
    guard let input = reader.read(message) else {
      Issue.record("\(message.topic) is no command")
      return Answer(nil)
    }
    step(input)
    return Answer(replies(since: mark).last)
  }

  // MARK: Effects

  private func perform(_ effects: [EngineEffect]) {
    var hasPublished = false
    for effect in effects {
      log.append(Entry(now: now, wall: wall, effect: effect))
      switch effect {
      case .ring: #expect(!hasPublished, "sound is first")
      case .commit(let token, let change):
        #expect(!change.isEmpty, "an empty change is not written")
        let due: Int64 =
          switch store {
          case .answers(let delay): max(now + delay, pending.last?.due ?? 0)
          case .holds: .max
          case .fails: now
          }
        if case .fails = store {} else { for event in change.events { see(event) } }
        pending.append((token, change, due))
      case .publish(let publication):
        hasPublished = true
        #expect(isConnected, "nothing is published while there is no broker")
        take(publication)
      }
    }
  }

  private func take(_ publication: EnginePublication) {
    switch publication {
    case .alarm(let id, let document): retained[id] = document
    case .node(let document): retainedNode = document
    case .event(let event):
      see(event)
      if acknowledges { waitingInputs.append(.eventAcknowledged(sequence: event.sequence)) }
    default: break
    }
  }

  private func see(_ event: Event) {
    guard seenSequences.insert(event.sequence).inserted else { return }
    #expect(event.sequence > events.last?.sequence ?? 0, "event numbers rise")
    events.append(SeenEvent(now: now, wall: wall, event: event))
  }

  private func apply(_ change: EngineChange) {
    for (id, record) in change.alarms { disk.alarms[id] = record }
    for event in change.events { disk.events[event.sequence] = event }
    for sequence in change.acknowledgedEvents { disk.events[sequence] = nil }
    for reply in change.replies { disk.replies[reply.key] = reply }
    for key in change.forgottenReplies { disk.replies[key] = nil }
    disk.values.merge(change.values) { $1 }
  }

  /// The object after it went through text, as the store has it.
  private func copied(_ object: JSONObject) -> JSONObject { json(object.description) }
}
