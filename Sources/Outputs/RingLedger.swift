import Synchronization

/// What the two output threads know of each other's ring.
///
/// Rings are counted by generation: each call of `ring` is a new one, even with the caller's same name.
final class RingLedger: Sendable {
  private let announced = Atomic<UInt64>(0)
  private let heard = Atomic<Int64>(.min)

  /// Whether the caller is the first to announce this generation, and so the one who reports it as sounding.
  func claimAnnouncement(of generation: UInt64) -> Bool {
    // Generations rise, so a late one finds a higher number and is not announced any more.
    announced.max(generation, ordering: .relaxed).oldValue < generation
  }

  /// When a sound card last took sound, on the elapsed clock in milliseconds.
  var soundTaken: Int64 {
    get { heard.load(ordering: .relaxed) }
    set { heard.store(newValue, ordering: .relaxed) }
  }
}
