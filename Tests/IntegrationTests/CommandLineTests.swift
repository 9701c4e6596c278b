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
    "Wrong usage is told on standard error, with status 64",
    arguments: [[], ["dance"], ["run", "--no-such-option"], ["check-config", "a", "b"]])
  func usage(arguments: [String]) async throws {
    let process = try Subprocess([NodeProcess.program] + arguments)
    let status = try await blocking { process.wait() }
    #expect(status == 64)
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
}
