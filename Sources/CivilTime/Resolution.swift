/// The instant at which a zone's clocks show a date and time.
public struct Resolution: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable {
    /// The time is shown once.
    case exact
    /// The clock skips the time; the instant is the first one after the gap.
    case gap
    /// The clock shows the time twice (or more often); the instant is the first one.
    case overlap
  }

  public var instant: Instant
  public var kind: Kind

  public init(instant: Instant, kind: Kind) {
    self.instant = instant
    self.kind = kind
  }
}

extension ZoneRules {
  /// More than any offset, so that every instant that could show a local time lies within it.
  private static let reach = 100_000

  /// The instant at which the clocks show a date and time: the first one where it is shown twice, the end of the gap where it is skipped.
  ///
  /// All times of a date that is skipped whole are in its gap: see `exists(_:)`.
  public func resolve(_ date: LocalDate, _ time: LocalTime) -> Resolution {
    let local = date.dayNumber * 86_400 + time.secondOfDay
    var shown: Int?
    var gapEnd: Int?
    var isBehind = true
    for span in spans(from: local - Self.reach, to: local + Self.reach) {
      let second = local - span.offset
      if second < span.start {
        // The clock is past the time when the span begins: it was skipped just then, or shown before.
        if isBehind, gapEnd == nil { gapEnd = span.start }
        isBehind = false
      } else if second < span.end {
        if let shown { return Resolution(instant: Instant(second: shown), kind: .overlap) }
        shown = second
        isBehind = false
      } else {
        isBehind = true
      }
    }
    if let shown { return Resolution(instant: Instant(second: shown), kind: .exact) }
    // The clock is behind the time when the first span begins and past it when the last one ends, so that it crosses it somewhere.
    return Resolution(instant: Instant(second: gapEnd ?? local), kind: .gap)
  }

  /// Whether the clocks show any time of a date: Pacific/Apia went from 29 to 31 December 2011.
  public func exists(_ date: LocalDate) -> Bool {
    let midnight = date.dayNumber * 86_400
    return spans(from: midnight - Self.reach, to: midnight + 86_400 + Self.reach).contains { span in
      max(span.start + span.offset, midnight) < min(span.end + span.offset, midnight + 86_400)
    }
  }
}
