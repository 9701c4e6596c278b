/// The rule for names that stand in topics.
public enum Identifier {
  /// Whether a text is `[A-Za-z0-9_-]{1,64}`: one safe topic level, file name and word.
  public static func isValid(_ text: some StringProtocol) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x5f: true
        default: false
        }
      }
  }
}
