import CivilTime

/// What reading an alarm document needs to know of the node.
public struct DocumentContext: Sendable {
  /// What to say where `isKnownSound` says no.
  public static let unknownSound = "no sound of that name; the node's info topic lists those there are"

  /// The rules of a zone by its IANA name; `nil` where there is no such zone.
  public var zone: @Sendable (String) -> ZoneRules?
  /// The node's own zone.
  public var localZone: ZoneRules
  /// Whether a sound of this name can be played.
  public var isKnownSound: @Sendable (String) -> Bool
  /// Makes the identifier of a document that brings none.
  public var makeIdentifier: @Sendable () -> String

  public init(
    localZone: ZoneRules, zone: @escaping @Sendable (String) -> ZoneRules?, isKnownSound: @escaping @Sendable (String) -> Bool,
    makeIdentifier: @escaping @Sendable () -> String
  ) {
    self.localZone = localZone
    self.zone = zone
    self.isKnownSound = isKnownSound
    self.makeIdentifier = makeIdentifier
  }
}
