extension String {
  /// In quotes, without control characters and not longer than a line, for messages.
  var quoted: String { (count > 64 ? prefix(64) + "…" : self[...]).debugDescription }

  /// As a part of a key path.
  var pathPart: String { isWord(maximum: 64) ? self : quoted }

  /// Whether it has 1 to `maximum` characters, all of `[A-Za-z0-9_-]`.
  func isWord(maximum: Int) -> Bool {
    (1...maximum).contains(utf8.count)
      && utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
        }
      }
  }

  /// The name that was probably meant: at most two letters wrong, missing, or too many.
  package func nearest(of names: [String]) -> String? {
    names.map { (name: $0, distance: editDistance(to: $0)) }
      .filter { $0.distance <= 2 && $0.distance < count }
      .min { $0.distance < $1.distance }?.name
  }

  /// Levenshtein's distance in characters; 3 stands for anything above 2 where the lengths alone tell it.
  func editDistance(to other: String) -> Int {
    let (left, right) = (Array(unicodeScalars), Array(other.unicodeScalars))
    guard abs(left.count - right.count) <= 2 else { return 3 }
    var row = Array(0...right.count)
    for (i, a) in left.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, b) in right.enumerated() {
        let substituted = diagonal + (a == b ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = Swift.min(substituted, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[right.count]
  }
}
