import AlarmModel
import CivilTime
import JSON
import Testing

private let database = ZoneDatabase()

func knownRules(_ name: String) -> ZoneRules? {
  do throws(ZoneError) { return try database.zone(named: name) } catch { return nil }
}

let berlin: ZoneRules = {
  guard let rules = knownRules("Europe/Berlin") else {
    Issue.record("the system's database has no Europe/Berlin")
    return .utc
  }
  return rules
}()

let context = DocumentContext(
  localZone: berlin, zone: { knownRules($0) }, isKnownSound: { ["default", "bell"].contains($0) }, makeIdentifier: { "made" })

func json(_ text: String) -> JSONObject {
  do throws(JSONError) { return try JSONValue(parsing: text.utf8).object ?? [:] } catch {
    Issue.record("\(text) is no JSON: \(error)")
    return [:]
  }
}

/// Reads a document that must be good.
func read(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) -> Alarm? {
  do throws(DocumentError) { return try Alarm(document: json(text), context: context) } catch {
    Issue.record("\(text): \(error.field): \(error.message)", sourceLocation: sourceLocation)
    return nil
  }
}

/// The key that is found at fault; `nil`: none.
func fault(_ text: String) -> String? {
  do throws(DocumentError) {
    _ = try Alarm(document: json(text), context: context)
    return nil
  } catch { return error.field }
}
