internal import OxbowFoundation
internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

// Changes whose values go into files.

extension ChangeWriter {
  /// Writes the values of an update that go into files; the update has their references then.
  func movingOut(_ update: ChangeSet.Update) throws -> ChangeSet.Update {
    guard let externals, externals.isConcerned(update.entity) else { return update }
    let columns = externals.columns(of: update.entity)
    var update = update
    for (index, (property, value)) in update.values.enumerated() {
      guard let column = columns.first(where: { $0.property == property }) else { continue }
      update.values[index].value = try movingOut(value, column, id(update.entity, update.key))
    }
    return update
  }

  /// Likewise of an insert.
  func movingOut(_ insert: ChangeSet.Insert) throws -> ChangeSet.Insert {
    guard let externals else { return insert }
    let columns = externals.columns(of: insert.entity)
    if case .row(let slab, let row) = insert.content {
      let slab = slab.takeUnretainedValue()
      let takesAny = columns.contains { column in
        !slab._isNull(row, column.slot) && externals.takes(slab._span(row, column.slot), column)
      }
      guard takesAny else { return insert }
    }
    var values = insert.values
    for column in columns {
      values[column.property] = try movingOut(
        values[column.property], column, id(insert.entity, insert.key))
    }
    return ChangeSet.Insert(
      entity: insert.entity, key: insert.key, values: values, version: insert.version)
  }

  /// What the cell of a value has.
  private func movingOut(
    _ value: AttributeValue?, _ column: ExternalColumns.Column, _ id: ManagedObjectID
  ) throws -> AttributeValue? {
    // What is too large for SQLite is too large for a file: one limit for all.
    guard case .data(let data)? = value, data.count <= connection.largestValue,
      data.withUnsafeBytes({ externals?.takes($0, column) == true })
    else { return value }
    do {
      return .data(Data(try data.withUnsafeBytes { try connection.writeFile($0).bytes }))
    } catch let error as ExternalFileError {
      let name = mapping.model.entity(of: id)?.properties[column.property].name ?? ""
      throw PersistenceError.unwritable("the value of '\(name)' of '\(id)'", error)
    }
  }
}
