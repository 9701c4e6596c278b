/// Why the password could not be had.
package struct PasswordFileError: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Code: String, Sendable {
    /// Missing, not readable for this user, or no regular file.
    case cannotRead = "cannot_read"
    /// Any user of the machine may read it.
    case readableByOthers = "readable_by_others"
    /// Its first line is empty, not UTF-8, or has a zero byte.
    case noPassword = "no_password"
  }

  package let code: Code
  /// The C function that failed; empty where the file was refused.
  package let operation: String
  /// 0 where no call failed.
  package let errno: Int32
  /// What is wrong and what to do. Never has any part of the password.
  package let message: String

  package var description: String { message }
}
