import Glibc

extension NodeConfiguration {
  /// Reads the configuration file. Throws all problems at once; a file that cannot be read is one of them.
  package static func load(file: String) throws(ConfigurationErrors) -> NodeConfiguration {
    let contents: FileContents
    do {
      contents = try FileContents(path: file, limit: YAMLDocument.maximumSize)
    } catch {
      throw ConfigurationErrors(file: file, message: error.message)
    }
    return try parse(bytes: contents.bytes, file: file, hostName: systemHostName())
  }

  /// The host's name (`gethostname(2)`); empty where it has none.
  static func systemHostName() -> String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
