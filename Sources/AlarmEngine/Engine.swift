import AlarmModel
import CivilTime
import JSON

/// The node's mind: every decision about alarms, as a value that is told inputs and answers effects. It has no clock, no thread and no I/O.
///
/// After each `step` the caller arms its timers for `nextDeadlines`. Effects come in the order in which they are to be done: sound first,
/// then publications, then commits.
package struct Engine: Sendable {
  package internal(set) var configuration: EngineConfiguration
  var alarms: AlarmTable
  package internal(set) var settings = NodeSettings()
  /// Events that the broker has not acknowledged, oldest first.
  package internal(set) var waitingEvents: [Event] = []
  package internal(set) var isConnected = false
  /// Ids of stored alarms that could not be read, with the reason; they are left in the store.
  package internal(set) var unreadable: [String: String] = [:]
  /// Why the latest commit failed; `nil` once one succeeded.
  package internal(set) var storageError: String?

  /// How far the wall clock is believed at present.
  package internal(set) var trust = ClockTrust.plausible

  /// The present by the time that counts: while the clock is not trusted its wall time is a lower bound.
  package internal(set) var present: Present
  /// The latest time that the store has.
  var storedTime: StoredTime?
  /// When that is to be written again, in elapsed time.
  var timeStoredAt: Int64?
  /// Until when, in elapsed time, a large step forward waits for confirmation.
  var heldUntil: Int64?
  /// Wall minus elapsed time as last seen: a jump means that the wall clock was set.
  var clockOffset: Int64
  var memory: TransactionMemory
  var journal = Journal()
  var inFlight: [UInt64: InFlight] = [:]
  var rateLimit = RateLimit()
  var nextToken: UInt64 = 1
  var commitRetryDelay = Self.commitRetryDelays.lowerBound
  var nextRing: UInt64 = 1
  var nextSequence: Int64
  /// The highest event number that has gone out.
  var publishedSequence: Int64 = 0
  var reservedSequence: Int64
  /// Event numbers below this are set aside on disk: no later life of the node uses them again.
  var usableSequence: Int64
  /// Events whose numbers are not set aside on disk yet.
  var withheldEvents: [Event] = []
  /// What the outputs were last told.
  var ringing: Ring?
  /// A reminder's chime or a test, until a moment of elapsed time.
  var shortSound: (request: Ring, until: Int64)?
  /// Rings before this one are silent while a button is down, until a moment of elapsed time.
  var hushed: (below: UInt64, until: Int64)?
  /// The node state as it was last published in this session.
  var publishedNode: JSONObject?
  // What the step under way has changed and not published, and the effects it has so far.
  var changes = ChangeSet()
  var publications: [EngineEffect] = []
  var commits: [EngineEffect] = []

  /// How late an alert may be and still count as on time, whatever the alarm's grace says.
  static let punctual: Int64 = 10_000
  /// The most events that wait for the broker.
  static let maximumWaitingEvents = 1000
  /// A tick that is later than this is left out.
  static let tickTolerance: Int64 = 500
  /// How long a one-shot that was missed stays.
  static let missedLifetime: Int64 = 7 * 86_400_000
  /// How long acknowledged events stay in the store while there is nothing else to write.
  static let acknowledgementDelay: Int64 = 10_000
  /// How long after a failed commit the next one is tried, if nothing else is to be written before: doubled with each failure in a row.
  static let commitRetryDelays: ClosedRange<Int64> = 5_000...300_000
  /// How long a button that is down keeps a ring silent at most.
  static let longestHush: Int64 = 2000
  /// How many event numbers are set aside in the store at once.
  static let sequenceBlock: Int64 = 1000

  /// Takes up what the store held; `step(.start)` then judges it.
  package init(configuration: EngineConfiguration, stored: StoredNode, at present: Present) {
    self.configuration = configuration
    alarms = AlarmTable(configuration.context)
    storedTime = StoredTime(stored.values)
    (trust, self.present) = Self.judge(present, storedTime: storedTime, boot: configuration.boot)
    let present = self.present
    clockOffset = present.wall.milliseconds - present.elapsed
    memory = TransactionMemory(stored.replies)
    waitingEvents = stored.events.sorted { $0.sequence < $1.sequence }
    reservedSequence = stored.values["eventSequence"].flatMap { Int64($0) } ?? 0
    usableSequence = reservedSequence
    nextSequence = max(reservedSequence, (waitingEvents.last?.sequence ?? 0) + 1, 1)
    for name in NodeSettings.names {
      guard let value = stored.values["setting.\(name)"] else { continue }
      do throws(RequestError) { try settings.set(name, to: value, context: configuration.context) } catch {
        unreadable["setting \(name)"] = error.message
      }
    }
    for object in stored.alarms {
      do throws(DocumentError) {
        let record = try AlarmRecord(stored: object, configuration: configuration, present: present)
        alarms[record.alarm.id] = record
      } catch {
        unreadable[object["alarm"]?.object?["id"]?.string ?? "?"] = "\(error.field): \(error.message)"
      }
    }
  }

  /// Takes one input at one moment, and answers what is to be done.
  package mutating func step(_ input: EngineInput, at present: Present) -> [EngineEffect] {
    publications = []
    if case .disconnected = input {
      isConnected = false
      withheldEvents = []
    }
    noticeClock(present)
    if case .start = input {
      reserveSequences()
      judgeRestart()
    }
    evaluate()
    switch input {
    case .start, .wake, .disconnected: break
    case .stopping: if journal.flushAt != nil { journal.flushAt = present.elapsed }
    case .request(let request): handle(request)
    case .buttonDown: hush()
    case .buttonDecided: hushed = nil
    case .setting(let name, let value, let isRetained): set(name, to: value, isRetained: isRetained)
    case .committed(let token, let error): committed(token, error: error)
    case .connected: connected()
    case .republish: if isConnected { publishSnapshot() }
    case .eventAcknowledged(let sequence): acknowledged(sequence)
    case .sounding(let ring, let results, let fallbacks): sounding(ring, results: results, fallbacks: fallbacks)
    case .outputFailed(let output, let code, let message): outputFailed(output, code: code, message: message)
    case .zonesChanged(let localZone): zonesChanged(localZone)
    case .foundRetained(let id):
      if records[id] == nil, !isUncommitted(id), isConnected { publications.append(.publish(.alarm(id: id, nil))) }
    }
    evaluate()
    publishChanges()
    storeTime()
    tick()
    let commits = flushJournal()
    return updateRing() + publications + commits
  }

  package var records: [String: AlarmRecord] { alarms.records }

  /// Ids in the order of lists.
  var orderedIDs: [String] { alarms.ids }

  func document(of id: String) -> JSONObject? { records[id]?.document(at: present, configuration.context) }

  mutating func publish(_ publication: EnginePublication) {
    guard isConnected else { return }
    if case .event(let event) = publication {
      guard event.sequence < usableSequence else { return withheldEvents.append(event) }
      publishedSequence = max(publishedSequence, event.sequence)
    }
    publications.append(.publish(publication))
  }
}
