internal import OxbowFoundation
package import OxbowModel
internal import OxbowRelational
package import OxbowStore

extension SQLiteStore {
  package func update(_ update: StoreUpdate) throws(PersistenceError) -> UpdatedRows {
    do {
      var (rows, token) = try change { writer, state in
        try self.checkFiles(update, state)
        let reader = state.reader(
          update.fetch.entity, includesSubentities: update.fetch.includesSubentities,
          isFault: true)
        let sql = try self.generator(state).update(update, reader.shape)
        if writer.history != nil { try self.noteValues(before: update, reader, &writer, state) }
        var check = UpdatedRowCheck(update, state.mapping, writer.store)
        do {
          try writer.connection.withStatement(sql.text) { statement in
            try statement.bind(sql.values)
            while try statement.step() { check.add(statement) }
          }
        } catch let error as SQLiteError { throw self.explained(error, update) }
        try check.throwFailures()
        try self.moveOut(update, check.objects, writer, state)
        let derived = try self.derive(check.objects, update, writer)
        try self.bookkeeping.note(update, check.objects, &writer)
        if writer.searchNotes != nil { try writer.noteSearched(update, check.objects) }
        if writer.history != nil {
          writer.history?.announcement = update.announcement
          writer.history?.note(update, check.objects)
          writer.history?.note(derived)
        }
        return UpdatedRows(objects: check.objects, derived: derived)
      }
      rows.historyToken = token
      if options.history != .off { keepHistoryLimits() }
      return rows
    } catch { throw PersistenceError(error, "updating") }
  }

  /// Computes the derived attributes behind what was updated.
  private func derive(
    _ objects: [ObjectReference], _ update: StoreUpdate, _ writer: borrowing ChangeWriter
  ) throws -> [DerivedValue] {
    guard !model.derivations.isEmpty else { return [] }
    var changes = ChangeSet()
    let values = update.assignments.map { (property: $0.property, value: AttributeValue?.none) }
    for object in objects {
      changes.updates.append(
        ChangeSet.Update(entity: object.entity, key: object.key, version: 0, values: values))
    }
    var derived = try AffectedDerivations(changes, writer)
    return try derived.compute(writer)
  }

  /// Refuses what would give two rows one file, and what would only look like a file.
  private func checkFiles(_ update: StoreUpdate, _ state: StoreState) throws(PersistenceError) {
    guard let columns = state.externalColumns?.byEntity[update.fetch.entity] else { return }
    for (property, value) in update.assignments
    where columns.contains(where: { $0.property == property }) {
      let name = model.entities[update.fetch.entity].properties[property].name
      switch value {
      case .value(.null): break
      case .value(.attribute(.data(let data))):
        guard data.withUnsafeBytes({ FileReference($0) }) != nil else { break }
        throw PersistenceError(
          .validation,
          "'\(name)' cannot be set to these \(data.count) bytes for many objects at once: they look "
            + "like what the store keeps for a value in a file; set it object by object")
      default:
        throw PersistenceError(
          .validation,
          "'\(name)' cannot be set to the value of another attribute in a store that has values in "
            + "files; fetch the objects and set it")
      }
    }
  }

  /// Gives each row that an update has changed a file of its own for what belongs in one.
  private func moveOut(
    _ update: StoreUpdate, _ objects: [ObjectReference], _ writer: borrowing ChangeWriter,
    _ state: StoreState
  ) throws {
    guard let externals = writer.externals else { return }
    let table = state.mapping.entities[update.fetch.entity]
    for (property, value) in update.assignments {
      guard case .value(.attribute(.data(let data))) = value,
        let column = externals.columns(of: update.fetch.entity)
          .first(where: { $0.property == property }),
        let name = table.column(ofProperty: property).map({ table.columns[$0].name }),
        data.withUnsafeBytes({ externals.takes($0, column) })
      else { continue }
      let cell = FileColumn(table: table.table, column: name)
      for object in objects {
        let reference = try data.withUnsafeBytes { try writer.connection.writeFile($0) }
        try writer.connection.run(
          cell.assignment, [.blob(reference.bytes), .integer(object.key)])
      }
    }
  }

  private func explained(_ error: SQLiteError, _ update: StoreUpdate) -> any Error {
    let names = update.assignments.map { assignment in
      model.entities[update.fetch.entity].properties[assignment.property].name
    }
    let list = PersistenceError.listed(names)
    switch error.code {
    case .constraintUnique:
      return PersistenceError(
        .uniquenessViolated,
        "nothing was updated: \(list) would be the same for objects that must differ, or is for a "
          + "moment: a batch gives one row after the other its value; change such objects one by one",
        details: [.init(label: "SQLite", text: error.message)])
    case .constraintNotNull:
      return PersistenceError(
        .validation,
        "nothing was updated: \(list) would have no value where the model requires one",
        details: [.init(label: "SQLite", text: error.message)])
    case .constraintDataType:
      return PersistenceError(
        .validation,
        "nothing was updated: \(list) would have a number that is too large",
        details: [.init(label: "SQLite", text: error.message)])
    default: return error
    }
  }
}

/// Looks at the rows that an update has changed: their values have to meet the rules of the model.
private struct UpdatedRowCheck {
  private(set) var objects: [ObjectReference] = []
  private var failures: [PersistenceError] = []
  private let columns: [(column: MappedColumn, attribute: AttributeDescription)]
  private let entities: [Int64: Int]
  private let hasType: Bool
  private let mapping: StoreMapping
  private let update: StoreUpdate
  private let store: (ObjectReference) -> ManagedObjectID

  /// So many broken rules say enough.
  private static let shown = 8

  init(_ update: StoreUpdate, _ mapping: StoreMapping, _ store: UUID) {
    let entity = mapping.model.entities[update.fetch.entity]
    let table = mapping.entities[entity.index]
    self.update = update
    self.mapping = mapping
    hasType = table.typeColumn != nil
    entities = Dictionary(
      entity.subtree.map { (mapping.entities[$0].number, $0) }, uniquingKeysWith: { a, _ in a })
    columns = update.assignments.compactMap { assignment in
      guard let column = table.column(ofProperty: assignment.property),
        let attribute = entity.properties[assignment.property].attribute
      else { return nil }
      return (table.columns[column], attribute)
    }
    self.store = { reference in
      ManagedObjectID(
        store: store,
        rootEntityName: mapping.model.entities[mapping.entities[reference.entity].root].name,
        entityName: mapping.model.entities[reference.entity].name, key: reference.key)
    }
  }

  mutating func add(_ statement: Statement) {
    guard case .integer(let key) = statement.value(at: 0) else { return }
    var entity = update.fetch.entity
    if hasType, case .integer(let number) = statement.value(at: 1) {
      entity = entities[number] ?? entity
    }
    let reference = ObjectReference(entity: entity, key: key)
    objects.append(reference)
    guard failures.count < Self.shown else { return }
    for (index, (column, attribute)) in columns.enumerated() {
      let stored = statement.value(at: index + (hasType ? 2 : 1))
      let value = column.codec.decode(stored)
      let id = store(reference)
      if value == nil, stored != .null {
        failures.append(
          .validation(
            "'\(attribute.name)' of '\(id)' would be \(stored), and needs "
              + "\(column.codec.expectation)", rule: .type, property: attribute.name, object: id))
      } else {
        failures += attribute.failures(for: value, of: "\(id)", object: id)
      }
    }
  }

  func throwFailures() throws {
    guard !failures.isEmpty else { return }
    throw PersistenceError.collecting(
      .validation, "nothing was updated: \(failures.count) rules of the model would be broken",
      failures)
  }
}
