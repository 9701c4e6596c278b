/// What a TZif file says about offsets (RFC 9636 §3); abbreviations and the standard/daylight marks are left out.
///
/// Any bytes may be given: what is not a whole and consistent file is refused.
struct TZifFile {
  /// Why bytes are not a usable TZif file.
  struct Malformed: Error {
    let reason: String
  }

  /// The moments at which a new local time type begins, in seconds since 1970, strictly ascending.
  let transitions: [Int]
  /// The offset that each transition begins, in seconds east of UTC.
  let offsets: [Int]
  /// The offset before the first transition: that of type 0 (§3.2).
  let firstOffset: Int
  /// The rule after the last transition; `nil` where the file has none.
  let footer: ZoneFooter?

  /// The offsets that §3.2 allows: those between which every reader must interoperate.
  static let offsetRange = -89_999...93_599

  init(_ bytes: [UInt8]) throws(Malformed) {
    var reader = Reader(bytes: bytes)
    var header = try Header(&reader)
    var timeWidth = 4
    if header.hasSecondBlock {
      // The 64-bit block repeats everything that the first one says.
      _ = try reader.take(header.blockSize(timeWidth: 4))
      header = try Header(&reader)
      timeWidth = 8
    }
    try header.check()

    var block = Reader(bytes: try reader.take(header.blockSize(timeWidth: timeWidth)))
    let times = try block.take(header.transitionCount * timeWidth)
    let types = try block.take(header.transitionCount)
    let records = try block.take(header.typeCount * 6)

    let typeOffsets = (0..<header.typeCount).map { Self.integer(records, at: $0 * 6, width: 4) }
    guard typeOffsets.allSatisfy(Self.offsetRange.contains) else { throw Malformed(reason: "an offset is more than a day") }
    guard types.allSatisfy({ $0 < header.typeCount }) else { throw Malformed(reason: "a transition names a type that is not there") }
    transitions = (0..<header.transitionCount).map { Self.integer(times, at: $0 * timeWidth, width: timeWidth) }
    guard zip(transitions, transitions.dropFirst()).allSatisfy({ $0 < $1 }) else {
      throw Malformed(reason: "its transitions are not in ascending order")
    }
    offsets = types.map { typeOffsets[Int($0)] }
    firstOffset = typeOffsets[0]
    footer = header.hasSecondBlock ? try Self.footer(&reader) : nil
  }

  /// Reads the line that a TZif file of version 2 and later ends with (§3.3).
  private static func footer(_ reader: inout Reader) throws(Malformed) -> ZoneFooter? {
    let newline = UInt8(ascii: "\n")
    guard try reader.take(1).first == newline, let end = reader.rest.firstIndex(of: newline) else {
      throw Malformed(reason: "its last line is missing")
    }
    let text = reader.rest[..<end]
    guard !text.isEmpty else { return nil }
    guard let footer = ZoneFooter(text) else { throw Malformed(reason: "the rule in its last line is not understood") }
    return footer
  }

  /// A big-endian two's complement number.
  private static func integer(_ bytes: ArraySlice<UInt8>, at offset: Int, width: Int) -> Int {
    let start = bytes.startIndex + offset
    var value: Int64 = bytes[start] & 0x80 == 0 ? 0 : -1
    for byte in bytes[start..<start + width] { value = value << 8 | Int64(byte) }
    return Int(value)
  }

  /// Bytes, taken from the front.
  private struct Reader {
    var rest: ArraySlice<UInt8>

    init(bytes: some Collection<UInt8>) { rest = ArraySlice(bytes) }

    mutating func take(_ count: Int) throws(Malformed) -> ArraySlice<UInt8> {
      guard count <= rest.count else { throw Malformed(reason: "it is cut short") }
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count)
    }
  }

  /// The 44 bytes before each block (§3.1).
  private struct Header {
    let hasSecondBlock: Bool
    let utIndicatorCount: Int
    let standardIndicatorCount: Int
    let leapCount: Int
    let transitionCount: Int
    let typeCount: Int
    let characterCount: Int

    init(_ reader: inout Reader) throws(Malformed) {
      guard Array(reader.rest.prefix(4)) == Array("TZif".utf8) else { throw Malformed(reason: "it is not a TZif file") }
      let bytes = try reader.take(44)
      let version = bytes[bytes.startIndex + 4]
      // Versions later than 4 are to be read as 4 is.
      guard version == 0 || version >= UInt8(ascii: "2") else { throw Malformed(reason: "its version is not known") }
      hasSecondBlock = version != 0
      func count(_ index: Int) -> Int { TZifFile.integer(bytes, at: 20 + 4 * index, width: 4) & 0xFFFF_FFFF }
      utIndicatorCount = count(0)
      standardIndicatorCount = count(1)
      leapCount = count(2)
      transitionCount = count(3)
      typeCount = count(4)
      characterCount = count(5)
    }

    /// Bytes of the block that follows. Six 32-bit counts cannot overflow it.
    func blockSize(timeWidth: Int) -> Int {
      transitionCount * (timeWidth + 1) + typeCount * 6 + characterCount + leapCount * (timeWidth + 4)
        + standardIndicatorCount + utIndicatorCount
    }

    func check() throws(Malformed) {
      guard leapCount == 0 else {
        throw Malformed(reason: "it counts leap seconds, which the system's clock does not; use the zone's name without \"right/\"")
      }
      guard typeCount > 0, characterCount > 0, [0, typeCount].contains(utIndicatorCount), [0, typeCount].contains(standardIndicatorCount)
      else { throw Malformed(reason: "its counts contradict each other") }
    }
  }
}
