internal import OxbowModel
internal import OxbowStore

/// What keeps the two ends of relationships in line, and which links lead to deleted objects.
struct Inverses {
  private let model: CompiledModel

  /// For each entity, the to-one relationships that are compared with the other end when a row
  /// arrives.
  var watched: ContiguousArray<[CompiledProperty]>

  /// Counts the moments since which a member of a loaded collection may lead elsewhere.
  private(set) var confirmation = 0

  /// For objects with an edited to-one end, the objects whose rows have arrived since and lead to
  /// them: once the edit is taken back, these rows decide.
  var overtaken: [ObjectReference: [(property: CompiledProperty, reference: ObjectReference)]] = [:]

  /// The objects deleted since the last save to which relationships without inverse may lead, and
  /// the number of them for which the links in memory have been searched.
  private(set) var deletedTargets: Set<ObjectReference> = []
  var searchedTargets = 0

  /// The links without inverse that ended because the next save deletes their objects, by object.
  var untiedLinks: [ObjectReference: [UntiedLink]] = [:]

  init(of model: CompiledModel) {
    self.model = model
    watched = model.oneToOnes
  }

  /// Makes collections ask the other ends of their members when they are next read: one may lead
  /// elsewhere.
  mutating func doubt() { confirmation += 1 }

  mutating func noteDeletion(of object: ManagedObject) {
    if !model.referrers[object.entityIndex].isEmpty { deletedTargets.insert(object.reference) }
  }

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

/// A link without inverse that ended because the next save deletes its member.
struct UntiedLink {
  let owner: ManagedObject
  let property: CompiledProperty
  let wasEdit: Bool
  let slab: RowSlab
  let row: Int32
}
