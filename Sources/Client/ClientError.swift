import JSON

/// Why a command ends without success.
struct ClientError: Error, Equatable {
  /// One of `ExitStatus`.
  var status: Int32
  /// What is wrong and what to do.
  var message: String
  /// The `error` of a reply, where a node refused.
  var refusal: JSONObject?

  static func usage(_ message: String) -> ClientError { ClientError(status: ExitStatus.usage, message: message) }

  static func noAnswer(_ message: String) -> ClientError { ClientError(status: ExitStatus.noAnswer, message: message) }

  /// A node's reply of the status `error`.
  static func refused(_ error: JSONObject) -> ClientError {
    let code = error["code"]?.string ?? "error"
    let field = error["field"]?.string.map { "\($0): " } ?? ""
    let message = Text.printable("\(code): \(field)\(error["message"]?.string ?? "the node gives no reason")")
    return ClientError(status: ExitStatus.refused, message: message, refusal: error)
  }

  /// With a further hint.
  func adding(_ hint: String) -> ClientError {
    var error = self
    error.message += "; \(hint)"
    return error
  }
}
