public import OxbowFoundation

/// The identity of a managed object: a store, the root of its entity's hierarchy, and a key.
///
/// An ID is complete from the moment that its object is made, because keys are reserved before they
/// are saved (see `docs/decisions/0001-keys-before-save.md`): it can be a dictionary's key, be sent
/// to another task or be written down before the first save, and its hash never changes.
///
/// Two IDs are equal when store, root entity and key are. The concrete entity travels along.
public struct ManagedObjectID: Hashable, Sendable {
  /// What the IDs of an entity's objects have in common: one for all that a store hands out, so
  /// that an ID is two words (docs/performance.md, M/IDs).
  package final class Origin: Sendable {
    let store: UUID
    let rootEntityName: String
    let entityName: String

    /// The dense index of the entity in the model of a coordinator; `nil` in an ID that was read
    /// from text, or made of names.
    let entityIndex: Int?

    package init(
      store: UUID, rootEntityName: String, entityName: String, entityIndex: Int? = nil
    ) {
      self.store = store
      self.rootEntityName = rootEntityName
      self.entityName = entityName
      self.entityIndex = entityIndex
    }

    func hasRoot(of other: Origin) -> Bool {
      self === other || (store == other.store && rootEntityName == other.rootEntityName)
    }
  }

  private let origin: Origin

  /// The key, unique in the store for the root entity and never used again.
  public let key: Int64

  /// The store's identifier.
  public var store: UUID { origin.store }

  /// The name of the root entity of the object's hierarchy.
  public var rootEntityName: String { origin.rootEntityName }

  /// The name of the object's own entity.
  public var entityName: String { origin.entityName }

  /// Whether the ID was made with this very origin; others may say the same.
  package func comes(from origin: Origin) -> Bool { self.origin === origin }

  /// The dense index of the entity in the model of the ID's maker.
  package var entityIndex: Int? { origin.entityIndex }

  package init(_ origin: Origin, key: Int64) {
    self.origin = origin
    self.key = key
  }

  package init(store: UUID, rootEntityName: String, entityName: String, key: Int64) {
    self.init(
      Origin(store: store, rootEntityName: rootEntityName, entityName: entityName), key: key)
  }

  /// Whether store, root entity and key are the same.
  public static func == (a: Self, b: Self) -> Bool {
    a.key == b.key && a.origin.hasRoot(of: b.origin)
  }

  /// Hashes store, root entity and key.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    hasher.combine(store)
    hasher.combine(rootEntityName)
  }
}

extension ManagedObjectID: CustomStringConvertible, LosslessStringConvertible {
  /// The ID as a URI, stable over time: `x-oxbow://STORE/Root/Entity/p12`, the root left out where
  /// it is the entity itself.
  public var description: String {
    // Core Data's form does not say the root.
    guard !rootEntityName.isEmpty else { return coreDataURI }
    let root = rootEntityName == entityName ? "" : "/\(rootEntityName)"
    return "x-oxbow://\(store.uuidString)\(root)/\(entityName)/p\(key)"
  }

  /// The ID as Core Data writes it: `x-coredata://STORE/Entity/p12`.
  public var coreDataURI: String { "x-coredata://\(store.uuidString)/\(entityName)/p\(key)" }

  /// Reads an ID from its URI, or from Core Data's, or returns `nil` if the text is neither.
  ///
  /// Core Data's does not say the root of the entity's hierarchy, which the model knows: give the
  /// ID to `object(with:)` or `existingObject(with:)`. It is equal to IDs that were read so, and to
  /// no object's own.
  public init?(_ description: String) {
    let schemes = ["x-oxbow://", "x-coredata://"]
    guard let scheme = schemes.first(where: description.hasPrefix) else { return nil }
    let isOwn = scheme == schemes[0]
    let parts = description.dropFirst(scheme.count)
      .split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3 || parts.count == 4 && isOwn, !parts.contains(""),
      let store = UUID(uuidString: String(parts[0])), let last = parts.last, last.first == "p",
      let key = Int64(last.dropFirst()), last == "p\(key)"
    else { return nil }
    self.init(
      store: store, rootEntityName: isOwn ? String(parts[1]) : "",
      entityName: String(parts[parts.count - 2]), key: key)
  }
}

extension ManagedObjectID: Codable {
  /// Reads an ID from its URI.
  ///
  /// - Throws: `DecodingError.dataCorrupted` when the text is not an ID.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let id = Self(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "'\(text)' is not an object ID (x-oxbow://STORE/Entity/p1)"
      )
    }
    self = id
  }

  /// Writes the ID as its URI.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
