import CLinux
import Glibc

/// A `signalfd`: signals as something to poll.
package final class SignalDescriptor: Sendable {
  /// The descriptor to poll for reading.
  package let descriptor: Int32

  /// Takes signals away from their default action. Call it before any other thread exists: threads inherit the mask.
  package init(_ signals: [Int32]) throws(SystemCallError) {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    let code = pthread_sigmask(SIG_BLOCK, &set, nil)
    guard code == 0 else { throw SystemCallError(call: "pthread_sigmask", errno: code) }
    descriptor = try retrying("signalfd") { signalfd(-1, &set, reveille_SFD_CLOEXEC | reveille_SFD_NONBLOCK) }
  }

  deinit { close(descriptor) }

  /// The next signal that arrived; does not block.
  package func take() -> Int32? {
    var information = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    while true {
      if read(descriptor, &information, size) == size { return Int32(information.ssi_signo) }
      if errno != EINTR { return nil }
    }
  }
}
