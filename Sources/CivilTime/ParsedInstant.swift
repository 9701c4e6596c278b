/// What the text of an instant says: a point on the time line, or a local time that needs a zone to become one.
public enum ParsedInstant: Hashable, Sendable {
  case absolute(Instant)
  /// A date and time without an offset; milliseconds from 0 to 999.
  case local(LocalDate, LocalTime, milliseconds: Int)

  /// The instant that is meant; a local time is taken in the zone by the rule of `ZoneRules.resolve`.
  public func instant(in zone: ZoneRules) -> Instant {
    switch self {
    case .absolute(let instant): return instant
    case .local(let date, let time, let milliseconds):
      let resolution = zone.resolve(date, time)
      // The first instant after a gap is a whole second, whatever fraction was skipped.
      return resolution.kind == .gap ? resolution.instant : resolution.instant + Int64(milliseconds)
    }
  }
}
