internal import OxbowModel
internal import OxbowStore

/// What keeps the two ends of relationships in line, and what is deleted out of sight.
struct Inverses {
  private let model: CompiledModel

  /// For each entity, the to-one relationships that are compared with the other end when a row
  /// arrives.
  var watched: ContiguousArray<[CompiledProperty]>

  /// Counts the moments from which a member of a loaded collection may lead elsewhere.
  private(set) var confirmation = 0

  /// For objects with an edited to-one end, the objects whose rows arrived since and lead to them:
  /// once the edit is taken back, these rows decide.
  var overtaken: [ObjectReference: [(property: CompiledProperty, reference: ObjectReference)]] = [:]

  /// The objects deleted since the last save to which relationships without inverse may lead, and
  /// how many of them the links in memory have been searched for.
  private(set) var deletedTargets: Set<ObjectReference> = []
  var searchedTargets = 0

  /// The links without inverse that ended because the next save deletes what they led to, by that
  /// object.
  var untiedLinks: [ObjectReference: [UntiedLink]] = [:]

  init(of model: CompiledModel) {
    self.model = model
    watched = model.oneToOnes
  }

  /// From now on, a collection asks the other ends of its members when it is next read: one of them
  /// may lead elsewhere.
  mutating func doubt() { confirmation += 1 }

  /// Remembers that an object is to be deleted.
  mutating func noteDeletion(of object: ManagedObject) {
    if !model.referrers[object.entityIndex].isEmpty { deletedTargets.insert(object.reference) }
  }

  /// Remembers that it is not any more.
  mutating func takeBackDeletion(of reference: ObjectReference) {
    if deletedTargets.remove(reference) != nil { searchedTargets = 0 }
  }

  /// After a save or a rollback.
  mutating func forget() {
    doubt()
    deletedTargets = []
    searchedTargets = 0
    untiedLinks = [:]
  }

  /// All objects are forgotten.
  mutating func reset() {
    watched = model.oneToOnes
    overtaken = [:]
  }

  /// Goes back to an earlier moment; what was compared since is compared again.
  mutating func restore(_ earlier: Inverses) {
    forget()
    deletedTargets = earlier.deletedTargets
    untiedLinks = earlier.untiedLinks
    overtaken = earlier.overtaken
  }
}

/// A link without inverse that ended because its member is to be deleted.
struct UntiedLink {
  let owner: ManagedObject
  let property: CompiledProperty
  /// Whether it was an unsaved change.
  let wasEdit: Bool
  /// The row that the owner had.
  let slab: RowSlab
  let row: Int32
}
