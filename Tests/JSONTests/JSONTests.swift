import JSON
import Testing

@Suite("JSON") struct JSONTests {
  func parse(_ text: String) throws -> JSONValue { try JSONValue(parsing: text.utf8) }

  @Test("What is read is written back with its order, numbers and characters") func roundTrip() throws {
    let text = #"{"z":1,"a":[true,false,null,-2.5,0.0017,9007199254740993],"ü\"\\\n":"💤\u0001"}"#
    #expect(try parse(text).description == text)
  }

  @Test("Objects are equal whatever the order of their members") func equality() throws {
    #expect(try parse(#"{"a":1,"b":2}"#) == parse(#"{"b":2,"a":1}"#))
    #expect(try parse(#"{"a":1,"b":2}"#) != parse(#"{"a":1,"b":3}"#))
    #expect(try parse(#"{"b":2,"a":1}"#).canonicalDescription == #"{"a":1,"b":2}"#)
  }

  @Test(
    "What is no JSON is an error",
    arguments: ["", " ", "{", "nope", "{\"a\":1,}", "[1] 2", "{\"a\":1,\"a\":2}", "\"\\u0000\"", "\u{feff}1"])
  func malformed(text: String) { #expect(throws: JSONError.self) { try parse(text) } }

  @Test("Invalid UTF-8 is an error") func invalidUTF8() {
    #expect(throws: JSONError.self) { try JSONValue(parsing: [0x22, 0xff, 0x22]) }
  }

  @Test("Deep nesting is refused before anything recurses") func depth() throws {
    _ = try parse(String(repeating: "[", count: 32) + String(repeating: "]", count: 32))
    for depth in [33, 60_000] {
      #expect(throws: JSONError.self) { try parse(String(repeating: "[", count: depth) + String(repeating: "]", count: depth)) }
    }
    _ = try parse("\"" + String(repeating: "[", count: 100) + "\"")
  }

  @Test("Scalars are values too, and whole numbers are written without a fraction") func scalars() throws {
    #expect(try parse("12").integer == 12)
    #expect(JSONValue.number(5).description == "5")
    #expect(JSONValue.number(.infinity).description == "null")
  }
}
