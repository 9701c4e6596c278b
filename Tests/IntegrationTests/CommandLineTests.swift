import TestSupport
import Testing

@Suite("The command line")
struct CommandLineTests {
  private func run(_ arguments: String...) async throws -> (status: Int32?, output: String, errors: String) {
    try await blocking {
      let process = try Subprocess([NodeProcess.program] + arguments)
      let status = process.wait()
      // The pipes end with the process, but other threads read them.
      _ = process.output.first { _ in false }
      _ = process.errors.first { _ in false }
      return (status, process.output.all.joined(separator: "\n"), process.errors.all.joined(separator: "\n"))
    }
  }

  @Test("--version and --help answer on standard output")
  func information() async throws {
    let version = try await run("--version")
    #expect(version.status == 0 && version.output.contains(/\d+\.\d+\.\d+/) && version.errors.isEmpty)
    let help = try await run("--help")
    #expect(help.status == 0 && help.output.contains("check-config") && help.output.contains("run"))
  }

  @Test(
    "Wrong usage is told on standard error, with status 2, and 64 by the node and what works on files",
    arguments: [
      ([], 2), (["dance"], 2), (["--node", "list"], 2), (["run", "--no-such-option"], 64), (["check-config", "a", "b"], 64),
    ] as [([String], Int32)])
  func usage(arguments: [String], wanted: Int32) async throws {
    let process = try Subprocess([NodeProcess.program] + arguments)
    let status = try await blocking { process.wait() }
    #expect(status == wanted)
    _ = process.errors.first { _ in true }
    #expect(!process.errors.all.isEmpty && process.output.all.isEmpty)
  }

  @Test("check-config is content with a good file and names the line of each mistake in a bad one")
  func checkConfiguration() async throws {
    let directory = try TemporaryDirectory()
    let good = try directory.write("good.yaml", "node: kitchen\nstate_directory: \(directory.path)\nsounds_directory: \(directory.path)\n")
    #expect(try await run("check-config", good).status == 0)
    let bad = try directory.write("bad.yaml", "node: kitchen\ncolour: red\nlimits: {alarms: many}\n")
    let complaint = try await run("check-config", bad)
    #expect(complaint.status == 78)
    #expect(complaint.errors.contains("bad.yaml:2") && complaint.errors.contains("colour"))
    #expect(complaint.errors.contains("bad.yaml:3") && complaint.errors.contains("alarms"))
    // The node itself refuses it in the same way.
    #expect(try await run("run", "--config", bad).status == 78)
    #expect(try await run("run", "--config", directory.path(of: "missing.yaml")).status == 78)
  }

  @Test("simulate says what the alarms of a file would do, as the README shows it")
  func simulate() async throws {
    let directory = try TemporaryDirectory()
    let readme = try ProjectFile.read("README.md")
    let documents = try #require(readme.firstMatch(of: /```json\n(\[\{"id": "night-bus"[\s\S]*?)```/)).1
    let example = try #require(readme.firstMatch(of: /\$ reveille (simulate .*) alarms\.json\n([\s\S]*?)\n```/))
    let file = try directory.write("alarms.json", String(documents))
    let arguments = example.1.split(separator: " ").map(String.init) + [file]
    let process = try Subprocess([NodeProcess.program] + arguments)
    #expect(try await blocking { process.wait() } == 0)
    _ = process.output.first { _ in false }
    #expect(process.output.all == example.2.split(separator: "\n").map(String.init))
  }

  @Test("simulate without answers snoozes and misses; the reply to list is a file too")
  func simulateUnanswered() async throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write(
      "list.json", #"{"status":"ok","data":{"alarms":[{"id":"a","schedule":{"at":"2027-01-01T08:00"},"ringFor":60}]}}"#)
    let answered = try await run("simulate", "--zone", "UTC", "--from", "2027-01-01", "--days", "1", file)
    #expect(answered.output == "2027-01-01 Fri 08:00:00 +00:00  a alerts")
    let unanswered = try await run("simulate", "--unanswered", "--zone", "UTC", "--from", "2027-01-01", "--days", "1", file)
    let lines = unanswered.output.split(separator: "\n")
    #expect(lines.count { $0.hasSuffix("alerts") } == 4 && lines.last?.hasSuffix("08:31:00 +00:00  a is missed (unanswered)") == true)
  }

  @Test(
    "simulate says what is wrong with its arguments (64) and its file (65)",
    arguments: [
      (["--days", "0", "x"], 64, "--days"), (["--zone", "Europe/Atlantis", "x"], 64, "Europe/Atlantis"),
      (["--from", "soon", "x"], 64, "--from"),
      ([], 64, "FILE"), (["--loud", "x"], 64, "--loud"), (["/nowhere/x"], 65, "/nowhere/x"),
    ] as [([String], Int32, String)])
  func simulateMistakes(arguments: [String], status: Int32, names: String) async throws {
    let process = try Subprocess([NodeProcess.program, "simulate"] + arguments)
    #expect(try await blocking { process.wait() } == status)
    _ = process.errors.first { _ in false }
    #expect(process.errors.all.joined().contains(names) && process.output.all.isEmpty)
  }

  @Test("simulate names the document and the field that are at fault")
  func simulateFaults() async throws {
    let directory = try TemporaryDirectory()
    for (content, names) in [
      (#"[{"duration":5},{"schedule":{"time":"25:00"}}]"#, "[1].schedule.time"),
      (#"{"schedule":{"at":"2020-01-01T00:00"}}"#, "schedule.at"),
      (#"[1]"#, "object"), ("{", "line"),
    ] {
      let answer = try await run("simulate", directory.write("a.json", content))
      #expect(answer.status == 65 && answer.errors.contains(names), "\(answer.errors)")
    }
  }
}
