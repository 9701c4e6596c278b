import CivilTime
import NodeProtocol
import Synchronization

/// The reader of commands, used on the transport's thread and told of a new zone by the engine's.
final class SharedReader: Sendable {
  private let reader: Mutex<CommandReader>

  init(_ reader: CommandReader) { self.reader = Mutex(reader) }

  /// The reader as it is now; reading itself is done without the lock.
  var present: CommandReader { reader.withLock { $0 } }

  func setLocalZone(_ zone: ZoneRules) { reader.withLock { $0.context.localZone = zone } }
}
