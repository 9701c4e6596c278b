import LinuxSupport

/// Runs what blocks on a thread of its own, so that other tests go on meanwhile.
package func blocking<Answer: Sendable>(_ body: @escaping @Sendable () throws -> Answer) async throws -> Answer {
  try await withCheckedThrowingContinuation { continuation in
    do {
      _ = try WorkerThread(name: "test") { continuation.resume(with: Result { try body() }) }
    } catch {
      continuation.resume(throwing: error)
    }
  }
}
