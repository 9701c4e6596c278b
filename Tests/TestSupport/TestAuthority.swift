import Glibc

/// A certificate authority of one test's own, made with openssl.
package final class TestAuthority: Sendable {
  package let directory: TemporaryDirectory
  /// Its own certificate (PEM).
  package let certificate: String
  private let key: String
  private static let elliptic = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]

  package init(in directory: TemporaryDirectory, name: String = "authority") throws {
    self.directory = directory
    certificate = directory.path(of: "\(name).pem")
    key = directory.path(of: "\(name).key")
    try Self.openssl(["req", "-x509"] + Self.elliptic + ["-days", "2", "-subj", "/CN=\(name)", "-keyout", key, "-out", certificate])
  }

  /// Signs a certificate for hosts such as `DNS:localhost,IP:127.0.0.1`.
  ///
  /// - Parameter days: how long it is valid from now on; negative: expired.
  package func issue(_ name: String, for hosts: String = "DNS:localhost,IP:127.0.0.1", days: Int = 2) throws -> (
    certificate: String, key: String
  ) {
    let (certificate, key) = (directory.path(of: "\(name).pem"), directory.path(of: "\(name).key"))
    let request = directory.path(of: "\(name).request")
    try Self.openssl(
      ["req"] + Self.elliptic + ["-subj", "/CN=\(name)", "-addext", "subjectAltName=\(hosts)", "-keyout", key, "-out", request])
    try Self.openssl([
      "x509", "-req", "-in", request, "-CA", self.certificate, "-CAkey", self.key, "-CAcreateserial", "-days", String(days),
      "-copy_extensions", "copyall", "-out", certificate,
    ])
    chmod(key, 0o644)
    return (certificate, key)
  }

  private static func openssl(_ arguments: [String]) throws {
    let tool = try Subprocess(["openssl"] + arguments)
    guard tool.wait() == 0 else { throw TestSupportError("openssl \(arguments): \(tool.errors.all)") }
  }
}
