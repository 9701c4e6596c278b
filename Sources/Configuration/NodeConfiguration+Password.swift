import Glibc

extension NodeConfiguration.MQTT {
  /// Reads the password: the first line of `passwordFile`, without its end; `nil` where no file is configured.
  ///
  /// A service gets it from systemd: a credential (`systemd.exec(5)`, `LoadCredential=`) with the file's name, the last part of its path, is read in
  /// its place. The file must not be readable for other users than its owner and group.
  package func password() throws(PasswordFileError) -> String? {
    try password(credentials: getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) })
  }

  func password(credentials directory: String?) throws(PasswordFileError) -> String? {
    guard let passwordFile else { return nil }
    let file = Self.credential(for: passwordFile, in: directory) ?? passwordFile
    let contents: FileContents
    do {
      // MQTT 5 §3.1.3.6: a password has at most 65,535 bytes.
      contents = try FileContents(path: file, limit: 1 << 16)
    } catch {
      throw PasswordFileError(
        code: .cannotRead, operation: error.call, errno: error.errno, message: "the password file \(file) \(error.message)")
    }
    guard contents.mode & 0o004 == 0 else {
      throw PasswordFileError(
        code: .readableByOthers, operation: "", errno: 0,
        message: "the password file \(file) can be read by every user of this machine; run: chmod o-rwx \(file)")
    }
    var line = contents.bytes.prefix { $0 != 0x0A }
    if line.last == 0x0D { line.removeLast() }
    guard !line.isEmpty, !line.contains(0), let password = String(validating: line, as: UTF8.self) else {
      throw PasswordFileError(
        code: .noPassword, operation: "", errno: 0,
        message: "the password file \(file) must have the password as UTF-8 text in its first line")
    }
    return password
  }

  /// A credential with an empty first line stands for one that was not there when the service was started.
  private static func credential(for file: String, in directory: String?) -> String? {
    guard let directory, let name = file.split(separator: "/").last else { return nil }
    let path = "\(directory)/\(name)"
    // One that cannot be read is none; the file itself then says what is wrong.
    do { return try [nil, 0x0A].contains(FileContents(path: path, limit: 1 << 16).bytes.first) ? nil : path } catch { return nil }
  }
}
