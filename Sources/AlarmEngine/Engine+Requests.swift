import AlarmModel
import CivilTime
import JSON

extension Engine {
  /// Judges one request. Its publications and reply wait until its change is durable; sound does not.
  mutating func handle(_ request: Request) {
    publishChanges()
    do throws(RequestError) {
      guard request.isUnlimited || rateLimit.take(at: present.elapsed) else {
        throw RequestError(.rateLimited, "too many requests; send at most 100 a second")
      }
      if request.key != nil { journal.forgotten += memory.trim(now: present.wall.milliseconds) }
      if try replyFromMemory(request) { return }
      if let notAfter = request.notAfter, present.wall > notAfter {
        throw RequestError(.expiredRequest, "its notAfter is past", field: "notAfter")
      }
      let body: RequestBody
      switch request.body {
      case .success(let read): body = read
      case .failure(let error): throw error
      }
      if body.operation.isChanging {
        try change(body, request)
      } else {
        if case .test(let test) = body { try sound(test) }
        reply(Reply(ok: try read(body), to: request), to: request.addresses)
      }
    } catch {
      reply(Reply(error, to: request), to: request.addresses)
    }
  }

  mutating func reply(_ reply: Reply, to addresses: [ReplyAddress]) {
    for address in addresses { publish(.reply(reply, address)) }
  }

  /// Whether the request was answered before: the same reply goes out, now or with the first one.
  private mutating func replyFromMemory(_ request: Request) throws(RequestError) -> Bool {
    guard let key = request.key, let entry = memory[key] else { return false }
    guard entry.stored.digest == request.digest else {
      throw RequestError(.conflict, "this transaction was used for another request; choose a new one for each", field: "transaction")
    }
    if let token = entry.token, inFlight[token] != nil {
      inFlight[token]?.addresses.append(request.address)
    } else {
      reply(Reply(stored: entry.stored.reply, operation: request.name), to: request.addresses)
    }
    return true
  }

  /// Performs a changing operation, all of it or nothing.
  private mutating func change(_ body: RequestBody, _ request: Request) throws(RequestError) {
    let before = self
    let ids: [String]
    do throws(RequestError) {
      switch body {
      case .schedule(let alarm, let ifRevision): ids = [try schedule(alarm, ifRevision: ifRevision)]
      case .update(let id, let members, let ifRevision): ids = [try update(id, members, ifRevision: ifRevision)]
      case .quick(let quick, let id):
        let document = quick.document(id: id, now: present.wall, zone: configuration.context.localZone)
        ids = [try schedule(try read(document), ifRevision: nil)]
      case .siren(let siren?): ids = [try sound(siren)]
      case .siren(nil):
        guard records[RequestBody.Siren.id] != nil else { throw RequestError(.nothingToDo, "the siren is off") }
        ids = [RequestBody.Siren.id]
        try apply(.cancel, to: RequestBody.Siren.id, by: request.origin)
      case .change(let operation, let id, let occurrence):
        ids = try targets(of: operation, id: id, occurrence: occurrence)
        for id in ids { try apply(operation, to: id, by: request.origin) }
      case .get, .list, .preview, .test: ids = []
      }
    } catch {
      self = before
      throw error
    }
    // What is due because of this change belongs to it.
    evaluate()
    let documents = ids.compactMap { id in (document(of: id) ?? changes.removed[id]).map(JSONValue.object) }
    let isSingle: Bool
    if case .change(_, nil, _) = body { isSingle = false } else { isSingle = true }
    let data: JSONValue = isSingle ? documents.first ?? .null : ["alarms": .array(documents)]
    let reply = Reply(ok: data, to: request)
    if let key = request.key {
      let stored = KeptReply(key: key, digest: request.digest, reply: reply.document, at: present.wall.milliseconds)
      journal.replies.append(stored)
      memory.insert(stored, token: nextToken)
      journal.forgotten += memory.trim(now: present.wall.milliseconds)
    }
    guard !journal.isEmpty else {
      self.reply(reply, to: request.addresses)
      return
    }
    commitRequest(request, reply, before: before.records)
  }

  /// The alarms that a request means.
  func targets(of operation: AlarmOperation, id: String?, occurrence: String?) throws(RequestError) -> [String] {
    if let id {
      guard let record = records[id] else { throw RequestError(.notFound, "there is no alarm \(id)", field: "id") }
      if let occurrence, occurrence != (record.live?.occurrence.key ?? record.next(configuration.context)?.key) {
        throw RequestError(.conflict, "the alarm's present or next occurrence is another one", field: "occurrence")
      }
      return [id]
    }
    if occurrence != nil { throw RequestError(.invalidArgument, "goes with an id", field: "occurrence") }
    let candidates = orderedIDs.compactMap { id in records[id].map { (id: id, record: $0) } }
    let found: [String]
    switch operation {
    case .stop:
      let alerting = candidates.filter { $0.record.state == .alerting }
      found = (alerting.isEmpty ? candidates.filter(\.record.isSnoozing) : alerting).map(\.id)
    case .snooze: found = candidates.filter { $0.record.state == .alerting }.map(\.id)
    case .pause: found = candidates.filter { $0.record.state == .countdown && $0.record.alarm.isTimer }.map(\.id)
    case .resume: found = candidates.filter { $0.record.state == .paused && $0.record.alarm.isTimer }.map(\.id)
    default: throw RequestError(.invalidArgument, "is needed", field: "id")
    }
    guard !found.isEmpty else {
      throw RequestError(.nothingToDo, "there is no alarm to \(operation.operation.rawValue) now")
    }
    return found
  }

  private func read(_ body: RequestBody) throws(RequestError) -> JSONValue {
    switch body {
    case .get(let id):
      guard let document = document(of: id) else { throw RequestError(.notFound, "there is no alarm \(id)", field: "id") }
      return .object(document)
    case .list: return ["alarms": .array(orderedIDs.compactMap { document(of: $0).map(JSONValue.object) })]
    case .preview(let alarm, let from, let count): return preview(alarm, from: from ?? present.wall, count: count)
    case .test: return ["muted": JSONValue(testQuiet)]
    case .schedule, .update, .quick, .siren, .change: return .null
    }
  }

  /// The next occurrences of a document that nobody has scheduled.
  private func preview(_ alarm: Alarm, from: Instant, count: Int) -> JSONValue {
    let record = AlarmRecord(alarm: alarm, judgedFrom: from)
    let zone = record.zone(configuration.context)
    var found: [JSONValue] = []
    func add(_ instant: Instant, _ kind: Resolution.Kind) {
      let note: JSONValue = kind == .exact ? .null : .string(String(describing: kind))
      found.append(["at": JSONValue(instant, in: zone), "note": note])
    }
    switch alarm.schedule {
    case nil: if let length = alarm.countdownDuration.preAlert { add(from + length.milliseconds, .exact) }
    case .fixed(let at, _): if at > from { add(at, .exact) }
    case .relative(_, let weekdays, _):
      guard let rule = record.rule(configuration.context) else { break }
      var mark: LocalDate?
      while found.count < (weekdays.isEmpty ? 1 : count), let occurrence = rule.first(after: mark, dueAfter: from) {
        add(occurrence.due, occurrence.kind)
        mark = occurrence.date
      }
    }
    return .array(found)
  }
}

extension Request {
  /// Whether it passes however many came before: whoever wants silence gets it.
  fileprivate var isUnlimited: Bool { origin == .button || ["stop", "snooze", "countdown"].contains(name) }

  /// Where its reply goes: a button has nobody who reads one.
  var addresses: [ReplyAddress] { origin == .button ? [] : [address] }

  /// Under which its reply is kept; `nil` where it is not.
  var key: RequestKey? {
    guard let transaction, !transaction.isEmpty, case .success(let body) = body, body.operation.isChanging else { return nil }
    return RequestKey(operation: name, transaction: transaction)
  }
}
