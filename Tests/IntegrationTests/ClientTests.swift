import Glibc
import JSON
import TestSupport
import Testing

@Suite("Commands that talk to a node", .serialized)
struct ClientTests {
  /// How a command ended.
  struct Result {
    var status: Int32?
    var output: [String]
    var errors: String

    /// Its only line of output, as JSON.
    var json: JSONValue {
      get throws { try JSONValue(parsing: (output.count == 1 ? output[0] : "").utf8) }
    }
  }

  private static func environment(_ port: UInt16, _ variables: [String]) -> [String] {
    // Of two variables of one name the first counts.
    var all = variables + ["REVEILLE_NODE=bedroom", "REVEILLE_PORT=\(port)", "REVEILLE_HOST=127.0.0.1", "PATH=/usr/bin:/bin", "TERM=xterm"]
    for name in ["LD_LIBRARY_PATH", "LLVM_PROFILE_FILE"] {
      if let value = getenv(name) { all.append("\(name)=\(String(cString: value))") }
    }
    return all
  }

  private func run(_ port: UInt16, _ arguments: [String], _ variables: [String] = [], input: String = "") async throws -> Result {
    try await blocking {
      let process = try Subprocess([NodeProcess.program] + arguments, environment: Self.environment(port, variables))
      process.write(input)
      process.closeInput()
      let status = process.wait()
      // The pipes end with the process, but other threads read them.
      _ = process.output.first { _ in false }
      _ = process.errors.first { _ in false }
      return Result(status: status, output: process.output.all, errors: process.errors.all.joined(separator: "\n"))
    }
  }

  private func run(_ node: NodeProcess, _ line: String, _ variables: [String] = [], input: String = "") async throws -> Result {
    try await run(node.broker.port, line.split(separator: " ").map(String.init), variables, input: input)
  }

  @Test("Each command does its operation; --json prints the reply's data", arguments: ["5", "3.1.1"])
  func operations(version: String) async throws {
    let node = try await NodeProcess.running()
    let variables = ["REVEILLE_PROTOCOL=\(version)"]
    func ask(_ line: String, input: String = "") async throws -> JSONValue {
      let result = try await run(node, line + " --json", variables, input: input)
      #expect(result.status == 0, "\(line): \(result.errors)")
      return try result.json
    }
    let weekly = try await ask("schedule 07:00 --weekdays mon-fri --id wake-up Wake up")
    #expect(weekly["title"] == "Wake up" && weekly["schedule", "weekdays"]?.array?.count == 5 && weekly["state"] == "scheduled")
    #expect(try await ask("timer 1h Pasta --id pasta")["remaining"] == 3600)
    #expect(try await ask("list")["alarms"]?.array?.count == 2)
    #expect(try await ask("show pasta")["title"] == "Pasta")
    // By title, too.
    #expect(try await ask("pause PASTA")["state"] == "paused")
    #expect(try await ask("resume pasta")["state"] == "countdown")
    #expect(try await ask("skip wake-up")["skipped"]?.string != nil)
    #expect(try await ask("unskip wake-up")["skipped"] == .null)
    #expect(try await ask("adjust wake-up restore")["adjusted"] == .null)
    #expect(try await ask("disable wake-up")["state"] == "disabled")
    #expect(try await ask("enable wake-up")["state"] == "scheduled")
    #expect(try await ask("update wake-up --volume 60")["volume"] == 60)
    #expect(try await ask("quick tomorrow 6:30 Airport")["title"] == "Airport")
    #expect(try await ask("schedule --file -", input: #"{"id":"doc","schedule":{"time":"12:00"}}"#)["id"] == "doc")
    #expect(try await ask("preview 02:30 --weekdays daily --count 3").array?.count == 3)
    #expect(try await ask("test --duration 0.1")["muted"] == .null)
    #expect(try await ask("settings set volume 42") == ["volume": "42"])
    #expect(try await ask("settings")["volume"] == "42")
    #expect(try await ask("health")["ready"] == true)
    #expect(try await ask("info")["node"] == "bedroom")
    #expect(try await ask("nodes") == ["node": "bedroom", "availability": "online"])
    #expect(try await ask("cancel pasta")["state"] == .null)
    #expect(try await ask("siren on")["id"] == "siren")
    try await node.state("siren", "alerting")
    #expect(try await ask("snooze --for 5m")["alarms"]?.array?.first?["state"] == "countdown")
    #expect(try await ask("stop")["alarms"]?.array?.count == 1)
  }

  @Test("A request carries a Response Topic, and is answered there")
  func responseTopic() async throws {
    let node = try await NodeProcess.running()
    let mark = node.listener.mark
    #expect(try await run(node, "list").output == ["no alarms"])
    let reply = try await node.listener.first(after: mark, "the reply") { $0.topic.hasPrefix("reveille/clients/reveille.cli.") }
    #expect(reply.json["status"] == "ok" && reply.json["transaction"]?.string == reply.correlationData)
  }

  @Test("Statuses: 1 the node refused, 2 wrong usage, 3 no connection or answer, each with what to do")
  func statuses() async throws {
    let node = try await NodeProcess.running()
    for (line, variables, status, names) in [
      ("stop nobody", [], 1, "not_found"), ("snooze", [], 1, "nothing_to_do"), ("settings set volume 500", [], 1, "invalid_argument"),
      ("settings set brightness 5", [], 1, "brightness"), ("timer 1h --sound nothing", [], 1, "sound"), ("list --nod x", [], 2, "--node"),
      ("snoze", [], 2, "'snooze'"), ("list --node kitchen", [], 3, "bedroom"), ("health --node kitchen", [], 3, "bedroom"),
      ("list", ["REVEILLE_PORT=1"], 3, "nothing listens"), ("list", ["REVEILLE_USERNAME=a", "REVEILLE_PASSWORD_FILE=/no"], 2, "/no"),
      ("list --node kitchen --timeout 1", ["REVEILLE_PROTOCOL=3.1.1"], 3, "no answer"),
    ] as [(String, [String], Int32, String)] {
      let result = try await run(node, line, variables)
      #expect(result.status == status && result.errors.contains(names) && result.output.isEmpty, "\(line): \(result)")
    }
    let refused = try await run(node, "stop nobody --json")
    #expect(try refused.status == 1 && refused.json["error", "code"] == "not_found")
    node.kill()
    _ = try await node.listener.first("the will") { $0.payload == "offline" }
    let offline = try await run(node, "list")
    #expect(offline.status == 3 && offline.errors.contains("bedroom is offline"), "\(offline)")
    #expect(try await run(node, "health").status == 1)
  }

  @Test("events follows what happens, one line or document each, until it is interrupted")
  func events() async throws {
    let node = try await NodeProcess.running()
    let follower = try Subprocess([NodeProcess.program, "events", "--json"], environment: Self.environment(node.broker.port, []))
    // Its subscription to events is the last of four.
    let log = node.broker.log
    #expect(try await blocking { log.first { $0.contains("Sending SUBACK to reveille.cli.") } } != nil)
    let isReady = try await blocking { log.wait { $0.count { $0.contains("Sending SUBACK to reveille.cli.") } >= 4 ? true : nil } }
    #expect(isReady == true)
    try await node.request("schedule", #"{"id":"tea","title":"Tea","duration":3600}"#)
    let line = try await blocking { follower.output.first { $0.contains(#""event_type":"started""#) } }
    #expect(try JSONValue(parsing: try #require(line).utf8)["id"] == "tea")
    follower.signal(SIGINT)
    #expect(try await blocking { follower.wait() } == 0)
  }

  @Test("A piped watch prints a plain line for each tick and change, and with --json each activity")
  func pipedWatch() async throws {
    let node = try await NodeProcess.running()
    try await node.request("schedule", #"{"id":"tea","title":"Tea","duration":3600}"#)
    let plain = try Subprocess([NodeProcess.program, "watch"], environment: Self.environment(node.broker.port, []))
    let json = try Subprocess([NodeProcess.program, "watch", "--json"], environment: Self.environment(node.broker.port, []))
    let ticks = try await blocking { plain.output.wait { $0.count >= 3 ? $0 : nil } }
    #expect(ticks?.allSatisfy { $0.wholeMatch(of: /tea  countdown  (59:\d\d|1:00:00)  \d%  Tea/) != nil } == true, "\(plain.output.all)")
    let tick = try await blocking { json.output.first { _ in true } }
    #expect(try JSONValue(parsing: try #require(tick).utf8)["formatted"]?.string != nil)
    try await node.request("cancel", #"{"id":"tea"}"#)
    #expect(try await blocking { plain.output.first { $0 == "tea  gone" } } != nil)
    for process in [plain, json] {
      process.signal(SIGTERM)
      #expect(try await blocking { process.wait() } == 0)
    }
  }

  @Test(
    "In a terminal watch redraws in place, with colour unless NO_COLOR is set, and shows the cursor at the end", arguments: [true, false])
  func terminalWatch(isColored: Bool) async throws {
    let node = try await NodeProcess.running()
    try await node.request("schedule", #"{"id":"tea","title":"Tea","duration":3600}"#)
    // script(1) runs a command in a pseudo terminal; what is typed there comes from its input.
    let command = "stty cols 60 rows 20; exec \(NodeProcess.program) watch"
    let variables = ["SHELL=/bin/sh"] + (isColored ? [] : ["NO_COLOR=1"])
    let script = try Subprocess(["script", "-qec", command, "/dev/null"], environment: Self.environment(node.broker.port, variables))
    let redrawn = try await blocking { script.output.first { $0.contains("\u{1b}[2A") } }
    #expect(redrawn != nil, "\(script.output.all)")
    let drawn = try await blocking { script.output.first { $0.contains("Tea") && $0.contains("[----") } }
    let bar = try #require(drawn)
    #expect(bar.contains("\u{1b}[32m") == isColored && bar.contains("countdown"))
    script.write("\u{3}")
    #expect(try await blocking { script.wait() } == 0)
    _ = try await blocking { script.output.first { _ in false } }
    #expect(script.output.all.joined().hasSuffix("\u{1b}[?25h") && script.output.all.joined().contains("\u{1b}[?25l"))
  }

  @Test("A dumb terminal gets plain lines")
  func dumbTerminal() async throws {
    let node = try await NodeProcess.running()
    try await node.request("schedule", #"{"id":"tea","title":"Tea","duration":3600}"#)
    let script = try Subprocess(
      ["script", "-qec", "TERM=dumb exec \(NodeProcess.program) watch", "/dev/null"],
      environment: Self.environment(node.broker.port, ["SHELL=/bin/sh"]))
    #expect(try await blocking { script.output.wait { $0.count >= 2 ? true : nil } } == true)
    script.write("\u{3}")
    #expect(try await blocking { script.wait() } == 0)
    #expect(!script.output.all.joined().contains("\u{1b}"))
  }

  @Test("doctor says what is well and what is not: the broker, the credentials, the access rules, the node")
  func doctor() async throws {
    let node = try await NodeProcess.running()
    func verdicts(_ result: Result) throws -> [String: String] {
      var all: [String: String] = [:]
      for line in result.output {
        let finding = try JSONValue(parsing: line.utf8)
        all[finding["check"]?.string ?? ""] = finding["verdict"]?.string
      }
      return all
    }
    let well = try await run(node, "doctor --json")
    let found = try verdicts(well)
    #expect(well.status == 0 && ["broker", "credentials", "acl", "node", "health"].allSatisfy { found[$0] == "ok" }, "\(well)")
    let configured = try await run(node, "doctor --config \(node.configurationFile)")
    #expect(configured.output.first?.hasPrefix("ok    config") == true, "\(configured)")
    try await node.publish("set/muted", "ON")
    _ = try await node.listener.first("muted in health") { $0.topic.hasSuffix("/health") && $0.payload.contains("\"muted\"") }
    let muted = try await run(node, "doctor --json")
    #expect(try muted.status == 1 && verdicts(muted)["health"] == "fail", "\(muted)")
    let absent = try await run(node, "doctor --json --node kitchen")
    #expect(try absent.status == 1 && verdicts(absent)["node"] == "fail", "\(absent)")
    let unreachable = try await run(node, "doctor --json", ["REVEILLE_PORT=1"])
    #expect(try unreachable.status == 1 && verdicts(unreachable)["broker"] == "fail", "\(unreachable)")
    let broken = try node.directory.write("broken.yaml", "nod: x\n")
    let misread = try await run(node, "doctor --json --config \(broken)")
    #expect(try misread.status == 1 && verdicts(misread)["config"] == "fail", "\(misread)")
  }

  @Test("doctor and commands tell a wrong password and missing access rights apart")
  func access() async throws {
    let directory = try TemporaryDirectory()
    let passwords = directory.path(of: "passwords")
    let made = try Subprocess(["mosquitto_passwd", "-c", "-b", passwords, "guest", "right"])
    #expect(try await blocking { made.wait() } == 0)
    chmod(passwords, 0o644)
    let rules = try directory.write("rules", "user guest\ntopic read reveille/#\n")
    let broker = try BrokerProcess(["password_file \(passwords)", "acl_file \(rules)"], anonymous: false, directory: directory)
    func variables(_ password: String) throws -> [String] {
      let file = try directory.write("password-\(password)", password + "\n")
      chmod(file, 0o600)
      return ["REVEILLE_USERNAME=guest", "REVEILLE_PASSWORD_FILE=\(file)"]
    }
    let wrong = try await run(broker.port, ["doctor"], variables("wrong"))
    #expect(wrong.status == 1 && wrong.output.contains { $0.hasPrefix("fail  credentials") }, "\(wrong)")
    let forbidden = try await run(broker.port, ["doctor"], variables("right"))
    #expect(forbidden.status == 1 && forbidden.output.contains { $0.hasPrefix("fail  acl") && $0.contains("0x87") }, "\(forbidden)")
    let list = try await run(broker.port, ["list"], variables("right"))
    #expect(list.status == 3 && list.errors.contains("access rules"), "\(list)")
  }
}
