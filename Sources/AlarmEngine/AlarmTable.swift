import AlarmModel
import CivilTime

/// All alarms in the order of their ids, each with what follows from its record alone: computed once for each change of the record, since the
/// engine looks at every alarm at every step.
struct AlarmTable: Sendable {
  /// The zones that occurrences are computed in.
  var context: DocumentContext {
    didSet { outlooks = ids.map { Outlook(records[$0], context) } }
  }
  private(set) var records: [String: AlarmRecord] = [:]
  /// In ascending order.
  private(set) var ids: [String] = []
  /// Of each of `ids`.
  private(set) var outlooks: [Outlook] = []

  init(_ context: DocumentContext) { self.context = context }

  /// What follows from a record: where it stands, and when time moves it on.
  struct Outlook: Hashable, Sendable {
    let state: AlarmState
    /// Whether it was set while the clock was not trusted.
    let isProvisional: Bool
    /// When it alerts next; `nil` for timers, which the node's state leaves out.
    let nextAlert: Instant?
    /// The earliest moment on each clock at which time does something to it; `max`: never.
    let wall: Instant
    let elapsed: Int64

    init(_ record: AlarmRecord?, _ context: DocumentContext) {
      let next = record?.next(context)
      state = record?.state ?? .disabled
      isProvisional = record?.provisional != nil
      nextAlert = record?.alarm.isTimer == false ? record?.nextAlert(next: next) : nil
      var wall = Instant(milliseconds: .max)
      var elapsed = Int64.max
      for found in record?.transitions(next: next, context) ?? [] {
        switch found.deadline {
        case .wall(let instant): wall = min(wall, instant)
        case .elapsed(let milliseconds): elapsed = min(elapsed, milliseconds)
        }
      }
      self.wall = wall
      self.elapsed = elapsed
    }
  }

  subscript(id: String) -> AlarmRecord? {
    get { records[id] }
    set {
      let wasThere = records[id] != nil
      records[id] = newValue
      let place = place(of: id)
      switch (wasThere, newValue != nil) {
      case (true, true): outlooks[place] = Outlook(newValue, context)
      case (false, true):
        ids.insert(id, at: place)
        outlooks.insert(Outlook(newValue, context), at: place)
      case (true, false):
        ids.remove(at: place)
        outlooks.remove(at: place)
      case (false, false): break
      }
    }
  }

  /// Notes the lowest number that a countdown has published, on which no outlook depends.
  mutating func noteTick(_ tick: Int64, of id: String) {
    guard case .countdown(var countdown) = records[id]?.live?.stage else { return }
    countdown.lastTick = tick
    records[id]?.live?.stage = .countdown(countdown)
  }

  /// The ids of those whose outlook is such, in order.
  func ids(where isWanted: (Outlook) -> Bool) -> [String] { ids.indices.filter { isWanted(outlooks[$0]) }.map { ids[$0] } }

  /// Where an id is among `ids`, or would be.
  private func place(of id: String) -> Int {
    var (low, high) = (0, ids.count)
    while low < high {
      let middle = (low + high) / 2
      if ids[middle] < id { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
