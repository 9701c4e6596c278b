import Glibc
import Synchronization

@testable import Outputs

/// A card that takes sound as time passes, and fails on demand as no card here can be made to.
final class FakeCard: PlaybackDevice, Sendable {
  struct State {
    var framesTaken = 0
    var prepared = 0
    var isOpen = false
    /// The negative errno that the next write answers, once.
    var nextFailure: Int?
    /// The negative errno that every call answers from now on.
    var lastingFailure: Int?
  }

  let state = Mutex(State())
  let card: Int32? = nil

  func available() -> Int { state.withLock { $0.lastingFailure } ?? 100_000 }

  func write(_ frames: UnsafePointer<Int16>, count: Int) -> Int {
    state.withLock { state in
      if let failure = state.lastingFailure { return failure }
      if let failure = state.nextFailure.take() { return failure }
      state.framesTaken += count
      return count
    }
  }

  func begin() -> Int { state.withLock { $0.lastingFailure } ?? 0 }

  func prepare() -> Int {
    state.withLock { state in
      state.prepared += 1
      return 0
    }
  }

  func close() { state.withLock { $0.isOpen = false } }
}

/// Fake cards by name; others cannot be opened.
struct FakeCards: Sendable {
  let cards: [String: FakeCard]

  init(_ names: String...) { cards = Dictionary(uniqueKeysWithValues: names.map { ($0, FakeCard()) }) }

  subscript(_ name: String) -> FakeCard { cards[name] ?? FakeCard() }

  @Sendable func open(_ name: String, _ rate: Int) throws(OutputError) -> any PlaybackDevice {
    guard let card = cards[name], !card.state.withLock({ $0.isOpen }) else {
      throw OutputError(
        code: .deviceUnavailable, operation: "snd_pcm_open", errno: cards[name] == nil ? ENOENT : EBUSY, message: "Plug it in.")
    }
    card.state.withLock { $0.isOpen = true }
    return card
  }
}
