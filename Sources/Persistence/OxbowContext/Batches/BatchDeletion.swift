internal import OxbowModel
internal import OxbowStore

/// Plans the deletion of rows by the delete rules, from keys and rows of the store.
///
/// The plan is a change set, whose versions and foreign keys the store checks when it is applied.
struct BatchDeletion {
  private let context: ManagedObjectContext
  private let store: any PersistentStore
  private let model: CompiledModel

  /// The objects to delete, by root entity and key, and in the order in which they were found, with
  /// the versions for which that was decided.
  private var deleted: Set<ObjectReference> = []
  private var order: [Found] = []

  /// A row that was found.
  private struct Found {
    let object: ObjectReference
    let version: Int64
  }

  /// The objects that lose a link, with their versions.
  private var losing: [ObjectReference: Int64] = [:]
  private var unlinks: [ChangeSet.Link] = []

  /// The objects that deny a deletion, unless they are deleted too.
  private var denials:
    [(relationship: CompiledRelationship, owner: Int64, member: ObjectReference)] =
      []

  /// The objects that need one that they would lose, unless they are deleted too.
  private var needs: [(relationship: CompiledRelationship, member: ObjectReference)] = []

  init(in context: ManagedObjectContext) {
    self.context = context
    (store, model) = (context.primaryStore, context.model)
  }

  /// Finds all objects that are deleted with those of a fetch.
  mutating func collect(_ fetch: StoreFetch) throws(PersistenceError) {
    var level: [Found] = []
    // The rest of the rows is not needed.
    let headers = RowFilter(count: .max) { _, _, _ in true }
    for slab in try store.rows(of: fetch, unless: headers) {
      for row in 0..<slab.count {
        level.append(Found(object: slab.reference(at: row), version: slab._version(row)))
      }
    }
    for entity in Set(level.map(\.object.entity)) { try requireUncounted(model.entities[entity]) }
    while !level.isEmpty {
      let fresh = level.filter { deleted.insert(context.identity.root($0.object)).inserted }
      order += fresh
      level = []
      for (entity, group) in fresh.map(\.object).grouped(by: \.entity) {
        level += try follow(model.entities[entity], group.map(\.key))
      }
    }
    try check()
  }

  var changes: ChangeSet {
    var changes = ChangeSet()
    changes.deletes = order.map {
      ChangeSet.Delete(entity: $0.object.entity, key: $0.object.key, version: $0.version)
    }
    changes.unlinks = unlinks.filter { !isDeleted($0.owner) || !isDeleted($0.member) }
    changes.updates = losing.filter { !isDeleted($0.key) }
      .sorted { $0.key.precedes($1.key) }
      .map {
        ChangeSet.Update(entity: $0.key.entity, key: $0.key.key, version: $0.value, values: [])
      }
    return changes
  }

  private func isDeleted(_ reference: ObjectReference) -> Bool {
    deleted.contains(context.identity.root(reference))
  }

  /// Refuses objects of which others need a number: a batch does not count the rest.
  ///
  /// `cascade` is the relationship of the deleted objects that leads to them: if it is the only one
  /// of theirs, no other object loses them by it.
  private func requireUncounted(
    _ entity: CompiledEntity, besides cascade: CompiledRelationship? = nil
  ) throws(PersistenceError) {
    for property in entity.relationships {
      guard let inverse = model.inverse(of: property), let relationship = inverse.relationship,
        relationship.isToMany, relationship.description.minimumCount > 0
      else { continue }
      let isOfDeleted = property.relationship?.isToMany == false
      if isOfDeleted, relationship.id == cascade?.id { continue }
      throw PersistenceError(
        .unsupported,
        "a batch cannot delete objects of '\(entity.name)': '\(inverse.name)' of "
          + "'\(model.entities[relationship.id.entity].name)' has to lead to a number of them, which a "
          + "save counts and a batch does not; delete them with delete(_:) and save")
    }
  }

  /// Follows the relationships of an entity for the deletion of some of its objects.
  ///
  /// - Returns: The objects that a cascade deletes.
  private mutating func follow(
    _ entity: CompiledEntity, _ keys: [Int64]
  ) throws(PersistenceError) -> [Found] {
    var cascaded: [Found] = []
    var rows: [RowSlab]?
    for property in entity.relationships {
      guard let relationship = property.relationship, context.concerns(relationship) else {
        continue
      }
      let found: [Found]
      if property.slot >= 0 {
        if rows == nil { rows = try store.rows(of: entity.index, keys: keys) }
        found = try follow(property, relationship, rows ?? [])
      } else {
        found = try follow(relationship, keys)
      }
      for entity in Set(found.map(\.object).filter { !isDeleted($0) }.map(\.entity)) {
        try requireUncounted(model.entities[entity], besides: relationship)
      }
      cascaded += found
    }
    return cascaded
  }

  /// Follows a to-one relationship with a key in the deleted rows.
  private mutating func follow(
    _ property: CompiledProperty, _ relationship: CompiledRelationship, _ rows: [RowSlab]
  ) throws(PersistenceError) -> [Found] {
    var owners: [ObjectReference: ObjectReference] = [:]
    for slab in rows {
      for row in 0..<slab.count {
        if let target = slab.reference(row, property) {
          owners[context.identity.root(target)] = slab.reference(at: row)
        }
      }
    }
    let destination = relationship.destination
    var cascaded: [Found] = []
    for slab in try store.rows(of: destination, keys: owners.keys.map(\.key)) {
      for row in 0..<slab.count {
        let member = slab.reference(at: row)
        guard let owner = owners[context.identity.root(member)] else { continue }
        let version = slab._version(row)
        if relationship.deleteRule == .cascade {
          cascaded.append(.init(object: member, version: version))
        }
        lead(relationship, from: owner, to: member, version)
      }
    }
    return cascaded
  }

  private mutating func follow(
    _ relationship: CompiledRelationship, _ keys: [Int64]
  ) throws(PersistenceError) -> [Found] {
    let related = try store.rows(related: relationship.id, to: keys)
    var cascaded: [Found] = []
    for (owner, positions) in related.members.sorted(by: { $0.key < $1.key }) {
      let owner = ObjectReference(entity: relationship.entity, key: owner)
      for position in positions {
        let slab = related.slabs[position.slab]
        let member = slab.reference(at: position.row)
        let version = slab._version(position.row)
        if relationship.deleteRule == .cascade {
          cascaded.append(.init(object: member, version: version))
        }
        lead(relationship, from: owner, to: member, version)
      }
    }
    return cascaded
  }

  /// Notes the effect of a link on the object at its other end, in case it stays.
  private mutating func lead(
    _ relationship: CompiledRelationship, from owner: ObjectReference, to member: ObjectReference,
    _ version: Int64
  ) {
    if relationship.deleteRule == .deny { denials.append((relationship, owner.key, member)) }
    guard relationship.deleteRule == .nullify, !relationship.isJoined,
      let inverse = model.inverse(of: relationship)
    else { return }
    if !inverse.mayBeEmpty { needs.append((inverse, member)) }
    // The version for which the first of its links was found: a later one may be of other links.
    if losing[member] == nil { losing[member] = version }
    unlinks.append(model.link(relationship, from: owner, to: member))
  }

  private func check() throws(PersistenceError) {
    var problems: [PersistenceError] = []
    for (relationship, key, member) in denials where !isDeleted(member) {
      let owner = context.coordinator.id(
        of: ObjectReference(entity: relationship.entity, key: key))
      let blocker = context.coordinator.id(of: member)
      problems.append(
        .validation(
          "'\(owner)' was not deleted: the rule of '\(relationship.name)' is deny, and it leads to "
            + "'\(blocker)'; delete or untie that as well",
          rule: .deny, property: relationship.name, object: owner, objectIDs: [owner, blocker]))
    }
    for (relationship, member) in needs where !isDeleted(member) {
      let id = context.coordinator.id(of: member)
      problems.append(
        .validation(
          "'\(relationship.name)' of '\(id)' would lead to no object of "
            + "'\(relationship.description.destination)', but has to; delete '\(id)' as well, or "
            + "lead it elsewhere first",
          rule: .required, property: relationship.name, object: id))
    }
    guard !problems.isEmpty else { return }
    throw .collecting(
      .validation, "nothing was deleted: \(problems.count) rules of the model would be broken",
      problems)
  }
}

extension ManagedObjectContext {
  /// Whether the deletion of an object affects the objects at the other end.
  fileprivate func concerns(_ relationship: CompiledRelationship) -> Bool {
    switch relationship.deleteRule {
    case .cascade, .deny: return true
    case .noAction: return false
    case .nullify:
      // A link in a row of its own is deleted with its objects, and a key with its row.
      return relationship.storage == .inverseKey || relationship.isOneToOne
    }
  }
}
