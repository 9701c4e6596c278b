import Glibc

/// A failed system call: which one, and the `errno` it left.
package struct SystemCallError: Error, Hashable, CustomStringConvertible {
  /// The C function's name, such as `timerfd_create`.
  package let call: String
  /// The value of `errno` right after the call.
  package let errno: Int32

  package init(call: String, errno: Int32) {
    self.call = call
    self.errno = errno
  }

  package var description: String { "\(call): \(String(cString: strerror(errno))) (errno \(errno))" }
}

/// Runs a system call that answers −1 on failure, again whenever a signal interrupted it (`EINTR`).
@discardableResult
func retrying<Result: FixedWidthInteger>(_ call: String, _ body: () -> Result) throws(SystemCallError) -> Result {
  while true {
    let result = body()
    if result != -1 { return result }
    let code = errno
    if code != EINTR { throw SystemCallError(call: call, errno: code) }
  }
}
