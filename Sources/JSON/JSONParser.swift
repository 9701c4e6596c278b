import CJansson

/// Why a text is not JSON, with the place.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  public let message: String
  /// Lines and columns count from 1; 0 where the place is not known.
  public let line: Int
  public let column: Int

  public var description: String { line > 0 ? "\(message) at line \(line), column \(column)" : message }
}

extension JSONValue {
  /// The deepest nesting that is read, outermost value included.
  public static let maximumDepth = 32

  /// Reads one JSON value (RFC 8259) with nothing after it.
  ///
  /// Stricter than the standard asks: an object with two equal keys, a string with U+0000 and nesting deeper than `maximumDepth` are errors,
  /// since any of them would lose something in silence. Parsing is jansson's `json_loadb`.
  public init(parsing bytes: some Collection<UInt8>) throws(JSONError) {
    // Depth is checked before the library recurses: its own limit of 2048 is for bigger stacks than a small thread has.
    guard Self.depth(of: bytes) <= Self.maximumDepth else {
      throw JSONError(message: "nested deeper than \(Self.maximumDepth) levels", line: 0, column: 0)
    }
    // An empty buffer has no address, which the C function does not take.
    guard !bytes.isEmpty else { throw JSONError(message: "no JSON value", line: 0, column: 0) }
    var problem = json_error_t()
    let flags = Int(JSON_REJECT_DUPLICATES) | Int(JSON_DECODE_ANY)
    let root = Array(bytes).withUnsafeBytes { buffer in
      buffer.withMemoryRebound(to: CChar.self) { json_loadb($0.baseAddress, $0.count, flags, &problem) }
    }
    guard let root else {
      let message = withUnsafeBytes(of: problem.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      throw JSONError(message: message.isEmpty ? "no JSON value" : message, line: Int(problem.line), column: Int(problem.column))
    }
    defer { reveille_json_release(root) }
    self.init(copying: root)
  }

  private init(copying value: CValue) {
    switch reveille_json_type(value) {
    case JSON_OBJECT:
      var members: [(String, JSONValue)] = []
      var iterator = json_object_iter(value)
      while let position = iterator {
        if let key = json_object_iter_key(position), let member = json_object_iter_value(position) {
          members.append((String(cString: key), JSONValue(copying: member)))
        }
        iterator = json_object_iter_next(value, position)
      }
      self = .object(JSONObject(members))
    case JSON_ARRAY:
      self = .array((0..<json_array_size(value)).compactMap { json_array_get(value, $0).map(JSONValue.init(copying:)) })
    case JSON_STRING:
      let bytes = UnsafeRawBufferPointer(start: json_string_value(value), count: json_string_length(value))
      self = .string(String(decoding: bytes, as: UTF8.self))
    case JSON_INTEGER: self = .integer(Int64(json_integer_value(value)))
    case JSON_REAL: self = .number(json_real_value(value))
    case JSON_TRUE: self = .bool(true)
    case JSON_FALSE: self = .bool(false)
    default: self = .null
    }
  }

  private typealias CValue = UnsafeMutablePointer<json_t>

  private static func depth(of bytes: some Collection<UInt8>) -> Int {
    var depth = 0
    var deepest = 0
    var isInString = false
    var isEscaped = false
    for byte in bytes {
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        deepest = max(deepest, depth)
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      default: break
      }
    }
    return deepest
  }
}
