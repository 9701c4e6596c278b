import Outputs
import Synchronization

/// The names of all sounds, remembered: the sounds directory is read on threads that may wait for the disk, never on the engine's.
final class SoundCatalog: Sendable {
  private let names = Mutex<Set<String>>([])
  private let read: @Sendable () -> [String]

  init(read: @escaping @Sendable () -> [String]) {
    self.read = read
    refresh()
  }

  var sorted: [String] { names.withLock { $0.sorted() } }

  /// Whether there was a sound of that name at the last look. Never touches the disk.
  func isRemembered(_ name: String) -> Bool { names.withLock { $0.contains(name) } }

  /// Whether there is a sound of that name; looks again before it says no.
  func isKnown(_ name: String) -> Bool {
    if isRemembered(name) { return true }
    refresh()
    return isRemembered(name)
  }

  func refresh() {
    let found = Set(read())
    names.withLock { $0 = found }
  }
}
