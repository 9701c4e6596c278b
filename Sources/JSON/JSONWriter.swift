extension JSONValue: CustomStringConvertible {
  /// The value as compact JSON text. Numbers are written in the shortest form that reads back the same; a number that JSON lacks is `null`.
  public var description: String {
    var text = ""
    write(to: &text, sortingKeys: false)
    return text
  }

  /// The value as compact JSON text with the keys of all objects in order: equal values have equal texts.
  public var canonicalDescription: String {
    var text = ""
    write(to: &text, sortingKeys: true)
    return text
  }

  private func write(to text: inout String, sortingKeys: Bool) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .number(let value):
      if !value.isFinite {
        text += "null"
      } else if value == value.rounded(), abs(value) < 1e15 {
        text += String(Int64(value))
      } else {
        text += value.description
      }
    case .string(let value): Self.write(value, to: &text)
    case .array(let values):
      text += "["
      for (index, value) in values.enumerated() {
        if index > 0 { text += "," }
        value.write(to: &text, sortingKeys: sortingKeys)
      }
      text += "]"
    case .object(let object):
      text += "{"
      let members = sortingKeys ? object.members.sorted { $0.key < $1.key } : object.members
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        Self.write(member.key, to: &text)
        text += ":"
        member.value.write(to: &text, sortingKeys: sortingKeys)
      }
      text += "}"
    }
  }

  private static func write(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}

extension JSONObject: CustomStringConvertible {
  public var description: String { JSONValue.object(self).description }
}
