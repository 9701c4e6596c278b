// Exit tests with captured values came with Swift 6.3.
#if compiler(>=6.3)
  import Glibc
  import Testing

  @testable import AlarmStore

  @Suite struct DurabilityTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test("What was committed before a kill is there, and nothing of the transaction under way")
    func kill() async throws {
      let path = directory.state
      await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
        let store = try AlarmStore(directory: path)
        for number in 1...50 {
          try store.commit(StoreChange(events: [StoredEvent(sequence: Int64(number), payload: "e")], values: ["last": String(number)]))
        }
        try store.connection.run("BEGIN IMMEDIATE")
        try store.connection.run("DELETE FROM event")
        // More than the page cache holds, so that the log has pages of this transaction.
        for number in 0..<40 {
          try store.connection.run(
            "INSERT INTO value VALUES (?, ?)", [.text("lost-\(number)"), .text(String(repeating: "x", count: 200_000))])
        }
        raise(SIGKILL)
      }
      #expect(try directory.names(in: path).contains("reveille.db-wal"))
      let contents = try AlarmStore(directory: path).load()
      #expect(contents.events.map(\.sequence) == Array(1...50))
      #expect(contents.values == ["last": "50"])
    }
  }
#endif
