import Glibc
import Testing

@testable import Configuration

/// What a text is read as on a host named `pi`.
func parse(_ text: String) throws(ConfigurationErrors) -> NodeConfiguration {
  try NodeConfiguration.parse(bytes: Array(text.utf8), file: "f.yaml", hostName: "pi")
}

/// The lines that `check-config` would print for a text; none for a good one.
func complaints(_ text: String) -> [String] { complaints(Array(text.utf8)) }

func complaints(_ bytes: [UInt8]) -> [String] {
  do throws(ConfigurationErrors) {
    _ = try NodeConfiguration.parse(bytes: bytes, file: "f.yaml", hostName: "pi")
    return []
  } catch {
    return error.description.split(separator: "\n").map(String.init)
  }
}

/// A file that is gone when the value is.
final class TemporaryFile {
  let path: String

  init(_ text: String, mode: mode_t = 0o600) throws {
    var template = Array("/tmp/reveille-configuration-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let bytes = Array(text.utf8)
    try #require(descriptor >= 0 && write(descriptor, bytes, bytes.count) == bytes.count && fchmod(descriptor, mode) == 0)
    close(descriptor)
  }

  deinit { unlink(path) }
}
