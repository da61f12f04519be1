internal import OxbowModel
internal import OxbowSQL
internal import OxbowStore

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The columns of a store that may refer to files.
struct ExternalColumns: Sendable {
  /// An attribute of data.
  struct Column: Sendable {
    let property: Int
    let slot: Int
    /// Whether the model allows external storage.
    ///
    /// Where it did before, there may be references still.
    let isAllowed: Bool
  }

  /// The columns of each entity, by dense index.
  let byEntity: [[Column]]

  /// The columns of all tables.
  let all: [FileColumn]

  init(_ mapping: StoreMapping) {
    byEntity = mapping.entities.map { entity in
      let properties = mapping.model.entities[entity.entity].properties
      return entity.columns.filter { $0.role == .attribute && $0.codec == .blob }.map {
        Column(property: $0.property, slot: $0.slot, isAllowed: properties[$0.property].isExternal)
      }
    }
    all = mapping.fileColumns
  }
}

/// Which values of a save go into files.
struct ExternalValues {
  private let columns: ExternalColumns
  private let threshold: Int

  init(_ columns: ExternalColumns, threshold: Int) {
    self.columns = columns
    self.threshold = threshold
  }

  /// Whether an entity has attributes of data.
  func isConcerned(_ entity: Int) -> Bool { !columns.byEntity[entity].isEmpty }

  func columns(of entity: Int) -> [ExternalColumns.Column] { columns.byEntity[entity] }

  /// Whether a value goes into a file.
  func takes(_ bytes: UnsafeRawBufferPointer, _ column: ExternalColumns.Column) -> Bool {
    column.isAllowed && bytes.count > threshold || FileReference(bytes) != nil
  }
}

// MARK: - Changes

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
