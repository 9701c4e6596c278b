/// The offsets of one time zone: a value, equal to another where name and recorded changes are.
public struct ZoneRules: Equatable, Sendable {
  /// The name in the IANA time zone database, such as `Europe/Berlin`.
  public let identifier: String

  /// The moments at which the offset changes, in seconds since 1970, strictly ascending.
  private let changes: [Int]
  /// `offsets[0]` is in force before the first change, `offsets[n + 1]` from `changes[n]` on.
  private let offsets: [Int]
  /// The second from which on `footer` is in force: the last transition, or all time where there is none (§3.2).
  private let footerStart: Int
  private let footer: ZoneFooter?

  /// Coordinated Universal Time, which needs no file.
  public static let utc = ZoneRules(identifier: "UTC", offset: 0)

  private init(identifier: String, offset: Int) {
    self.identifier = identifier
    changes = []
    offsets = [offset]
    footerStart = .min
    footer = nil
  }

  /// Reads a TZif file of any version (RFC 9636).
  ///
  /// A file with leap seconds (one of those below `right/`) is refused: the system's clock does not count them.
  ///
  /// - Throws: `malformed`, for whatever bytes are no such file.
  public init(identifier: String, tzif bytes: [UInt8]) throws(ZoneError) {
    let file: TZifFile
    do {
      file = try TZifFile(bytes)
    } catch {
      throw ZoneError(
        .malformed, zone: identifier,
        message:
          "The file of the time zone \"\(identifier)\" is not usable: \(error.reason). If the name is right, reinstall the package tzdata.")
    }
    self.identifier = identifier
    footer = file.footer
    footerStart = file.transitions.last ?? .min

    var offset = file.firstOffset
    var changes: [Int] = []
    var offsets = [offset]
    for (index, second) in file.transitions.enumerated() {
      let isLast = index == file.transitions.count - 1
      let next = isLast ? file.footer?.offset(at: second) ?? file.offsets[index] : file.offsets[index]
      // Most files also record changes of the abbreviation alone.
      guard next != offset else { continue }
      offset = next
      changes.append(second)
      offsets.append(offset)
    }
    self.changes = changes
    self.offsets = offsets
  }

  /// Whether the clocks of another zone always show the same, as far as the files say so in the same way.
  func hasContent(of other: ZoneRules) -> Bool {
    changes == other.changes && offsets == other.offsets && footerStart == other.footerStart && footer == other.footer
  }

  /// The offset in force, in seconds east of UTC.
  public func offset(at instant: Instant) -> Int { offset(atSecond: instant.second) }

  /// What the clocks of the zone show, to the whole second below; dates are clamped to the years 1 to 9999.
  public func local(at instant: Instant) -> (date: LocalDate, time: LocalTime) {
    let (day, second) = floorDivide(instant.second + offset(at: instant), by: 86_400)
    return (LocalDate(dayNumber: day), LocalTime(secondOfDay: second))
  }

  /// The first moment after an instant at which the clocks change, if there is one before `end`.
  public func change(after instant: Instant, before end: Instant) -> Instant? {
    change(afterSecond: instant.second, before: end.second).flatMap { $0 < end.second ? Instant(second: $0) : nil }
  }

  func offset(atSecond second: Int) -> Int {
    if let footer, second >= footerStart { return footer.offset(at: second) }
    return offsets[changeCount(upTo: second)]
  }

  /// The first change after a second; those from `end` on may be left out.
  private func change(afterSecond second: Int, before end: Int) -> Int? {
    let index = changeCount(upTo: second)
    if index < changes.count { return changes[index] }
    return footer?.change(after: max(second, footerStart), before: end)
  }

  /// How many changes have happened by a second, that second included.
  private func changeCount(upTo second: Int) -> Int {
    var low = 0
    var high = changes.count
    while low < high {
      let middle = (low + high) / 2
      if changes[middle] <= second { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// A stretch of time with one offset.
  struct Span {
    /// Seconds since 1970.
    let start: Int
    /// Seconds since 1970, exclusive.
    let end: Int
    /// Seconds east of UTC.
    let offset: Int
  }

  /// All spans between two seconds, in order, the first and last one cut to fit.
  func spans(from start: Int, to end: Int) -> some Sequence<Span> {
    sequence(state: start) { position -> Span? in
      guard position < end else { return nil }
      let start = position
      position = min(change(afterSecond: start, before: end) ?? end, end)
      return Span(start: start, end: position, offset: offset(atSecond: start))
    }
  }
}

extension Instant {
  /// The instant of a whole second since 1970, clamped to the range of milliseconds.
  init(second: Int) {
    let (product, overflow) = Int64(second).multipliedReportingOverflow(by: 1000)
    self.init(milliseconds: overflow ? (second < 0 ? .min : .max) : product)
  }

  /// The whole second since 1970 at or before the instant.
  var second: Int { floorDivide(Int(milliseconds), by: 1000).quotient }
}
