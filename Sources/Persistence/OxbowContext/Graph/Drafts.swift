internal import OxbowModel
internal import OxbowStore

/// The rows and the first cells of objects that come one by one.
struct Drafts {
  private let model: CompiledModel

  /// The entity of the last request: an import asks for the same again and again.
  var lastEntity: (type: ManagedObject.Type, entity: CompiledEntity)?

  /// The first cells of new objects by entity, and those of drafts.
  private var cells: [Int: ContiguousArray<Overlay.Cell>] = [:]
  private var links: [Int: ContiguousArray<Overlay.Cell>] = [:]
  private var drafts: ContiguousArray<DraftRows>

  /// The slabs of rows that come one by one: of new objects that are not drafts, which have their
  /// keys there until they are saved, and of faults without a cohort.
  private var newRows: RowSlab?
  private var faults: RowSlab?

  init(of model: CompiledModel) {
    self.model = model
    drafts = ContiguousArray(repeating: .none, count: model.entities.count)
  }

  mutating func reset() {
    drafts = ContiguousArray(repeating: .none, count: model.entities.count)
    (newRows, faults) = (nil, nil)
  }

  mutating func slabForFault(_ owner: ContextToken) -> RowSlab {
    if let faults, faults.count < faults.capacity { return faults }
    let made = RowSlab(referencesOf: model, capacity: 1024, isCohort: false)
    made._owner = owner
    faults = made
    return made
  }

  mutating func slabForNewRow(_ owner: ContextToken) -> RowSlab {
    if let newRows, newRows.count < newRows.capacity { return newRows }
    let made = RowSlab(newRowsOf: model, capacity: 1024)
    made._owner = owner
    newRows = made
    return made
  }

  /// The slab for the row of a draft, or `nil` if the object cannot be one.
  mutating func slab(of entity: CompiledEntity, _ owner: ContextToken) -> RowSlab? {
    if case .slab(let slab) = drafts[entity.index], slab.count < slab.capacity { return slab }
    return makeSlab(of: entity, owner)
  }

  @inline(never)
  private mutating func makeSlab(of entity: CompiledEntity, _ owner: ContextToken) -> RowSlab? {
    if case .impossible = drafts[entity.index] { return nil }
    guard entity.canHaveDrafts,
      let made = RowSlab.drafts(
        of: entity, in: model, capacity: drafts[entity.index].nextCapacity)
    else {
      drafts[entity.index] = .impossible
      return nil
    }
    made._owner = owner
    drafts[entity.index] = .slab(made)
    return made
  }

  /// The cells of a new object: default values, no object, no members.
  mutating func cells(of entity: CompiledEntity) -> ContiguousArray<Overlay.Cell> {
    if let known = cells[entity.index] { return known }
    let made = ContiguousArray(
      entity.properties.map { property -> Overlay.Cell in
        switch property.kind {
        case .attribute(let attribute) where attribute.derivation != nil: .null
        case .attribute(let attribute): attribute.defaultValue.map { .attribute($0) } ?? .null
        case .relationship(let relationship):
          relationship.isToMany ? .collection(CollectionState(members: MemberList())) : .null
        }
      })
    cells[entity.index] = made
    return made
  }

  /// The cells of a draft: no object, no members.
  mutating func links(of entity: CompiledEntity) -> ContiguousArray<Overlay.Cell> {
    if let known = links[entity.index] { return known }
    let made = ContiguousArray(
      zip(entity.properties, cells(of: entity)).map { property, cell in
        property.relationship == nil ? .unchanged : cell
      })
    links[entity.index] = made
    return made
  }
}

/// The rows of the next new objects of an entity.
private enum DraftRows {
  /// No object was made so far.
  case none
  /// The slab of the next row, if it has room.
  case slab(RowSlab)
  /// Objects of the entity cannot be drafts.
  case impossible

  /// The number of rows of the next slab: many contexts make one object, and some make many.
  var nextCapacity: Int {
    if case .slab(let slab) = self { min(4 * slab.capacity, 1024) } else { 15 }
  }
}
