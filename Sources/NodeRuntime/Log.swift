import Glibc
import LinuxSupport
import Synchronization

/// Lines on standard error, one an event, written by a thread of their own: a terminal or pipe that is stuck must not hold up a ring.
package final class Log: Sendable {
  /// As `sd-daemon(3)` numbers them.
  package enum Level: Int, Sendable {
    case error = 3
    case warning = 4
    case notice = 5
    case information = 6

    fileprivate var word: String {
      switch self {
      case .error: "error"
      case .warning: "warning"
      case .notice: "notice"
      case .information: "info"
      }
    }
  }

  private let lines: Mailbox<String?>
  private let waiting: Counter
  private let thread: WorkerThread
  private let isForJournal = Log.isJournal
  private static let maximumWaiting = 1000

  /// Whether standard error is the journal (`systemd.exec(5)`, `JOURNAL_STREAM`): that takes the level from a `<N>` at the start of a line; a
  /// person reads a word.
  private static var isJournal: Bool {
    guard let stream = getenv("JOURNAL_STREAM") else { return false }
    var status = stat()
    return fstat(STDERR_FILENO, &status) == 0 && String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
  }

  /// A line as the reader of standard error wants it.
  package static func line(_ level: Level, _ message: String) -> String { line(level, message, forJournal: isJournal) }

  private static func line(_ level: Level, _ message: String, forJournal: Bool) -> String {
    let text = message.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: " / ")
    return forJournal ? "<\(level.rawValue)>\(text)\n" : "reveille: \(level.word): \(text)\n"
  }

  package init() throws(SystemCallError) {
    let lines = try Mailbox<String?>()
    self.lines = lines
    let waiting = Counter()
    self.waiting = waiting
    thread = try WorkerThread(name: "log") { Self.run(lines, waiting) }
  }

  package func write(_ level: Level, _ message: String) {
    // Where the reader has stopped reading, further lines are lost.
    guard waiting.increment(below: Self.maximumWaiting) else { return }
    lines.post(Self.line(level, message, forJournal: isForJournal))
  }

  /// Writes what waits and ends the thread.
  package func close() {
    lines.post(nil)
    thread.join()
  }

  private static func run(_ lines: Mailbox<String?>, _ waiting: Counter) {
    while true {
      lines.wait()
      for line in lines.drain() {
        guard let line else { return }
        waiting.decrement()
        var bytes = Array(line.utf8)[...]
        while !bytes.isEmpty {
          let written = bytes.withUnsafeBytes { Glibc.write(2, $0.baseAddress, $0.count) }
          if written > 0 { bytes = bytes.dropFirst(written) } else if errno != EINTR { break }
        }
      }
    }
  }
}

/// How many lines wait.
private final class Counter: Sendable {
  private let value = Mutex(0)

  func increment(below limit: Int) -> Bool {
    value.withLock { value in
      guard value < limit else { return false }
      value += 1
      return true
    }
  }

  func decrement() { value.withLock { $0 -= 1 } }
}
