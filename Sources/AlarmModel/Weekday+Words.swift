import CivilTime

extension Weekday {
  /// `mon` … `sun`.
  public var word: String { String(name.prefix(3)) }

  private var name: String { String(describing: self) }

  /// Reads one item of a list of weekdays: `mon`, `Monday`, `mon-fri`, `weekdays`, `weekend`, `daily`. A range may run over Sunday.
  static func parse(_ text: String) -> [Weekday]? {
    let word = text.lowercased()
    switch word {
    case "weekdays": return [.monday, .tuesday, .wednesday, .thursday, .friday]
    case "weekend", "weekends": return [.saturday, .sunday]
    case "daily": return allCases
    default:
      let ends = word.split(separator: "-", omittingEmptySubsequences: false).map { end in
        allCases.first { $0.word == end || $0.name == end }
      }
      switch ends.count {
      case 1: return ends[0].map { [$0] }
      case 2:
        guard let first = ends[0], let last = ends[1] else { return nil }
        let length = (last.rawValue - first.rawValue + 7) % 7
        return (0...length).map { allCases[(first.rawValue - 1 + $0) % 7] }
      default: return nil
      }
    }
  }

  /// The fewest days between two days of a weekly pattern; 7 for a single one.
  static func shortestInterval(of weekdays: [Weekday]) -> Int {
    let days = Set(weekdays).map(\.rawValue).sorted()
    guard let first = days.first else { return 7 }
    return zip(days, days.dropFirst() + [first + 7]).map { $1 - $0 }.min() ?? 7
  }
}
