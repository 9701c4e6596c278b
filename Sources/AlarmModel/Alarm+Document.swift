import CivilTime
import JSON

extension Alarm {
  /// The keys that the node adds to a published document. In a document that is sent they have no effect, so that what was read can be edited
  /// and sent back.
  public static let publishedKeys = [
    "state", "revision", "occurrence", "nextAlert", "fireDate", "total", "remaining", "snoozes", "skipped", "adjusted", "lastOutcome",
  ]

  /// Reads an alarm document.
  ///
  /// - Throws: the first fault, with the field's name: an unknown key, a wrong type, a value out of range, an unknown zone or sound.
  public init(document: JSONObject, context: DocumentContext) throws(DocumentError) {
    var reader = DocumentReader(document)
    try self.init(reader: &reader, context: context)
    try reader.finish()
  }

  /// Reads the document's members and leaves it to the caller to read more and to `finish`.
  public init(reader: inout DocumentReader, context: DocumentContext) throws(DocumentError) {
    reader.accept(Self.publishedKeys)
    self.init(id: try reader.string("id") ?? context.makeIdentifier())
    guard Identifier.isValid(id) else { throw reader.error("id", "must be 1 to 64 of the characters A-Z a-z 0-9 _ -") }
    title = try reader.string("title")
    body = try reader.string("body", maximum: 4096)
    isEnabled = try reader.bool("enabled") ?? true
    tint = try reader.color("tint")
    icon = try reader.icon("icon")

    schedule = try Self.schedule(&reader, context: context)
    if var countdown = try reader.object("countdown") {
      countdownDuration.preAlert = try countdown.seconds("preAlert")
      countdownDuration.postAlert = try countdown.seconds("postAlert")
      try countdown.finish()
    }
    if let duration = try reader.seconds("duration") {
      if let preAlert = countdownDuration.preAlert, preAlert != duration {
        throw reader.error("duration", "is short for countdown.preAlert and says something else")
      }
      countdownDuration.preAlert = duration
    }
    guard schedule != nil || countdownDuration.preAlert != nil else {
      throw reader.error("schedule", "an alarm needs a schedule, a timer a duration (countdown.preAlert)")
    }
    if case .relative(_, let weekdays, _) = schedule, !weekdays.isEmpty, let preAlert = countdownDuration.preAlert {
      let days = Weekday.shortestInterval(of: weekdays)
      guard preAlert.milliseconds < Int64(days) * 86_400_000 else {
        throw DocumentError(field: "countdown.preAlert", message: "must be shorter than the time between two occurrences (\(days) d)")
      }
    }

    for (index, item) in (try reader.list("reminders", maximum: 16) ?? []).enumerated() {
      reminders.append(try DocumentReader.seconds(item, field: reader.field("reminders[\(index)]")))
    }
    reminders = Set(reminders).sorted(by: >)
    presentation = try Self.presentation(&reader)
    if let value = reader.value("metadata") {
      guard let object = value.object else { throw reader.error("metadata", "must be an object, not \(value.kind)") }
      guard value.description.utf8.count <= 4096 else { throw reader.error("metadata", "is larger than 4 KiB") }
      metadata = object
    }

    sound = try reader.string("sound", maximum: 64)
    if let sound, !context.isKnownSound(sound) {
      throw reader.error("sound", DocumentContext.unknownSound)
    }
    volume = try reader.integer("volume", in: 1...100)
    fadeIn = try reader.seconds("fadeIn", mayBeZero: true, maximum: 3600) ?? fadeIn
    interruptionLevel = try reader.choice("interruptionLevel", of: InterruptionLevel.self) ?? interruptionLevel
    maximumSnoozes = try reader.integer("maximumSnoozes", in: 0...1000)
    ringFor = try reader.seconds("ringFor", maximum: 86_400) ?? ringFor
    onRingTimeout = try reader.choice("onRingTimeout", of: RingTimeout.self) ?? onRingTimeout
    missedPolicy = try reader.choice("missedPolicy", of: MissedPolicy.self) ?? missedPolicy
    missedGrace = try reader.seconds("missedGrace", mayBeZero: true) ?? missedGrace
    for (index, item) in (try reader.list("exceptDates", maximum: 400) ?? []).enumerated() {
      guard let range = item.string.flatMap(DateRange.init(parsing:)) else {
        throw reader.error("exceptDates[\(index)]", "must be a date such as 2026-12-25, or two with a slash between: 2026-12-27/2027-01-02")
      }
      exceptDates.append(range)
    }
  }

  private static func schedule(_ reader: inout DocumentReader, context: DocumentContext) throws(DocumentError) -> Schedule? {
    guard var schedule = try reader.object("schedule") else { return nil }
    let zoneName = try schedule.string("timeZone", maximum: 64)
    var zone = context.localZone
    if let zoneName {
      guard let named = context.zone(zoneName) else {
        throw schedule.error("timeZone", "no such time zone: \(zoneName); write a name such as Europe/Berlin")
      }
      zone = named
    }
    let at = try schedule.instant("at", in: zone)
    let timeText = try schedule.string("time")
    let weekdayItems = try schedule.list("weekdays", maximum: 14)
    try schedule.finish()
    switch (at, timeText) {
    case (let at?, nil):
      guard weekdayItems == nil else { throw schedule.error("weekdays", "goes with time, not with at") }
      return .fixed(at, timeZone: zoneName)
    case (nil, let text?):
      guard let time = LocalTime(text.trimmingSpaces()) else {
        throw schedule.error("time", "must be HH:MM or HH:MM:SS, from 00:00 to 23:59:59")
      }
      var weekdays: Set<Weekday> = []
      for (index, item) in (weekdayItems ?? []).enumerated() {
        guard let days = item.string.flatMap(Weekday.parse) else {
          throw schedule.error(
            "weekdays[\(index)]", "must be mon, tue, wed, thu, fri, sat, sun, a range such as mon-fri, weekdays, weekend or daily")
        }
        weekdays.formUnion(days)
      }
      if weekdayItems?.isEmpty == true {
        throw schedule.error("weekdays", "is empty; leave it out for an alarm that fires once")
      }
      return .relative(time, weekdays: weekdays.sorted(), timeZone: zoneName)
    case (nil, nil): throw schedule.error("time", "a schedule needs a time or an at")
    case (_?, _?): throw schedule.error("at", "a schedule has either a time or an at")
    }
  }

  private static func presentation(_ reader: inout DocumentReader) throws(DocumentError) -> AlarmPresentation? {
    guard var object = try reader.object("presentation") else { return nil }
    var presentation = AlarmPresentation()
    if var alert = try object.object("alert") {
      presentation.alert = AlarmPresentation.Alert(
        title: try alert.string("title"), stopButton: try button("stopButton", &alert),
        secondaryButton: try button("secondaryButton", &alert),
        secondaryButtonBehavior: try alert.choice("secondaryButtonBehavior", of: AlarmPresentation.SecondaryButtonBehavior.self))
      try alert.finish()
    }
    if var countdown = try object.object("countdown") {
      presentation.countdown = AlarmPresentation.Countdown(
        title: try countdown.string("title"), pauseButton: try button("pauseButton", &countdown))
      try countdown.finish()
    }
    if var paused = try object.object("paused") {
      presentation.paused = AlarmPresentation.Paused(title: try paused.string("title"), resumeButton: try button("resumeButton", &paused))
      try paused.finish()
    }
    try object.finish()
    return presentation
  }

  private static func button(_ key: String, _ reader: inout DocumentReader) throws(DocumentError) -> AlarmButton? {
    guard var button = try reader.object(key) else { return nil }
    guard let text = try button.string("text", maximum: 64) else { throw button.error("text", "a button needs a text") }
    let result = AlarmButton(text: text, textColor: try button.color("textColor"), icon: try button.icon("icon"))
    try button.finish()
    return result
  }
}

extension Alarm.DateRange {
  init?(parsing text: String) {
    let dates = text.split(separator: "/", omittingEmptySubsequences: false).map { LocalDate(String($0).trimmingSpaces()) }
    guard (1...2).contains(dates.count), let first = dates[0], let last = dates[dates.count - 1] else { return nil }
    self.init(first: first, last: last)
  }
}
