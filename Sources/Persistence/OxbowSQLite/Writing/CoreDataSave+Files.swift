internal import OxbowFoundation
internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

// Large values of a save. A row is written without them, and gets their cells afterwards: what a
// change set has is the value, and never the name of a file.

extension CoreDataSave {
  /// A cell that is set when all rows are there.
  struct FileCell {
    let entity: Int
    let column: Int
    let key: Int64
    let cell: [UInt8]
  }

  /// The columns of an entity whose values may be in files.
  private func fileColumns(_ entity: Int) -> [Int] {
    let columns = mapping.entities[entity].columns
    return columns.indices.filter { columns[$0].codec == .taggedBlob }
  }

  /// Writes large values into files, and leaves them out of the change set.
  mutating func moveOut(
    _ changes: inout ChangeSet, _ writer: borrowing ChangeWriter
  ) throws {
    guard connection.path != ":memory:" else { return }
    for (entity, group) in grouped(changes.deletes, by: \.entity) {
      try noteFormer(entity, fileColumns(entity), group.map(\.key))
    }
    for index in changes.updates.indices {
      try moveOut(&changes.updates[index], writer)
    }
    for index in changes.inserts.indices {
      try moveOut(&changes.inserts[index], writer)
    }
    if !cells.isEmpty {
      try CoreDataFolder(ofStore: connection.path).synchronize()
    }
  }

  private mutating func moveOut(
    _ update: inout ChangeSet.Update, _ writer: borrowing ChangeWriter
  ) throws {
    let columns = fileColumns(update.entity)
    guard !columns.isEmpty else { return }
    let table = mapping.entities[update.entity]
    for place in update.values.indices {
      let property = update.values[place].property
      guard let column = columns.first(where: { table.columns[$0].property == property }) else {
        continue
      }
      try noteFormer(update.entity, [column], [update.key])
      if try moveOut(update.values[place].value, update.reference, column, writer) {
        update.values[place].value = nil
      }
    }
  }

  private mutating func moveOut(
    _ insert: inout ChangeSet.Insert, _ writer: borrowing ChangeWriter
  ) throws {
    let table = mapping.entities[insert.entity]
    let columns = fileColumns(insert.entity).filter { column in
      guard case .row(let slab, let row) = insert.content else { return true }
      let slot = table.columns[column].slot
      return slab._withUnsafeGuaranteedRef {
        !$0._isNull(row, slot) && $0._span(row, slot).count > writer.externalThreshold
      }
    }
    guard !columns.isEmpty else { return }
    var values = insert.values
    var isChanged = false
    for column in columns {
      let property = table.columns[column].property
      guard try moveOut(values[property], insert.reference, column, writer) else { continue }
      values[property] = nil
      isChanged = true
    }
    guard isChanged else { return }
    insert = ChangeSet.Insert(
      entity: insert.entity, key: insert.key, values: values, version: insert.version)
  }

  /// Writes a value into a file if it is large.
  private mutating func moveOut(
    _ value: AttributeValue?, _ object: ObjectReference, _ column: Int,
    _ writer: borrowing ChangeWriter
  ) throws -> Bool {
    guard case .data(let data)? = value, data.count > writer.externalThreshold,
      data.count <= connection.largestValue
    else { return false }
    let folder = CoreDataFolder(ofStore: connection.path)
    let permissions = System.permissions(connection.path) ?? 0o600
    do {
      let cell = try data.withUnsafeBytes { try folder.write($0, permissions: permissions) }
      cells.append(
        FileCell(entity: object.entity, column: column, key: object.key, cell: cell))
      note(
        TaggedCell.name(in: cell) ?? "", cell, object.entity, column, object.key, isFormer: false)
      return true
    } catch let error as ExternalFileError {
      let property = mapping.entities[object.entity].columns[column].property
      let text = mapping.model.entities[object.entity].properties[property].name
      throw PersistenceError.unwritable(
        "the value of '\(text)' of '\(writer.id(object.entity, object.key))'", error)
    }
  }

  /// Notes the files of values before, which are removed when the save is committed.
  private func noteFormer(_ entity: Int, _ columns: [Int], _ keys: [Int64]) throws {
    for column in columns {
      let sql = generator.files(mapping.entities[entity], column)
      for row in try connection.rows(sql, [mapping.dialect.array(of: keys.sorted())]) {
        guard case .integer(let key) = row[0], case .blob(let cell) = row[1],
          let name = TaggedCell.name(in: cell)
        else { continue }
        note(name, cell, entity, column, key, isFormer: true)
      }
    }
  }

  private func note(
    _ name: String, _ cell: [UInt8], _ entity: Int, _ column: Int, _ key: Int64, isFormer: Bool
  ) {
    connection.coreDataFiles.append(
      CoreDataFile(
        name: name, hasCell: generator.hasCell(mapping.entities[entity], column),
        values: [.blob(cell), .integer(key)], isFormer: isFormer))
  }

  /// Gives rows the cells of their files.
  func setCells() throws {
    for item in cells {
      try connection.run(
        generator.setCell(mapping.entities[item.entity], item.column),
        [.blob(item.cell), .integer(item.key)])
    }
  }
}
