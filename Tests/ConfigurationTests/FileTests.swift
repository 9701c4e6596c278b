import Glibc
import Testing

@testable import Configuration

@Suite struct FileTests {
  func loading(_ path: String) -> String? {
    do throws(ConfigurationErrors) {
      _ = try NodeConfiguration.load(file: path)
      return nil
    } catch {
      return error.description
    }
  }

  @Test("A file is read, and its problems carry its name")
  func load() throws {
    let good = try TemporaryFile("node: kitchen\n")
    #expect(try NodeConfiguration.load(file: good.path).node == "kitchen")
    let bad = try TemporaryFile("node: KITCHEN\n")
    #expect(loading(bad.path) == "\(bad.path):1:7: node: must be 1 to 32 of the characters a-z, 0-9, _ and -")
  }

  @Test("A missing file, a directory, a pipe and a too large file are problems of the same form")
  func unreadable() throws {
    #expect(loading("/nonexistent/reveille.yaml") == "/nonexistent/reveille.yaml:1:1: cannot be opened: No such file or directory")
    #expect(loading("/tmp") == "/tmp:1:1: is a directory")
    #expect(loading("/dev/zero") == "/dev/zero:1:1: is not a regular file")
    let place = try TemporaryFile("")
    let pipe = place.path + ".pipe"
    try #require(mkfifo(pipe, 0o600) == 0)
    defer { unlink(pipe) }
    #expect(loading(pipe) == "\(pipe):1:1: is not a regular file")
    let large = try TemporaryFile(String(repeating: "#", count: (1 << 20) + 1))
    #expect(loading(large.path) == "\(large.path):1:1: is larger than 1048576 bytes")
  }

  @Test("A file that this user may not read is a problem of the same form", .enabled(if: geteuid() != 0))
  func forbidden() throws {
    let file = try TemporaryFile("", mode: 0)
    #expect(loading(file.path) == "\(file.path):1:1: cannot be opened: Permission denied")
  }

  @Test(
    "The password is the first line without its end",
    arguments: [
      ("secret\n", "secret"), ("secret", "secret"), ("secret\r\nmore\n", "secret"), (" söme thing \n\n", " söme thing "),
    ])
  func password(text: String, password: String) throws {
    for mode: mode_t in [0o400, 0o600, 0o640] {
      let file = try TemporaryFile(text, mode: mode)
      var mqtt = NodeConfiguration.MQTT()
      mqtt.passwordFile = file.path
      #expect(try mqtt.password() == password)
    }
  }

  @Test("A credential with the password file's name is read in its place, unless it is empty")
  func credential() throws {
    let credential = try TemporaryFile("from systemd\n", mode: 0o400)
    let parts = credential.path.split(separator: "/").map(String.init)
    var mqtt = NodeConfiguration.MQTT()
    // A file that only root may read: this process never sees it.
    mqtt.passwordFile = "/nonexistent/\(parts[1])"
    #expect(try mqtt.password(credentials: "/\(parts[0])") == "from systemd")
    #expect(throws: PasswordFileError.self) { try mqtt.password(credentials: nil) }
    #expect(throws: PasswordFileError.self) { try mqtt.password(credentials: "/nonexistent") }
    // Empty stands for one that is not there.
    let empty = try TemporaryFile("\n")
    let file = try TemporaryFile("from the file\n")
    mqtt.passwordFile = file.path
    #expect(try mqtt.password(credentials: "/nonexistent") == "from the file")
    mqtt.passwordFile = empty.path
    #expect(throws: PasswordFileError.self) { try mqtt.password(credentials: "/\(parts[0])") }
  }

  @Test("Without a password file there is no password")
  func noPasswordFile() throws {
    #expect(try NodeConfiguration.MQTT().password() == nil)
  }

  @Test("A password file that everyone may read, an empty one and a missing one are refused with what to do")
  func badPasswordFiles() throws {
    func error(_ path: String) -> PasswordFileError? {
      var mqtt = NodeConfiguration.MQTT()
      mqtt.passwordFile = path
      do throws(PasswordFileError) {
        _ = try mqtt.password()
        return nil
      } catch {
        return error
      }
    }
    let open = try TemporaryFile("secret\n", mode: 0o644)
    #expect(error(open.path)?.code == .readableByOthers)
    #expect(
      error(open.path)?.description
        == "the password file \(open.path) can be read by every user of this machine; run: chmod o-rwx \(open.path)")
    for text in ["", "\n", "\nsecret", "a\0b\n"] {
      let file = try TemporaryFile(text)
      #expect(error(file.path)?.code == .noPassword)
    }
    let missing = error("/nonexistent/password")
    #expect(missing?.code == .cannotRead && missing?.errno == ENOENT && missing?.operation == "open")
    #expect(missing?.message == "the password file /nonexistent/password cannot be opened: No such file or directory")
    #expect(error("/tmp")?.message == "the password file /tmp is a directory")
  }
}
