import Glibc
import LinuxSupport
import Synchronization

@testable import Buttons

/// A button's line under a test's hand.
final class FakeLine: InputLine, Sendable {
  struct State {
    var isDown = false
    var edges: [Edge] = []
    var requests = 0
    var isHeld = false
    /// Looks at the level.
    var looks = 0
    var failsToOpen: ButtonError?
    /// What `takeEdges` and `isDown` fail with, until told otherwise.
    var failsToRead: Int32 = 0
    var failsToLook: Int32 = 0
  }

  let state = Mutex(State())
  private let news: EventDescriptor

  init() throws { news = try EventDescriptor() }

  var descriptor: Int32 { news.descriptor }

  /// Does something to the line that wakes its reader.
  func change(_ body: (inout State) -> Void) {
    state.withLock { body(&$0) }
    news.signal()
  }

  /// An edge now.
  func edge(_ isDown: Bool) {
    change { state in
      state.isDown = isDown
      state.edges.append(Edge(isDown: isDown, time: SystemClock.elapsedMilliseconds()))
    }
  }

  @Sendable func open(_: ButtonConfiguration) throws(ButtonError) -> any InputLine {
    let failure = state.withLock { state in
      state.requests += 1
      state.edges = []
      state.isHeld = state.failsToOpen == nil
      return state.failsToOpen
    }
    if let failure { throw failure }
    return self
  }

  func takeEdges() throws(SystemCallError) -> [Edge] {
    news.drain()
    let (edges, failure) = state.withLock { state in
      defer { state.edges = [] }
      return (state.edges, state.failsToRead)
    }
    if failure != 0 { throw SystemCallError(call: "gpiod_line_request_read_edge_events", errno: failure) }
    return edges
  }

  func isDown() throws(SystemCallError) -> Bool {
    let (isDown, failure) = state.withLock { state in
      state.looks += 1
      return (state.isDown, state.failsToLook)
    }
    if failure != 0 { throw SystemCallError(call: "gpiod_line_request_get_value", errno: failure) }
    return isDown
  }

  func release() { state.withLock { $0.isHeld = false } }
}

/// The lines of several buttons, by their offset.
struct FakeChip: Sendable {
  let lines: [FakeLine]

  init(_ count: Int) throws { lines = try (0..<count).map { _ in try FakeLine() } }

  var configurations: [ButtonConfiguration] { lines.indices.map { ButtonConfiguration(chip: "pi", line: UInt32($0)) } }

  @Sendable func open(_ configuration: ButtonConfiguration) throws(ButtonError) -> any InputLine {
    try lines[Int(configuration.line)].open(configuration)
  }
}
