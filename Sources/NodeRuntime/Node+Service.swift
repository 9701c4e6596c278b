import Configuration
import LinuxSupport

// The node as a service: what it tells the service manager, and what it does when it is told to read its configuration again.
extension Node {
  /// Why it has ended.
  package enum End: Sendable {
    /// SIGTERM or SIGINT.
    case stopped
    /// SIGHUP, and the configuration file is good.
    case restart
  }

  /// Tells the service manager that this loop goes round.
  func ping() {
    guard let interval = manager.watchdogInterval else { return }
    let now = SystemClock.elapsedMilliseconds()
    guard now >= pingDueAt else { return }
    pingDueAt = now + interval
    manager.ping()
  }

  /// Reads the configuration file, on the thread that may wait for the disk; `configurationRead` comes of it.
  func readConfiguration() {
    manager.reloading()
    let (file, mailbox) = (configurationFile, mailbox)
    store.run { mailbox.post(.configurationRead(problem: NodeConfiguration.problem(file: file))) }
  }

  /// A good file makes the node start anew; with a bad one it goes on as it is.
  func take(configurationProblem problem: String?) {
    configurationProblem = problem
    guard let problem else {
      log.write(.notice, "the configuration is read again: starting anew with it")
      isRestartDue = true
      return
    }
    log.write(.error, "the configuration stays as it was, for the file has a mistake: \(problem)")
    manager.ready("node \(configuration.node); its configuration file has a mistake")
  }
}
