import Configuration
import JSON

/// Which alarm a word means that is no id.
enum AlarmName: Equatable {
  /// The id.
  case one(String)
  case several([String])
  case none(nearest: String?)

  /// The alarm of that title, in any case of letters; else the one whose id begins with the word, of four letters at least.
  static func meant(by word: String, in documents: [JSONObject]) -> AlarmName {
    let alarms = documents.compactMap(AlarmView.init)
    let lower = word.lowercased()
    let titled = alarms.filter { $0.title.lowercased() == lower }
    let begun = lower.count >= 4 ? alarms.filter { $0.id.lowercased().hasPrefix(lower) } : []
    let found = titled.isEmpty ? begun : titled
    switch found.count {
    case 0: return .none(nearest: word.nearest(of: alarms.map(\.id) + alarms.map(\.title).filter { !$0.isEmpty }))
    case 1: return .one(found[0].id)
    default: return .several(found.map(\.id).sorted())
    }
  }
}
