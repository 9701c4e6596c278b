/// A JSON object whose members keep their order, for readers' sake; equality does not look at it (RFC 8259 §4).
public struct JSONObject: Sendable, Sequence, ExpressibleByDictionaryLiteral {
  public private(set) var members: [(key: String, value: JSONValue)]

  /// Takes members whose keys differ.
  public init(_ members: [(String, JSONValue)] = []) { self.members = members }

  public init(dictionaryLiteral elements: (String, JSONValue)...) { members = elements }

  /// The member's value; setting `nil` removes it, setting a new key appends it.
  public subscript(key: String) -> JSONValue? {
    get { members.first { $0.key == key }?.value }
    set {
      let index = members.firstIndex { $0.key == key }
      switch (index, newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append((key, value))
      case (nil, nil): break
      }
    }
  }

  /// Takes over another object's members; its values count where both have a key.
  public mutating func merge(_ other: JSONObject) {
    for member in other { self[member.key] = member.value }
  }

  /// Applies a JSON Merge Patch (RFC 7396): `null` removes a member, objects are patched member by member, anything else replaces.
  public mutating func patch(with patch: JSONObject) {
    for member in patch {
      switch member.value {
      case .null: self[member.key] = nil
      case .object(let object):
        var below = self[member.key]?.object ?? JSONObject()
        below.patch(with: object)
        self[member.key] = .object(below)
      default: self[member.key] = member.value
      }
    }
  }

  public func makeIterator() -> [(key: String, value: JSONValue)].Iterator { members.makeIterator() }

  private var dictionary: [String: JSONValue] { Dictionary(members.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first }) }
}

extension JSONObject: Hashable {
  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    left.members.count == right.members.count && left.dictionary == right.dictionary
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(dictionary) }
}
