import CivilTime
import JSON
import Testing

private let database = ZoneDatabase()

/// A zone of the system's database; `nil` where there is none of that name.
func knownRules(_ name: String) -> ZoneRules? {
  do throws(ZoneError) { return try database.zone(named: name) } catch { return nil }
}

func rules(_ name: String) -> ZoneRules {
  guard let rules = knownRules(name) else {
    Issue.record("the system's database has no zone \(name)")
    return .utc
  }
  return rules
}

let berlin = rules("Europe/Berlin")

/// The instant of a text; without an offset it is Berlin's wall clock.
func instant(_ text: String, _ zone: ZoneRules = berlin) -> Instant {
  guard let parsed = InstantText.parse(text) else {
    Issue.record("\(text) is no instant")
    return Instant(milliseconds: 0)
  }
  return parsed.instant(in: zone)
}

func json(_ text: String) -> JSONObject {
  do throws(JSONError) { return try JSONValue(parsing: text.utf8).object ?? [:] } catch {
    Issue.record("\(text) is no JSON: \(error)")
    return [:]
  }
}

extension JSONValue {
  subscript(key: String) -> JSONValue? { object?[key] }

  /// A number as seconds, whole or not.
  var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }
}
