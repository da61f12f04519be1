internal import Synchronization

/// A model compiled for use: entities and properties by dense indices, and the layout of rows.
///
/// A compiled model is immutable and shared by everything that works on one store. The indices are
/// valid within one compiled model only: a store keeps numbers of its own, read when it is opened.
public final class CompiledModel: Sendable {
  /// The description that was compiled.
  public let source: ManagedObjectModel

  /// The model's version hash, which is computed when it is first asked for.
  public var versionHash: String {
    hash.withLock { hash in
      if let hash { return hash }
      let new = source.versionHash
      hash = new
      return new
    }
  }

  private let hash = Mutex<String?>(nil)

  /// The entities by dense index; the parent of an entity has a smaller index.
  package let entities: [CompiledEntity]

  /// For each entity and each property of its class, the word of the row that has the value.
  package let slotTable: SlotTable

  /// For each entity, its to-one relationships whose inverse is also a to-one.
  package let oneToOnes: ContiguousArray<[CompiledProperty]>

  /// For each entity, the relationships without inverse that may lead to its objects.
  package let referrers: ContiguousArray<[CompiledProperty]>

  /// For each entity, what the deletion of one of its objects looks at.
  package let deletionPlans: ContiguousArray<DeletionPlan>

  /// The derived attributes, which the store computes.
  package let derivations: [CompiledDerivation]
  package let hasDerivations: Bool

  /// Whether there are composite attributes, so that a path may be the name of a part.
  let hasComposites: Bool

  private let indices: [String: Int]

  package init(
    model: ManagedObjectModel, entities: [CompiledEntity], slotTable: SlotTable
  ) {
    oneToOnes = CompiledEntity.oneToOnes(of: entities)
    referrers = CompiledEntity.referrers(in: entities)
    deletionPlans = DeletionPlan.all(of: entities)
    derivations = CompiledDerivation.all(of: entities)
    hasDerivations = !derivations.isEmpty
    hasComposites = entities.contains { $0.properties.contains { $0.isComposite } }
    self.source = model
    self.entities = entities
    self.slotTable = slotTable
    self.indices = Dictionary(
      entities.map { ($0.name, $0.index) }, uniquingKeysWith: { first, _ in first })
  }

  package func entity(named name: String) -> CompiledEntity? { indices[name].map { entities[$0] } }

  package func requireEntity(named name: String) throws(PersistenceError) -> CompiledEntity {
    if let found = entity(named: name) { return found }
    throw .unknownEntity(name, among: entities.map(\.name))
  }

  /// The entity of `id`, or `nil` when it is unknown here.
  package func entity(of id: ManagedObjectID) -> CompiledEntity? { entity(named: id.entityName) }

  /// The property of a relationship, in the entity that declares it; entities below have it at the
  /// same index.
  package func property(_ id: RelationshipID) -> CompiledProperty {
    entities[id.entity].properties[id.property]
  }

  /// The relationship at the other end, or `nil` when `relationship` has no inverse.
  package func inverse(of relationship: CompiledRelationship) -> CompiledRelationship? {
    guard let inverse = relationship.inverse else { return nil }
    return entities[relationship.destination].properties[inverse].relationship
  }

  /// The property at the other end, or `nil` when `property` is not a relationship or has no
  /// inverse.
  package func inverse(of property: CompiledProperty) -> CompiledProperty? {
    guard let relationship = property.relationship, let inverse = relationship.inverse else {
      return nil
    }
    return entities[relationship.destination].properties[inverse]
  }
}

package final class CompiledEntity: Sendable {
  /// The dense index, and the entity's name.
  package let index: Int
  package let name: String

  package let description: EntityDescription

  /// The index of the entity that it inherits from, and of the root of its hierarchy.
  package let parent: Int?
  package let root: Int

  /// The entity itself and all below it; and those of them that can have objects.
  package let subtree: [Int]
  package let concrete: [Int]

  /// All properties by dense index: inherited ones first, so that an index means the same property
  /// in every entity below, then its own, sorted by name.
  package let properties: [CompiledProperty]

  /// The number of 64-bit words that a row of this entity takes.
  package let slotCount: Int

  /// The class of its objects, or `nil` for plain managed objects.
  package let binding: (any ModelObject.Type)?

  package let relationships: [CompiledProperty]

  /// Whether objects keep something in memory that their rows do not have: loaded collections,
  /// transient attributes.
  package let hasMemory: Bool

  /// Whether it has derived attributes, whose values change without a new version of the row.
  package let hasDerivations: Bool

  /// Whether the attributes of a new object can be kept in a row: none of them lives in memory
  /// only, or is computed by the store.
  package let canHaveDrafts: Bool

  /// For each property, what makes a value of it valid without further checks.
  package let valueRules: [ValueRule]

  /// What words of a row must be to be valid without further checks; `nil` where each value needs
  /// them.
  package let rowChecks: ContiguousArray<RowCheck>?

  private let indices: [String: Int]

  package init(
    index: Int, description: EntityDescription, parent: Int?, root: Int, subtree: [Int],
    concrete: [Int], properties: [CompiledProperty], slotCount: Int,
    binding: (any ModelObject.Type)?
  ) {
    self.index = index
    self.name = description.name
    self.description = description
    self.parent = parent
    self.root = root
    self.subtree = subtree
    self.concrete = concrete
    self.properties = properties
    self.slotCount = slotCount
    self.binding = binding
    self.relationships = properties.filter { $0.relationship != nil }
    self.valueRules = properties.map { ValueRule(of: $0) }
    self.rowChecks = RowCheck.all(for: properties)
    self.hasMemory = properties.contains { $0.slot < 0 }
    self.hasDerivations = properties.contains { $0.attribute?.derivation != nil }
    self.canHaveDrafts = properties.allSatisfy {
      $0.relationship != nil || $0.attribute?.derivation == nil && ($0.slot >= 0 || $0.isComposite)
    }
    self.indices = Dictionary(
      properties.map { ($0.name, $0.index) }, uniquingKeysWith: { first, _ in first })
  }

  package var isAbstract: Bool { description.isAbstract }

  package func property(named name: some StringProtocol) -> CompiledProperty? {
    indices[String(name)].map { properties[$0] }
  }

  package func requireProperty(named name: String) throws(PersistenceError) -> CompiledProperty {
    if let found = property(named: name) { return found }
    throw .unknownProperty(name, of: self.name, among: properties.map(\.name))
  }

  /// Whether this entity is `other` or inherits from it.
  package func isKind(of other: CompiledEntity) -> Bool { other.subtree.contains(index) }
}

package final class CompiledProperty: Sendable {
  package let name: String

  /// The dense index in its entity and in all entities below.
  package let index: Int

  package let declaringEntity: Int

  /// The word of a row that has the value, or -1 for what has none: transient attributes,
  /// to-many relationships.
  package let slot: Int

  package let kind: Kind

  /// The relationship, if it is one; stored, because each walk asks.
  package let relationship: CompiledRelationship?

  package enum Kind: Sendable {
    case attribute(AttributeDescription)
    case relationship(CompiledRelationship)
  }

  package init(name: String, index: Int, declaringEntity: Int, slot: Int, kind: Kind) {
    self.name = name
    self.index = index
    self.declaringEntity = declaringEntity
    self.slot = slot
    self.kind = kind
    relationship = if case .relationship(let relationship) = kind { relationship } else { nil }
  }

  package var attribute: AttributeDescription? {
    if case .attribute(let attribute) = kind { attribute } else { nil }
  }

  /// Whether it is a composite attribute, whose parts are attributes of their own.
  package var isComposite: Bool { attribute?.type == .composite }

  /// Whether its values may be in files beside the store.
  package var isExternal: Bool { attribute?.allowsExternalStorage == true }

  package var mayBeEmpty: Bool {
    switch kind {
    case .attribute(let attribute): attribute.isOptional
    case .relationship(let relationship): relationship.mayBeEmpty
    }
  }
}

package final class CompiledRelationship: Sendable {
  package let description: RelationshipDescription

  /// The entity that declares it and its property index there.
  package let entity: Int
  package let property: Int

  /// The entity at the other end, and there the property index of the inverse.
  package let destination: Int
  package let inverse: Int?

  /// The word of a row that has the concrete entity of a to-one relationship's object, or -1
  /// when the destination has no entities below it.
  package let entitySlot: Int

  /// Where its links are kept.
  package let storage: RelationshipStorage

  /// Whether both ends lead to one object at most, so that each has a key of its own.
  package let isOneToOne: Bool

  package var name: String { description.name }
  package var isToMany: Bool { description.isToMany }
  package var isOrdered: Bool { description.isOrdered && description.isToMany }

  /// Whether a to-many relationship may lead to any number of objects.
  package var allowsAnyCount: Bool {
    description.minimumCount <= 0 && description.maximumCount <= 0
  }
  package var mayBeEmpty: Bool { description.mayBeEmpty }
  package var deleteRule: DeleteRule { description.deleteRule }

  /// Whether links are rows of their own.
  package var isJoined: Bool { storage == .joinRows || storage == .joinRowsOfInverse }

  /// Whether deleting an object changes its links.
  package var isChangedByDeletion: Bool { deleteRule != .noAction || isJoined }

  /// The relationship as a key: its declaring entity and its property index.
  package var id: RelationshipID { RelationshipID(entity: entity, property: property) }

  package init(
    description: RelationshipDescription, entity: Int, property: Int, destination: Int,
    inverse: Int?, entitySlot: Int, storage: RelationshipStorage, isOneToOne: Bool
  ) {
    self.description = description
    self.entity = entity
    self.property = property
    self.destination = destination
    self.inverse = inverse
    self.entitySlot = entitySlot
    self.storage = storage
    self.isOneToOne = isOneToOne
  }
}

package struct RelationshipID: Hashable, Sendable {
  /// The declaring entity and the property index there.
  package let entity: Int
  package let property: Int

  package init(entity: Int, property: Int) { (self.entity, self.property) = (entity, property) }
}

/// Where the links of a relationship are kept.
///
/// One end of each pair of inverses is canonical: link changes are expressed from it.
package enum RelationshipStorage: Sendable, Hashable {
  /// In a key of the object's own row, and this end is canonical.
  case ownKey
  /// In a key of the object's own row, but the inverse, also a to-one, is canonical.
  case ownKeyOfInverse
  /// In a key of the rows at the other end; the inverse, a to-one, is canonical.
  case inverseKey
  /// In rows of their own (many-to-many, or to-many without inverse), and this end is canonical.
  case joinRows
  /// In rows of their own, and the inverse is canonical.
  case joinRowsOfInverse

  package var isCanonical: Bool { self == .ownKey || self == .joinRows }
}

/// The word of each property of each class: one flat table, so that an accessor finds its value
/// with two loads.
package final class SlotTable: @unchecked Sendable {
  // Sendable by argument: the memory is written in `init` only.

  /// The table; entity `e`'s part begins at `starts[e]` and follows the order of its class's
  /// accessors, or of its properties when it has no class.
  package let words: UnsafePointer<Int32>

  /// Likewise, the property index of each accessor.
  package let properties: UnsafePointer<Int32>

  /// Where each entity's part begins.
  package let starts: [Int32]

  package init(parts: [[(slot: Int, property: Int)]]) {
    let all = parts.flatMap { $0 }
    let words = UnsafeMutablePointer<Int32>.allocate(capacity: max(1, all.count))
    let properties = UnsafeMutablePointer<Int32>.allocate(capacity: max(1, all.count))
    for (i, part) in all.enumerated() {
      words[i] = Int32(part.slot)
      properties[i] = Int32(part.property)
    }
    var starts: [Int32] = []
    var start: Int32 = 0
    for part in parts {
      starts.append(start)
      start += Int32(part.count)
    }
    self.words = UnsafePointer(words)
    self.properties = UnsafePointer(properties)
    self.starts = starts
  }

  deinit {
    words.deallocate()
    properties.deallocate()
  }
}
