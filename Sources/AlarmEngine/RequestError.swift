import AlarmModel

/// Why a request was refused: the contract's error codes.
package struct RequestError: Error, Hashable, Sendable {
  package enum Code: String, CaseIterable, Sendable {
    case malformedJSON = "malformed_json"
    case invalidArgument = "invalid_argument"
    case unknownOperation = "unknown_operation"
    case notFound = "not_found"
    case invalidTransition = "invalid_transition"
    case limitReached = "limit_reached"
    case conflict
    case retainedRequest = "retained_request"
    case expiredRequest = "expired_request"
    case tooLarge = "too_large"
    case notAuthorized = "not_authorized"
    case storageFailed = "storage_failed"
    case nothingToDo = "nothing_to_do"
    case rateLimited = "rate_limited"
  }

  package let code: Code
  /// A sentence that says what is wrong and what to do.
  package let message: String
  /// The key at fault, where there is one.
  package let field: String?

  package init(_ code: Code, _ message: String, field: String? = nil) {
    self.code = code
    self.message = message
    self.field = field
  }

  package init(_ error: DocumentError) { self.init(.invalidArgument, error.message, field: error.field) }
}
