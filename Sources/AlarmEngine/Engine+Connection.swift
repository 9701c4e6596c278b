import AlarmModel
import JSON

extension Engine {
  /// A session stands: the broker gets the whole snapshot, then `online`, then the events that wait.
  mutating func connected() {
    publishChanges()
    isConnected = true
    publishSnapshot()
    let uncommitted = Set(inFlight.values.flatMap { $0.changes.events.map(\.sequence) })
    for event in waitingEvents where !uncommitted.contains(event.sequence) { publish(.event(event)) }
  }

  /// Everything that is retained, and `online` last.
  mutating func publishSnapshot() {
    publishedNode = nil
    publish(.info)
    publish(.health)
    for name in NodeSettings.names {
      if let value = settings.value(of: name) { publish(.setting(name: name, value: value)) }
    }
    // What is not on disk yet is published when it is.
    for id in orderedIDs where !isUncommitted(id) { publish(.alarm(id: id, document(of: id))) }
    publishNode()
    publish(.online)
  }

  mutating func acknowledged(_ sequence: Int64) {
    guard let index = waitingEvents.firstIndex(where: { $0.sequence == sequence }) else { return }
    waitingEvents.remove(at: index)
    // An event that is not stored yet need not be.
    if let unsaved = journal.events.firstIndex(where: { $0.sequence == sequence }) {
      journal.events.remove(at: unsaved)
    } else {
      journal.acknowledged.append(sequence)
      journal.flushAt = journal.flushAt ?? present.elapsed + Self.acknowledgementDelay
    }
  }

  mutating func set(_ name: String, to value: String, isRetained: Bool) {
    let request = Request(name: "set-\(name)", body: .failure(RequestError(.invalidArgument, "")))
    do throws(RequestError) {
      if isRetained {
        throw RequestError(.retainedRequest, "a command must not be retained; publish it without the retain flag", field: name)
      }
      try settings.set(name, to: value, context: configuration.context)
    } catch {
      reply(Reply(error, to: request), to: [ReplyAddress()])
      return
    }
    guard let inForce = settings.value(of: name) else { return }
    journal.values["setting.\(name)"] = inForce
    publish(.setting(name: name, value: inForce))
    publish(.health)
  }

  /// What keeps the node from being ready, as far as the engine knows.
  package var problems: [(code: String, message: String)] {
    var problems: [(code: String, message: String)] = []
    if settings.isMuted { problems.append(("muted", "the node is muted: no alarm will sound")) }
    if trust == .untrusted {
      problems.append(("clock_untrusted", "the clock is before the last time this node has seen; it needs a time service or a battery"))
    }
    for id in orderedIDs where records[id]?.state == .paused && records[id]?.alarm.isTimer == false {
      problems.append(("alarm_paused", "alarm \(id) is paused and will not ring until it is resumed"))
    }
    if let storageError { problems.append(("storage_failed", "changes cannot be written to disk: \(storageError)")) }
    for (id, reason) in unreadable.sorted(by: { $0.key < $1.key }) {
      problems.append(("unreadable_alarm", "the stored alarm \(id) cannot be read: \(reason)"))
    }
    return problems
  }
}
