import JSON

/// One entity, or one device trigger.
struct Component {
  /// Home Assistant's name of the platform: `sensor`, `switch` …
  let platform: String
  /// Its part of the unique identifier, such as `next_alarm`, behind the device's.
  let identifier: String
  /// What people read, beside the device's name; `nil` for a device trigger.
  let name: String?
  let members: JSONObject

  init(_ platform: String, _ identifier: String, _ name: String?, _ members: JSONObject) {
    self.platform = platform
    self.identifier = identifier
    self.name = name
    self.members = members
  }

  func json(device: String) -> JSONObject {
    var object: JSONObject = ["p": .string(platform)]
    if let name {
      object["unique_id"] = .string("\(device).\(identifier)")
      object["default_entity_id"] = .string("\(platform).\(Self.slug("\(device)_\(identifier)"))")
      object["name"] = .string(name)
    }
    object.merge(members)
    return object
  }

  /// What an entity's identifier may hold: `a`–`z`, digits and `_`.
  static func slug(_ text: String) -> String {
    String(text.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }
}

extension JSONObject {
  func merging(_ other: JSONObject) -> JSONObject {
    var merged = self
    merged.merge(other)
    return merged
  }
}
