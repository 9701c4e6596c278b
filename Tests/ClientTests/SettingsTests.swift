import TestSupport
import Testing

@testable import Client

@Suite("Where the connection comes from")
struct SettingsTests {
  private func settings(_ line: String = "list", _ variables: [String: String] = [:], file: String = "/nowhere") throws -> ClientSettings {
    try ClientSettings(try read(line).arguments, environment: { variables[$0] }, defaultFile: file)
  }

  @Test("Without file and variables it is the broker of this machine")
  func defaults() throws {
    let settings = try settings()
    #expect(settings.broker == "127.0.0.1:1883" && settings.prefix == "reveille" && settings.file == nil && settings.timeout == 10_000)
    #expect(!settings.clientID.hasPrefix("reveille-"))
    #expect(try settings.clientID != self.settings().clientID)
  }

  @Test("An option counts before a variable, a variable before the default file, and a named file replaces the variables")
  func precedence() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write(
      "r.yaml", "node: kitchen\ntopic_prefix: home\nmqtt: {host: broker, username: kitchen, password_file: /secret}\n")
    let plain = try settings(file: file)
    #expect(plain.node == "kitchen" && plain.prefix == "home" && plain.broker == "broker:1883" && plain.mqtt.passwordFile == "/secret")
    let varied = try settings("list", ["REVEILLE_NODE": "attic", "REVEILLE_PREFIX": "p", "REVEILLE_PORT": "1"], file: file)
    #expect(varied.node == "attic" && varied.prefix == "p" && varied.broker == "broker:1" && varied.mqtt.username == "kitchen")
    #expect(try settings("list --node cellar", ["REVEILLE_NODE": "attic"], file: file).node == "cellar")
    let named = try settings("list --config \(file)", ["REVEILLE_NODE": "attic", "REVEILLE_HOST": "other"])
    #expect(named.node == "kitchen" && named.mqtt.host == "broker")
  }

  @Test("The file's user and password do not go to a host that a variable names")
  func foreignHost() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write("r.yaml", "mqtt: {host: broker, username: kitchen, password_file: /secret}\n")
    let settings = try settings("list", ["REVEILLE_HOST": "elsewhere", "REVEILLE_CA_FILE": "/ca.pem"], file: file)
    #expect(settings.mqtt.username == nil && settings.mqtt.passwordFile == nil && settings.broker == "elsewhere:8883")
  }

  @Test(
    "A wrong value is told before anything is sent",
    arguments: [
      ("list", "REVEILLE_PORT", "many"), ("list", "REVEILLE_PROTOCOL", "4"), ("list", "REVEILLE_NODE", "a/b"),
      ("list", "REVEILLE_OS_CERTIFICATES", "perhaps"), ("list --timeout 0", "", ""), ("list --node #", "", ""),
      ("list --config /nowhere", "", ""),
    ])
  func wrong(line: String, name: String, value: String) throws {
    do {
      _ = try settings(line, [name: value])
      Issue.record("\(line) \(name)=\(value) was taken")
    } catch let error as ClientError { #expect(error.status == ExitStatus.usage) }
  }
}
