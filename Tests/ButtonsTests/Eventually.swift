/// Waits until something is so that tells nobody when it is.
func eventually(within seconds: Double = 60, _ condition: () -> Bool) async throws -> Bool {
  let deadline = ContinuousClock.now + .seconds(seconds)
  while ContinuousClock.now < deadline {
    if condition() { return true }
    try await Task.sleep(for: .milliseconds(5))
  }
  return condition()
}
