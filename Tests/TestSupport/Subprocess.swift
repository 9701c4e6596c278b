import Glibc
import LinuxSupport
import Synchronization

/// A child process with pipes; killed when the last reference goes.
package final class Subprocess: Sendable {
  package let identifier: pid_t
  /// The lines of its standard output so far.
  package let output = Recorder<String>()
  /// The lines of its standard error so far.
  package let errors = Recorder<String>()
  private let input: Mutex<Int32?>
  /// One element once it has ended.
  private let exit = Recorder<Int32>()
  /// Whether the process id may belong to somebody else by now.
  private let reaped: Reaped

  private final class Reaped: Sendable { let value = Mutex(false) }

  /// Starts `arguments[0]`, looked up in `PATH`, in a clean state: no signals ignored, no descriptors but 0–2.
  ///
  /// - Parameter environment: `NAME=value` strings in place of this process's environment.
  package init(_ arguments: [String], environment: [String]? = nil) throws {
    let (inputReader, inputWriter) = try Self.pipe()
    let (outputReader, outputWriter) = try Self.pipe()
    let (errorReader, errorWriter) = try Self.pipe()
    defer { for descriptor in [inputReader, outputWriter, errorWriter] { close(descriptor) } }

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, inputReader, 0)
    posix_spawn_file_actions_adddup2(&actions, outputWriter, 1)
    posix_spawn_file_actions_adddup2(&actions, errorWriter, 2)
    // Others in this process open descriptors without O_CLOEXEC; a child that held their sockets would keep connections alive.
    _ = closeFrom?(&actions, 3)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var ignored = sigset_t()
    sigemptyset(&ignored)
    sigaddset(&ignored, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &ignored)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))

    let argv = arguments.map { strdup($0) } + [nil]
    let envp = environment.map { $0.map { strdup($0) } + [nil] }
    defer { for string in argv + (envp ?? []) { free(string) } }
    var spawned = pid_t()
    let result: Int32
    if let envp {
      result = posix_spawnp(&spawned, arguments[0], &actions, &attributes, argv, envp)
    } else {
      result = posix_spawnp(&spawned, arguments[0], &actions, &attributes, argv, environ)
    }
    guard result == 0 else {
      for descriptor in [inputWriter, outputReader, errorReader] { close(descriptor) }
      throw TestSupportError("cannot start \(arguments[0]): \(String(cString: strerror(result)))")
    }
    let child = spawned
    identifier = child
    input = Mutex(inputWriter)
    reaped = Reaped()

    let readsOutput = try WorkerThread(name: "stdout") { [output] in Self.readLines(outputReader, into: output) }
    let readsErrors = try WorkerThread(name: "stderr") { [errors] in Self.readLines(errorReader, into: errors) }
    _ = try WorkerThread(name: "waitpid") { [exit, reaped] in
      // First without reaping, so that `signal` never meets a process id that was given away.
      var information = siginfo_t()
      while waitid(P_PID, id_t(child), &information, WEXITED | WNOWAIT) == -1 && errno == EINTR {}
      var status: Int32 = 0
      reaped.value.withLock { reaped in
        waitpid(child, &status, 0)
        reaped = true
      }
      // What it wrote is read by then, unless a child of its own still has the pipes.
      for reader in [readsOutput, readsErrors] { reader.join(until: SystemClock.elapsedMilliseconds() + 2_000) }
      exit.append(status)
      exit.finish()
    }
  }

  deinit {
    signal(SIGKILL)
    closeInput()
  }

  /// Sends a signal if the process still runs.
  package func signal(_ number: Int32) {
    reaped.value.withLock { reaped in
      if !reaped { kill(identifier, number) }
    }
  }

  /// Waits for the end: the exit code, or 128 plus the signal that ended it; `nil` if it still runs.
  package func wait(within milliseconds: Int = 20_000) -> Int32? {
    exit.first(within: milliseconds) { _ in true }.map { status in
      status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }
  }

  /// Writes to its standard input.
  package func write(_ text: String) {
    input.withLock { descriptor in
      guard let descriptor else { return }
      var bytes = Array(text.utf8)[...]
      while !bytes.isEmpty {
        let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 else { return }
        bytes = bytes.dropFirst(count)
      }
    }
  }

  /// Ends its standard input.
  package func closeInput() {
    input.withLock { descriptor in
      if let open = descriptor { close(open) }
      descriptor = nil
    }
  }

  private static func pipe() throws(TestSupportError) -> (reader: Int32, writer: Int32) {
    var descriptors: [Int32] = [-1, -1]
    guard Glibc.pipe(&descriptors) == 0 else { throw TestSupportError("pipe: \(String(cString: strerror(errno)))") }
    return (descriptors[0], descriptors[1])
  }

  private static func readLines(_ descriptor: Int32, into lines: Recorder<String>) {
    defer {
      close(descriptor)
      lines.finish()
    }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var rest: [UInt8] = []
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { break }
      for byte in buffer[..<count] {
        if byte == UInt8(ascii: "\n") {
          lines.append(String(decoding: rest, as: UTF8.self))
          rest.removeAll(keepingCapacity: true)
        } else {
          rest.append(byte)
        }
      }
    }
    if !rest.isEmpty { lines.append(String(decoding: rest, as: UTF8.self)) }
  }
}

/// `posix_spawn_file_actions_addclosefrom_np` (glibc 2.34), which Swift's Glibc module lacks.
private let closeFrom: (@convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32)? = {
  guard let symbol = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else { return nil }
  return unsafeBitCast(symbol, to: (@convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32).self)
}()
