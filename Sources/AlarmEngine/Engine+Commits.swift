import AlarmModel
import CivilTime
import JSON

/// What has changed and is not handed to the store yet.
struct Journal: Sendable {
  /// Ids whose records are to be written, or deleted where there is none.
  var alarms: Set<String> = []
  var events: [Event] = []
  var acknowledged: [Int64] = []
  var replies: [KeptReply] = []
  var forgotten: [RequestKey] = []
  var values: [String: String] = [:]
  /// Elapsed time by which what can wait is written; `nil`: nothing waits.
  var flushAt: Int64?

  /// Whether there is nothing that should be written now.
  var isEmpty: Bool { alarms.isEmpty && events.isEmpty && replies.isEmpty && forgotten.isEmpty && values.isEmpty }
}

/// A commit that the store has not answered yet.
struct InFlight: Sendable {
  var journal: Journal
  /// What waits for it: a request's publications and replies.
  var request: Request?
  var reply: Reply?
  var addresses: [ReplyAddress] = []
  var changes = ChangeSet()
  /// The records as they were before the request, and as it left them.
  var before: [String: AlarmRecord?] = [:]
  var after: [String: AlarmRecord?] = [:]
}

extension Engine {
  /// Whether the alarm's latest request is not on disk yet.
  package func isUncommitted(_ id: String) -> Bool { inFlight.values.contains { $0.before[id] != nil } }

  /// Hands a request's change to the store; its publications and reply wait there.
  mutating func commitRequest(_ request: Request, _ reply: Reply, before: [String: AlarmRecord]) {
    var entry = InFlight(journal: takeJournal(), request: request, reply: reply, addresses: request.addresses, changes: changes)
    for id in changes.alarms {
      entry.before[id] = .some(before[id])
      entry.after[id] = .some(records[id])
    }
    changes = ChangeSet()
    commit(entry)
  }

  /// Hands whatever else has changed to the store.
  mutating func flushJournal() -> [EngineEffect] {
    if let flushAt = journal.flushAt, flushAt <= present.elapsed {
      commit(InFlight(journal: takeJournal()))
    } else if !journal.isEmpty, journal.flushAt == nil || storageError == nil {
      commit(InFlight(journal: takeJournal()))
    }
    defer { commits = [] }
    return commits
  }

  private mutating func commit(_ entry: InFlight) {
    let change = EngineChange(
      alarms: Dictionary(uniqueKeysWithValues: entry.journal.alarms.map { ($0, records[$0]?.stored(boot: configuration.boot)) }),
      events: entry.journal.events, acknowledgedEvents: entry.journal.acknowledged, replies: entry.journal.replies,
      forgottenReplies: entry.journal.forgotten, values: entry.journal.values)
    guard !change.isEmpty else { return }
    inFlight[nextToken] = entry
    commits.append(.commit(token: nextToken, change))
    nextToken += 1
  }

  private mutating func takeJournal() -> Journal {
    defer { journal = Journal() }
    return journal
  }

  /// The store has answered.
  mutating func committed(_ token: UInt64, error: String?) {
    guard var entry = inFlight.removeValue(forKey: token) else { return }
    let wasFailing = storageError != nil
    storageError = error
    if wasFailing != (error != nil) { publish(.health) }
    if let end = entry.journal.values["eventSequence"].flatMap({ Int64($0) }) { useSequences(below: end) }
    let keys = entry.journal.replies.map(\.key)
    guard let error else {
      commitRetryDelay = Self.commitRetryDelays.lowerBound
      memory.settle(token, keys: keys)
      keepInOrder(&entry.changes.events)
      if entry.request != nil { publish(entry.changes) }
      if let reply = entry.reply { self.reply(reply, to: entry.addresses) }
      return
    }
    memory.forget(keys)
    if let request = entry.request {
      let keepsEffect = entry.before.values.contains { $0?.state == .alerting }
      if keepsEffect {
        // It is quiet now and stays so; the disk is tried again.
        publish(entry.changes)
      } else {
        undo(&entry)
        publishNode()
      }
      let consequence = keepsEffect ? "it holds until the node restarts" : "nothing was changed"
      let failure = RequestError(.storageFailed, "could not write to disk (\(error)); \(consequence). Free some space and try again")
      reply(Reply(failure, to: request), to: entry.addresses)
      entry.journal.replies = []
    }
    retry(entry.journal)
  }

  /// Puts back what a request had changed, where nothing has changed since.
  private mutating func undo(_ entry: inout InFlight) {
    for (id, before) in entry.before {
      let after = entry.after[id]
      guard let after, records[id] == after else {
        if after != nil, let next = inFlight.filter({ $0.value.before[id] == after }).keys.min() {
          // A later request was built on this one; if it fails as well, it leads back to where this one began.
          inFlight[next]?.before[id] = .some(before)
        } else {
          // Time went on with it meanwhile; that stands.
          changes.touch(id)
        }
        continue
      }
      // It stays to be written: what it was before may not be on disk either.
      alarms[id] = before
    }
    let sequences = Set(entry.changes.events.map(\.sequence))
    waitingEvents.removeAll { sequences.contains($0.sequence) }
    entry.journal.events.removeAll { sequences.contains($0.sequence) }
  }

  /// Numbers a request's events anew where later ones went out while it was on its way to the disk.
  private mutating func keepInOrder(_ events: inout [Event]) {
    guard let first = events.first, first.sequence < publishedSequence else { return }
    for index in events.indices {
      let old = events[index]
      guard let place = waitingEvents.firstIndex(of: old) else { continue }
      let event = old.renumbered(takeSequence())
      events[index] = event
      waitingEvents.remove(at: place)
      waitingEvents.append(event)
      journal.acknowledged.append(old.sequence)
      journal.events.append(event)
    }
  }

  /// Writes it with the next commit, at the latest after a while.
  private mutating func retry(_ failed: Journal) {
    journal.alarms.formUnion(failed.alarms)
    journal.events = failed.events.filter { event in waitingEvents.contains(event) } + journal.events
    journal.acknowledged = failed.acknowledged + journal.acknowledged
    journal.forgotten = failed.forgotten + journal.forgotten
    journal.values.merge(failed.values) { newer, _ in newer }
    guard !journal.isEmpty || !journal.acknowledged.isEmpty else { return }
    journal.flushAt = present.elapsed + commitRetryDelay
    commitRetryDelay = min(commitRetryDelay * 2, Self.commitRetryDelays.upperBound)
  }
}
