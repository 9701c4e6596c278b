import CivilTime
import JSON

/// Reads the members of one object by key: `null` means absent, numbers and booleans are understood as strings too, and what nobody asked
/// for is an error.
public struct DocumentReader {
  private let object: JSONObject
  private let path: String
  private var known: Set<String> = []

  /// `path` is the object's own key path; empty for the document itself.
  public init(_ object: JSONObject, path: String = "") {
    self.object = object
    self.path = path
  }

  /// The whole path of a key.
  public func field(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

  public func error(_ key: String, _ message: String) -> DocumentError { DocumentError(field: field(key), message: message) }

  /// Whether the key is there, even as null.
  public func contains(_ key: String) -> Bool { object[key] != nil }

  /// The value; `nil` where it is absent or null.
  public mutating func value(_ key: String) -> JSONValue? {
    known.insert(key)
    let value = object[key]
    return value == .null ? nil : value
  }

  /// Counts keys as known without reading them.
  public mutating func accept(_ keys: [String]) { known.formUnion(keys) }

  /// - Throws: an error that names the first key which was neither read nor accepted.
  public func finish() throws(DocumentError) {
    for member in object where !known.contains(member.key) {
      let field = DocumentError(
        field: String(field(member.key).prefix(100)), message: "unknown key; known here are \(known.sorted().joined(separator: ", "))")
      throw field
    }
  }

  /// Text of at most `maximum` characters.
  public mutating func string(_ key: String, maximum: Int = 256) throws(DocumentError) -> String? {
    guard let value = value(key) else { return nil }
    let text: String
    switch value {
    case .string(let string): text = string
    case .integer, .number, .bool: text = value.description
    default: throw error(key, "must be text, not \(value.kind)")
    }
    guard text.unicodeScalars.count <= maximum else { throw error(key, "is longer than \(maximum) characters") }
    return text
  }

  public mutating func bool(_ key: String) throws(DocumentError) -> Bool? {
    guard let value = value(key) else { return nil }
    switch value {
    case .bool(let bool): return bool
    case .string(let text):
      switch text.lowercased() {
      case "true", "on", "yes": return true
      case "false", "off", "no": return false
      default: throw error(key, "must be true or false")
      }
    default: throw error(key, "must be true or false, not \(value.kind)")
    }
  }

  public mutating func integer(_ key: String, in range: ClosedRange<Int>) throws(DocumentError) -> Int? {
    guard let value = value(key) else { return nil }
    let number: Int64?
    switch value {
    case .integer(let integer): number = integer
    case .number(let double): number = double == double.rounded() && abs(double) < 1e15 ? Int64(double) : nil
    case .string(let text): number = Int64(text.trimmingSpaces())
    default: number = nil
    }
    guard let number, let integer = Int(exactly: number), range.contains(integer) else {
      throw error(key, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return integer
  }

  public mutating func number(_ key: String, in range: ClosedRange<Double>) throws(DocumentError) -> Double? {
    guard let value = value(key) else { return nil }
    let number: Double?
    switch value {
    case .integer(let integer): number = Double(integer)
    case .number(let double): number = double
    case .string(let text): number = decimalNumber(text.trimmingSpaces())
    default: number = nil
    }
    guard let number, range.contains(number) else {
      throw error(key, "must be a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// The members that nobody has asked for; they count as known then.
  public mutating func rest() -> JSONObject {
    let rest = object.filter { !known.contains($0.key) }
    known.formUnion(rest.map(\.key))
    return JSONObject(rest.map { ($0.key, $0.value) })
  }

  /// A length of time, more than 0 (or at least 0 where `mayBeZero`) and at most `maximum`.
  public mutating func seconds(_ key: String, mayBeZero: Bool = false, maximum: Seconds = .longest) throws(DocumentError) -> Seconds? {
    guard let value = value(key) else { return nil }
    return try Self.seconds(value, field: field(key), mayBeZero: mayBeZero, maximum: maximum)
  }

  static func seconds(_ value: JSONValue, field: String, mayBeZero: Bool = false, maximum: Seconds = .longest) throws(DocumentError)
    -> Seconds
  {
    let seconds: Seconds
    do throws(DocumentError.Reason) { seconds = try Seconds(parsing: value) } catch {
      throw DocumentError(field: field, message: error.message)
    }
    guard seconds > 0 || (mayBeZero && seconds == 0), seconds <= maximum else {
      let least = mayBeZero ? "at least 0" : "more than 0"
      throw DocumentError(field: field, message: "must be \(least) and at most \(maximum.json) seconds")
    }
    return seconds
  }

  public mutating func choice<Choice>(_ key: String, of type: Choice.Type) throws(DocumentError) -> Choice?
  where Choice: RawRepresentable & CaseIterable, Choice.RawValue == String {
    guard let text = try string(key) else { return nil }
    guard let choice = Choice.allCases.first(where: { $0.rawValue.lowercased() == text.lowercased() }) else {
      throw error(key, "must be one of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return choice
  }

  public mutating func object(_ key: String) throws(DocumentError) -> DocumentReader? {
    guard let value = value(key) else { return nil }
    guard let object = value.object else { throw error(key, "must be an object, not \(value.kind)") }
    return DocumentReader(object, path: field(key))
  }

  /// A list, or one string of items between commas.
  public mutating func list(_ key: String, maximum: Int) throws(DocumentError) -> [JSONValue]? {
    guard let value = value(key) else { return nil }
    let items: [JSONValue]
    switch value {
    case .array(let array): items = array
    case .string(let text): items = text.split(separator: ",").map { .string(String($0).trimmingSpaces()) }
    default: throw error(key, "must be a list, not \(value.kind)")
    }
    guard items.count <= maximum else { throw error(key, "has more than \(maximum) items") }
    return items
  }

  /// An instant with an offset, or without one in `zone` by the gap rule.
  public mutating func instant(_ key: String, in zone: ZoneRules) throws(DocumentError) -> Instant? {
    guard let text = try string(key) else { return nil }
    guard let parsed = InstantText.parse(text.trimmingSpaces()) else {
      throw error(key, "must be an instant such as 2026-12-01T07:00:00+01:00")
    }
    return parsed.instant(in: zone)
  }

  /// Text that matches `#RRGGBB`.
  public mutating func color(_ key: String) throws(DocumentError) -> String? {
    guard let text = try string(key) else { return nil }
    guard text.utf8.count == 7, text.first == "#", text.dropFirst().allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
      throw error(key, "must be a colour such as #FF9F0A")
    }
    return text
  }

  /// Text such as `mdi:alarm`.
  public mutating func icon(_ key: String) throws(DocumentError) -> String? {
    guard let text = try string(key, maximum: 64) else { return nil }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let isWord = { (part: Substring) in
      !part.isEmpty && part.utf8.allSatisfy { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2d }
    }
    guard parts.count == 2, parts.allSatisfy(isWord) else { throw error(key, "must be an icon's name such as mdi:alarm") }
    return text
  }
}
