import Configuration
import Glibc
import LinuxSupport
import NodeProtocol
import NodeRuntime

/// The command `reveille`.
enum CommandLineTool {
  private static let defaultConfiguration = "/etc/reveille/reveille.yaml"

  /// Exit statuses: 0, 1 for a failure, and those of `sysexits.h` for wrong usage (64), wrong input (65) and a wrong configuration (78).
  private enum Status {
    static let success: Int32 = 0
    static let failure: Int32 = 1
    static let usage: Int32 = 64
    static let input: Int32 = 65
    static let configuration: Int32 = 78
  }

  private static let help = """
    Usage: reveille run [--config FILE]     run the alarm node until it is stopped
           reveille check-config [FILE]     say what is wrong with a configuration, by line
           reveille simulate [--zone ZONE] [--from INSTANT] [--days N] [--unanswered] FILE
                                             say what the alarms in a JSON file would do
           reveille --version | --help

    simulate reads one alarm document, a list of them, or the reply to a list request. It begins now unless told
    otherwise, goes on for 14 days, and takes it that somebody stops each ring at once, or nobody (--unanswered).
    The configuration is YAML; without FILE it is \(defaultConfiguration).
    run reads its configuration again at SIGHUP; with a good file it starts anew, with a bad one it goes on as it was.
    Exit status: 0, 1 for a failure, 64 for wrong usage, 65 for a wrong file, 78 for a wrong configuration.

    """

  static func run(_ arguments: [String]) -> Int32 {
    switch arguments.first {
    case "--help", "-h", "help": return print(help, status: Status.success)
    case "--version": return print("reveille \(Version.program)\n", status: Status.success)
    case "run":
      switch arguments.count {
      case 1: return runNode(file: defaultConfiguration)
      case 3 where arguments[1] == "--config": return runNode(file: arguments[2])
      default: return wrongUsage("run takes --config FILE and nothing else")
      }
    case "check-config":
      guard arguments.count <= 2 else { return wrongUsage("check-config takes one FILE") }
      return checkConfiguration(file: arguments.count == 2 ? arguments[1] : defaultConfiguration)
    case "simulate": return simulate(Array(arguments.dropFirst()))
    case let word?: return wrongUsage("there is no command \(word)")
    case nil: return wrongUsage("a command is needed")
    }
  }

  private static func runNode(file: String) -> Int32 {
    do throws(ConfigurationErrors) {
      return runNode(try NodeConfiguration.load(file: file), file: file)
    } catch {
      // One line an event, for the journal as well.
      for line in error.description.split(separator: "\n") { write(Log.line(.error, String(line)), to: STDERR_FILENO) }
      return Status.configuration
    }
  }

  private static func runNode(_ configuration: NodeConfiguration, file: String) -> Int32 {
    do {
      // Before any thread exists: they inherit the signal mask.
      let signals = try SignalDescriptor([SIGTERM, SIGINT, SIGHUP])
      signal(SIGPIPE, SIG_IGN)
      let log = try Log()
      let end: Node.End
      do {
        defer { log.close() }
        end = try Node(configuration: configuration, file: file, log: log, signals: signals, manager: ServiceManager()).run()
      }
      return end == .restart ? startAnew() : Status.success
    } catch let error as NodeError {
      return fail("\(error)", status: Status.configuration)
    } catch { return fail("\(error)", status: Status.failure) }
  }

  /// Puts the program, perhaps a newer one by now, in the place of this process: what is set up once is set up anew, and the process stays the
  /// one that the service manager knows.
  private static func startAnew() -> Int32 {
    let arguments = CommandLine.arguments.map { strdup($0) } + [nil]
    execvp(CommandLine.arguments[0], arguments)
    return fail("\(SystemCallError(call: "execvp", errno: errno))", status: Status.failure)
  }

  /// What ends a running node, as its log has it.
  private static func fail(_ message: String, status: Int32) -> Int32 {
    write(Log.line(.error, message), to: STDERR_FILENO)
    return status
  }

  private static func checkConfiguration(file: String) -> Int32 {
    do throws(ConfigurationErrors) {
      let configuration = try NodeConfiguration.load(file: file)
      if let problem = configuration.surroundingsProblem() { return complain("\(file): \(problem)", status: Status.configuration) }
      return print(
        "\(file): no mistakes; node \(configuration.node), broker \(configuration.mqtt.host):\(configuration.mqtt.port)\n", status: 0)
    } catch { return complain("\(error)", status: Status.configuration) }
  }

  private static func simulate(_ arguments: [String]) -> Int32 {
    do throws(SimulateCommand.Failure) {
      return print(try SimulateCommand(arguments).run(), status: Status.success)
    } catch {
      switch error {
      case .usage(let message): return wrongUsage("simulate: \(message)")
      case .input(let message): return complain("reveille: \(message)", status: Status.input)
      }
    }
  }

  private static func wrongUsage(_ message: String) -> Int32 {
    complain("reveille: \(message); reveille --help tells what there is", status: Status.usage)
  }

  private static func complain(_ message: String, status: Int32) -> Int32 {
    write(message + "\n", to: STDERR_FILENO)
    return status
  }

  private static func print(_ text: String, status: Int32) -> Int32 {
    write(text, to: STDOUT_FILENO)
    return status
  }

  private static func write(_ text: String, to descriptor: Int32) {
    let bytes = Array(text.utf8)
    // A reader that has gone away needs no message.
    _ = Glibc.write(descriptor, bytes, bytes.count)
  }
}
