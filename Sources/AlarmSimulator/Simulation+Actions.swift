import AlarmEngine
import AlarmModel
import CivilTime
import JSON
import NodeProtocol

// What is done to the node.
extension Simulation {
  /// Does the next thing, and decides when the one after it comes.
  mutating func act() throws(Violation) {
    // While something rings or counts down people are about.
    let isBusy = engine.records.values.contains { $0.live != nil }
    if store.isFull, random.oneIn(2) { store.isFull = false }
    let pause = isBusy && !random.oneIn(4) ? random.number(200...40_000) : random.number(60_000...28_800_000)
    nextActionAt = clock.now + pause
    guard clock.now >= stalledUntil else { return }
    switch random.number(0...99) {
    case 0...59: try request()
    case 60...66: try repeatRequest()
    case 67...72: try prepareCrash()
    case 73...77: try stepClock()
    case 78: try changeZone()
    case 79...84: stall()
    case 85...94: try toggleConnection()
    case 95...96:
      store.isFull.toggle()
    default:
      try step(.setting(name: "snooze", value: "\(random.number(3...20))", isRetained: false))
    }
  }

  // MARK: Requests

  private mutating func send(_ topic: String, _ payload: String) throws(Violation) {
    let reader = CommandReader(topics: topics, context: context)
    guard let input = reader.read(CommandReader.Message(topic: topic, payload: Array(payload.utf8))) else { return }
    statistics.requests += 1
    try step(input)
  }

  private mutating func request() throws(Violation) {
    requestNumber += 1
    let transaction = "t\(requestNumber)"
    let id = random.element(of: identifiers, or: "a")
    let ringing = engine.records.values.filter { $0.state == .alerting }.map(\.alarm.id).sorted()
    var body: JSONObject = ["transaction": .string(transaction)]
    var operation = "stop"
    if let ring = ringing.first, !random.oneIn(5) {
      operation = random.oneIn(4) ? "snooze" : "stop"
      if random.oneIn(2) { body["id"] = .string(ring) }
    } else if engine.records.count * 4 < identifiers.count * 3 || random.oneIn(6) {
      operation = "schedule"
      body.merge(document(id))
    } else {
      operation = random.element(
        of: ["cancel", "pause", "resume", "stop", "snooze", "enable", "enable", "enable", "disable", "skip", "unskip", "adjust", "list"],
        or: "list")
      if operation != "list", !random.oneIn(8) { body["id"] = .string(id) }
      if operation == "adjust" {
        let at = engine.records[id]?.next(context).map { $0.due + random.number(-3_600_000...3_600_000) }
        body["at"] = JSONValue(random.oneIn(4) ? nil : at?.formatted(in: .utc))
      }
    }
    let topic = "\(topics.base)/request/\(operation)"
    let payload = body.description
    sent[transaction] = (topic, payload)
    if sent.count > 200 { sent = [transaction: (topic, payload)] }
    try send(topic, payload)
  }

  private mutating func document(_ id: String) -> JSONObject {
    var document: JSONObject = ["id": .string(id), "title": .string("v\(random.number(0...3))")]
    let hour = random.number(0...23)
    let time = "\(hour < 10 ? "0" : "")\(hour):\(random.element(of: ["00", "15", "30", "59:59"], or: "00"))"
    switch random.number(0...9) {
    case 0...6:
      document["schedule"] = [
        "time": .string(time),
        "weekdays": .string(random.element(of: ["daily", "mon-fri", "daily", "sat,sun", "daily", "wed"], or: "daily")),
      ]
      if random.oneIn(4), let zone = zones.randomElement(using: &random) {
        document["schedule"] = ["time": .string(time), "weekdays": "daily", "timeZone": .string(zone.identifier)]
      }
    case 7: document["schedule"] = ["time": .string(time)]
    case 8: document["schedule"] = ["at": .string((clock.present.wall + random.number(1000...200_000_000)).formatted(in: .utc))]
    default: document["duration"] = .number(Double(random.number(1000...20_000)) / 1000)
    }
    if document["schedule"] != nil, random.oneIn(2) {
      document["countdown"] = ["preAlert": .integer(random.number(1...12)), "postAlert": .integer(random.number(1...9))]
    }
    if random.oneIn(3) { document["reminders"] = [60, 5] }
    if random.oneIn(4) { document["ringFor"] = .integer(random.number(5...900)) }
    if random.oneIn(5) { document["onRingTimeout"] = "stop" }
    if random.oneIn(5) { document["maximumSnoozes"] = .integer(random.number(0...2)) }
    if random.oneIn(6) { document["missedPolicy"] = "miss" }
    if random.oneIn(6) { document["missedGrace"] = .integer(random.number(0...7200)) }
    if random.oneIn(6) {
      let today = context.localZone.local(at: clock.present.wall).date
      document["exceptDates"] = [.string("\(today.adding(days: 1))/\(today.adding(days: Int(random.number(1...20))))")]
    }
    if random.oneIn(12) { document["enabled"] = false }
    return document
  }

  /// The same request again, at once or much later: no second effect, the same reply.
  private mutating func repeatRequest() throws(Violation) {
    try step(.wake)
    let isUnderWay = { (key: RequestKey, store: VirtualStore) in store.pending.contains { $0.change.replies.contains { $0.key == key } } }
    guard let old = acknowledged.randomElement(using: &random), isConnected, let transaction = old.reply["transaction"]?.string,
      let operation = old.reply["operation"]?.string,
      let kept = store.replies[RequestKey(operation: operation, transaction: transaction)],
      engine.present.wall.milliseconds - kept.at < 86_000_000, engine.remembers(operation: operation, transaction: transaction),
      !isUnderWay(kept.key, store)
    else { return }
    let before = engine.records
    statistics.duplicates += 1
    let reader = CommandReader(topics: topics, context: context)
    guard let input = reader.read(CommandReader.Message(topic: old.topic, payload: Array(old.payload.utf8))) else { return }
    let effects = engine.step(input, at: clock.present)
    let replies = effects.compactMap { if case .publish(.reply(let reply, _)) = $0 { reply.document } else { nil } }
    guard engine.records == before, replies == [old.reply] else {
      return try fail("a repeated request has no second effect and gets the same reply", "\(old.payload) → \(replies)")
    }
    try perform(allOf: effects)
  }

  // MARK: Accidents

  /// The program, or the whole machine, dies after some of the effects of what comes next.
  private mutating func prepareCrash() throws(Violation) {
    if random.oneIn(3) { return try crash() }
    crashAfter = Int(random.number(0...8))
    if random.oneIn(2) { try request() }
  }

  mutating func crash() throws(Violation) {
    crashAfter = nil
    statistics.crashes += 1
    isConnected = false
    acknowledgements = []
    store.crash(keepingFirst: random.oneIn(2))
    acknowledgedEarly = []
    shown = [:]
    try bookDurableEvents()
    occurrences.restart()
    ringing = nil
    ticks.forget()
    sequenceFloor = max(sequenceFloor, publishedEvents.keys.max() ?? 0)
    publishedEvents = publishedEvents.filter { store.events[$0.key] != nil }
    acknowledged.removeAll {
      store.replies[RequestKey(operation: $0.reply["operation"]?.string ?? "", transaction: $0.reply["transaction"]?.string ?? "")] == nil
    }
    let isReboot = random.oneIn(2)
    var away = random.oneIn(4) ? random.number(60_000...400_000_000) : random.number(100...30_000)
    if isReboot {
      statistics.reboots += 1
      away += 5000
    }
    clock.advance(to: clock.now + away)
    if isReboot {
      clock.reboot()
      if random.oneIn(3) {
        // No battery: the clock starts at some time in the past, and nobody knows better for a while.
        clock.isSynchronized = false
        clock.step(-random.number(0...away + 40_000_000))
      }
    }
    store.isFull = false
    stalledUntil = 0
    nextActionAt = clock.now + random.number(500...120_000)
    note("\(clock.truth.formatted(in: .utc)) restart\(isReboot ? " after a reboot" : "")")
    engine = Engine(
      configuration: EngineConfiguration(context: context, boot: clock.bootIdentifier), stored: store.contents, at: clock.present)
    guard engine.records.count == store.alarms.count, engine.unreadable.isEmpty else {
      return try fail("nothing on disk is forgotten", "\(engine.unreadable)")
    }
    try step(.start)
    isConnected = true
    try step(.connected)
  }

  private mutating func stepClock() throws(Violation) {
    statistics.clockSteps += 1
    ticks.disturb()
    if clock.error != 0 || random.oneIn(2) {
      clock.correct()
      clock.isSynchronized = true
    } else {
      let size: Int64 = random.element(of: [5_000, 90_000, 3_600_000, 20_000_000, 1_300_000_000], or: 0)
      let step = random.number(-size...size)
      clock.step(step)
      clock.isSynchronized = random.oneIn(2)
    }
    try step(.wake)
  }

  private mutating func changeZone() throws(Violation) {
    statistics.zoneChanges += 1
    ticks.disturb()
    context.localZone = random.element(of: zones, or: .utc)
    try step(.zonesChanged(localZone: context.localZone))
  }

  /// The loop does not run for a while.
  private mutating func stall() {
    statistics.stalls += 1
    ticks.disturb()
    stalledUntil = clock.now + (random.oneIn(3) ? random.number(1000...300_000) : random.number(100...6000))
  }

  private mutating func toggleConnection() throws(Violation) {
    ticks.disturb()
    if isConnected {
      statistics.disconnections += 1
      isConnected = false
      acknowledgements = []
      try step(.disconnected)
      nextActionAt = min(nextActionAt, clock.now + random.number(1000...100_000))
    } else {
      isConnected = true
      try step(.connected)
    }
  }
}
