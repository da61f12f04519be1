public import OxbowFoundation
public import OxbowModel

/// Everything that an ``AtomicStore`` has.
public struct AtomicStoreContents: Sendable, Hashable, Codable {
  /// The description of the store.
  public var metadata: AtomicStoreMetadata

  /// The objects; Oxbow gives them in the order of their hierarchies and keys.
  public var objects: [AtomicStoreObject]

  /// Creates contents.
  public init(metadata: AtomicStoreMetadata, objects: [AtomicStoreObject] = []) {
    self.metadata = metadata
    self.objects = objects
  }
}

/// The changes of a save in an ``AtomicStore``.
public struct AtomicStoreChanges: Sendable, Hashable {
  /// The new description of the store, to be kept with each save.
  public var metadata: AtomicStoreMetadata

  /// The objects that are new or have changed in any way, whole and as they are now.
  ///
  /// An object has also changed if another one begins or ceases to lead to it.
  public var changed: [AtomicStoreObject]

  /// The objects that are gone.
  public var deleted: [AtomicStoreObject.ID]

  /// Creates changes.
  public init(
    metadata: AtomicStoreMetadata, changed: [AtomicStoreObject] = [],
    deleted: [AtomicStoreObject.ID] = []
  ) {
    self.metadata = metadata
    self.changed = changed
    self.deleted = deleted
  }
}

/// An object as an ``AtomicStore`` keeps it.
public struct AtomicStoreObject: Sendable, Hashable, Identifiable {
  /// The object's own entity and its key.
  public var id: ID

  /// The version of its row: 1 for a new object, and more after each save that changes its values.
  public var version: Int64

  /// The values of its attributes by name; those without a value are left out.
  ///
  /// The parts of composite attributes have paths, like `place.x`. A transformable attribute has
  /// the bytes of its value. Derived attributes have values too; missing ones are computed when the
  /// store is opened.
  public var attributes: [String: AttributeValue]

  /// The keys of the objects that its relationships lead to, by name.
  ///
  /// A to-one relationship has one, an ordered one has them in order, and one that leads nowhere is
  /// left out.
  ///
  /// Oxbow gives a link at both of its ends. A store may return it at only one of them; if both
  /// ends name links, they must agree.
  public var relationships: [String: [Int64]]

  /// Creates an object.
  public init(
    _ id: ID, version: Int64 = 1, attributes: [String: AttributeValue] = [:],
    relationships: [String: [Int64]] = [:]
  ) {
    self.id = id
    self.version = version
    self.attributes = attributes
    self.relationships = relationships
  }

  /// The identity of an object in its store.
  public struct ID: Sendable, Hashable, Codable {
    /// The name of the object's own entity, which never changes.
    public var entity: String

    /// The key, from 1: unique among the objects of all entities with the same root, and never used
    /// again.
    public var key: Int64

    /// Creates an ID.
    public init(entity: String, key: Int64) {
      self.entity = entity
      self.key = key
    }
  }
}

/// The description of an ``AtomicStore``: kept as a whole and returned as it was.
public struct AtomicStoreMetadata: Sendable, Hashable, Codable {
  /// The store's identifier, a part of each object's ID.
  public var identifier: UUID

  /// The version hashes of the entities that the store was saved for, by name.
  ///
  /// A store opens with the same entities only.
  public var versionHashes: [String: String]

  /// The largest key that may have been used, for the names of root entities.
  public var lastKeys: [String: Int64]

  /// The program's own values (`setMetadata(_:for:)`), kept as whole numbers, numbers, texts and
  /// bytes.
  public var values: [String: AttributeValue]

  /// Creates metadata.
  public init(
    identifier: UUID, versionHashes: [String: String], lastKeys: [String: Int64] = [:],
    values: [String: AttributeValue] = [:]
  ) {
    self.identifier = identifier
    self.versionHashes = versionHashes
    self.lastKeys = lastKeys
    self.values = values
  }

  /// Creates the metadata of a store that nothing was saved to yet, for contents that something
  /// else has written.
  public init(for model: ManagedObjectModel, identifier: UUID = UUID()) {
    self.init(
      identifier: identifier,
      versionHashes: Dictionary(
        model.entities.map { ($0.name, $0.versionHash) }, uniquingKeysWith: { first, _ in first }))
  }
}

extension AtomicStoreObject: Codable {
  private enum Field: String, CodingKey {
    case entity, key, version, attributes, relationships
  }

  /// Reads an object as ``encode(to:)`` writes it.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Field.self)
    self.init(
      ID(
        entity: try fields.decode(String.self, forKey: .entity),
        key: try fields.decode(Int64.self, forKey: .key)),
      version: try fields.decode(Int64.self, forKey: .version),
      attributes: try fields.decodeIfPresent(
        [String: AttributeValue].self, forKey: .attributes) ?? [:],
      relationships: try fields.decodeIfPresent(
        [String: [Int64]].self, forKey: .relationships) ?? [:])
  }

  /// Writes `entity`, `key`, `version`, and `attributes` and `relationships` unless they are empty.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Field.self)
    try fields.encode(id.entity, forKey: .entity)
    try fields.encode(id.key, forKey: .key)
    try fields.encode(version, forKey: .version)
    if !attributes.isEmpty { try fields.encode(attributes, forKey: .attributes) }
    if !relationships.isEmpty { try fields.encode(relationships, forKey: .relationships) }
  }
}
