internal import OxbowModel
internal import OxbowStore

// After a save, the written values become the rows of the changed objects.

extension ManagedObjectContext {
  /// Gives changed objects the written rows, expels the deleted ones, and counts.
  ///
  /// `found` are the rows that updates without a version have changed.
  func takeOver(_ changes: ChangeSet, _ found: [RowSlab]) {
    if !found.isEmpty { takeOver(found, changes) }
    statistics.saves += changes.isEmpty ? 0 : 1
    statistics.inserted += changes.inserts.count
    statistics.updated += changes.updates.count
    statistics.deleted += changes.deletes.count
    expelDeleted()
    var writer = RowWriter(model: model, owner: token, capacity: 256)
    takeOverInserted(&writer)
    let rewritten = Dictionary(
      changes.inserts.lazy.filter { $0.version != RowVersion.first }
        .map { ($0.reference, $0.version) },
      uniquingKeysWith: { first, _ in first })
    let updated = Set(changes.updates.map(\.reference))
    for object in unsaved.updated {
      let isWritten = updated.contains(object.reference)
      object.takeOverEdits(
        to: &writer,
        version: isWritten ? RowVersion.next(after: object.version) : rewritten[object.reference])
    }
    forgetChanges()
  }

  /// Points the objects of updates without a version to the rows that the save has found.
  private func takeOver(_ found: [RowSlab], _ changes: ChangeSet) {
    let versions = Dictionary(
      changes.updates.lazy.filter { !$0.checksVersion }
        .map { ($0.reference, $0.version) },
      uniquingKeysWith: { first, _ in first })
    for slab in found {
      slab._owner = token
      for row in 0..<slab.count {
        guard let version = versions[slab.reference(at: row)], version != slab._version(row),
          let object = registered(slab.reference(at: row))
        else { continue }
        takeOver((slab, row), at: object)
      }
    }
  }

  /// Gives objects the derived values that the save has changed.
  ///
  /// The rows keep their versions: a derived value is not a change of an object.
  func takeOver(_ derived: [DerivedValue]) {
    // By object, so that each is written once, whichever entity a store names it by.
    var cells: [ObjectIdentifier: (object: ManagedObject, new: [Int: RowWriter.Cell])] = [:]
    for value in derived {
      guard let object = registered(value.object),
        object._state.isDisjoint(with: [.fault, .inaccessible])
      else { continue }
      cells[ObjectIdentifier(object), default: (object, [:])].new[value.property] =
        value.value.map { .attribute($0) } ?? .null
    }
    var writer = RowWriter(model: model, owner: token, capacity: min(cells.count, 256))
    for (object, new) in cells.values {
      object.write(to: &writer, version: object.version) { new[$0.index] ?? .unchanged }
    }
  }

  /// Gives objects the versions that the save has raised without an update of them.
  ///
  /// An object whose row others have changed too keeps its version, so that its next save finds the
  /// conflict. A set without inverse may have lost members to another one.
  func takeOver(_ raised: [RaisedVersion]) {
    var writer = RowWriter(model: model, owner: token, capacity: min(raised.count, 256))
    for row in raised {
      guard let object = registered(row.object) else { continue }
      if object._state.isDisjoint(with: [.fault, .inaccessible]),
        RowVersion.next(after: object.version) == row.version
      {
        object.write(to: &writer, version: row.version) { _ in .unchanged }
      }
      forgetMembers(of: object) { $0.inverse == nil }
    }
  }

  private func expelDeleted() {
    guard !unsaved.deleted.isEmpty else { return }
    // Without the collections of deleted objects, which can no longer be read: a cascade would
    // compare everything that it deletes with itself (docs/performance.md, T/cascade).
    let holders = objectsWithOverlay(besides: .deleted)
    if !holders.isEmpty { dropDeleted(Set(unsaved.deleted.map(\.reference)), from: holders) }
    var objects = unsaved.takeDeleted()
    // Removed one by one, so that this list does not hold the object.
    while let reference = objects.popLast().map(\.reference) {
      if let object = identity.dropIfUnheld(reference) { expel(object) }
    }
  }

  /// Writes the rows of new objects that something holds, and drops the others at once: an import
  /// would write every row only for the next sweep (docs/performance.md, M/insert: a tenth).
  private func takeOverInserted(_ writer: inout RowWriter) {
    var objects = unsaved.takeInserted()
    while let reference = objects.popLast().map(\.reference) {
      guard let object = identity.dropIfUnheld(reference) else { continue }
      if object._state.contains(.draft) {
        object.settleDraft()
      } else {
        object.takeOverEdits(to: &writer, version: object.insertionVersion)
      }
      for property in object.entity.relationships where object.collection(property) != nil {
        watchRows(behind: property)
      }
    }
  }
}
