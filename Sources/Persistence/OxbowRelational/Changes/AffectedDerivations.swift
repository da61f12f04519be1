package import OxbowModel
package import OxbowStore

/// The objects whose derived attributes a save may change.
///
/// What is affected is found from both sides of the save: the objects that led to a changed object
/// before, and those that lead to one now.
package struct AffectedDerivations {
  package let derivations: [CompiledDerivation]

  /// For each derivation, the keys of the objects that are computed anew.
  package var keys: [Set<Int64>]

  /// For each derivation and each of its steps, the keys of objects at the step's end that changed.
  package private(set) var ends: [[Set<Int64>]]

  /// Finds what a change set affects, but for the objects that only lead to what it changes.
  package init(_ changes: ChangeSet, _ model: CompiledModel) {
    derivations = model.derivations
    keys = derivations.map { _ in [] }
    ends = derivations.map { $0.steps.map { _ in [] } }
    for index in derivations.indices { collect(changes, index, model) }
  }

  /// Whether nothing has to be computed.
  package var isEmpty: Bool {
    keys.allSatisfy(\.isEmpty) && ends.allSatisfy { $0.allSatisfy(\.isEmpty) }
  }
}

// MARK: - What changed

extension AffectedDerivations {
  private mutating func collect(_ changes: ChangeSet, _ index: Int, _ model: CompiledModel) {
    let derivation = derivations[index]
    let subtree = Set(derivation.entity.subtree)
    for insert in changes.inserts where subtree.contains(insert.entity) {
      keys[index].insert(insert.key)
    }
    collectUpdates(changes.updates, index, subtree, model)
    for (step, relationship) in derivation.steps.enumerated() {
      let far = Set(model.entities[relationship.destination].subtree)
      for delete in changes.deletes where far.contains(delete.entity) {
        ends[index][step].insert(delete.key)
      }
      collectLinks(changes.unlinks, index, step, relationship, model)
      collectLinks(changes.links, index, step, relationship, model)
    }
  }

  private mutating func collectUpdates(
    _ updates: [ChangeSet.Update], _ index: Int, _ subtree: Set<Int>, _ model: CompiledModel
  ) {
    let derivation = derivations[index]
    guard let source = derivation.source else {
      if case .now = derivation.end {
        for update in updates where subtree.contains(update.entity) {
          keys[index].insert(update.key)
        }
      }
      return
    }
    let last = derivation.steps.last.map { Set(model.entities[$0.destination].subtree) } ?? subtree
    for update in updates
    where last.contains(update.entity)
      && update.values.contains(where: { $0.property == source.index })
    {
      add(update.key, index, derivation.steps.count)
    }
  }

  private mutating func collectLinks(
    _ links: [ChangeSet.Link], _ index: Int, _ step: Int, _ relationship: CompiledRelationship,
    _ model: CompiledModel
  ) {
    let inverse = model.inverse(of: relationship)?.id
    for link in links {
      if link.relationship == relationship.id {
        add(link.owner.key, index, step)
        add(link.member.key, index, step + 1)
      }
      if link.relationship == inverse {
        add(link.member.key, index, step)
        add(link.owner.key, index, step + 1)
      }
    }
  }

  /// Adds an object before the first step (0) or at the end of a step (1 and more).
  private mutating func add(_ key: Int64, _ index: Int, _ level: Int) {
    if level == 0 {
      keys[index].insert(key)
    } else {
      ends[index][level - 1].insert(key)
    }
  }
}

extension PersistenceError {
  /// A derived value that its attribute cannot have.
  package static func underivable(
    _ derivation: CompiledDerivation, _ seen: String, _ objects: [ManagedObjectID]
  ) -> PersistenceError {
    let owner = objects.first.map { "'\($0)'" } ?? "an object of '\(derivation.entity.name)'"
    let text = derivation.property.attribute?.derivation ?? ""
    return PersistenceError(
      .validation,
      "'\(derivation.property.name)' of \(owner), which is derived from '\(text)', \(seen); nothing "
        + "was saved", objectIDs: objects)
  }
}
