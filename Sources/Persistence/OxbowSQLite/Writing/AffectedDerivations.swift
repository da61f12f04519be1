// Derived attributes are computed by the writer, in the transaction of the save: a trigger would
// need functions of ours in the schema. What is affected is found from both sides of the save: the
// objects that led to a changed object before, and those that lead to one now.

internal import OxbowFoundation
internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

/// The objects whose derived attributes a save may change.
struct AffectedDerivations {
  private let derivations: [CompiledDerivation]

  /// For each derivation, the keys of the objects that are computed anew.
  private var keys: [Set<Int64>]

  /// For each derivation and each of its steps, the keys of objects at the step's end that changed.
  private var ends: [[Set<Int64>]]

  /// Finds what a change set affects, and which objects lead to it now; the change set has not been
  /// written yet.
  init(_ changes: ChangeSet, _ writer: borrowing ChangeWriter) throws {
    let model = writer.mapping.model
    derivations = model.derivations
    keys = derivations.map { _ in [] }
    ends = derivations.map { $0.steps.map { _ in [] } }
    for index in derivations.indices { collect(changes, index, model) }
    try addOrigins(writer)
  }

  /// Computes what is affected; the change set has been written.
  ///
  /// - Returns: The values that are others than before.
  /// - Throws: ``PersistenceError`` with `validation` for a value that the attribute cannot have.
  mutating func compute(_ writer: borrowing ChangeWriter) throws -> [DerivedValue] {
    try addOrigins(writer)
    let now = SQLValue.real(Date().timeIntervalSinceReferenceDate)
    var values: [DerivedValue] = []
    for index in derivations.indices where !keys[index].isEmpty {
      values += try compute(index, now, writer)
    }
    return values
  }

  private func compute(
    _ index: Int, _ now: SQLValue, _ writer: borrowing ChangeWriter
  ) throws -> [DerivedValue] {
    let derivation = derivations[index]
    guard let column = DerivationGenerator(mapping: writer.mapping).column(of: derivation) else {
      return []
    }
    var parameters = [writer.mapping.dialect.array(of: keys[index].sorted())]
    if case .now = derivation.end { parameters.append(now) }
    let rows: [[SQLValue]]
    do {
      let generator = DerivationGenerator(mapping: writer.mapping)
      let sql = writer.statements.value(.derive(index)) {
        writer.mapping.computesDerivedValues
          ? generator.update(derivation) : generator.read(derivation)
      }
      rows = try writer.connection.rows(sql, parameters)
    } catch let error as SQLiteError where error.isOverflow {
      throw PersistenceError.underivable(derivation, "is larger than a number can be", [])
    }
    return try rows.map { row in
      guard case .integer(let key) = row[0] else {
        throw PersistenceError.underivable(derivation, "has no key", [])
      }
      let object = ObjectReference(
        entity: try entity(of: row, key, derivation, writer), key: key)
      return try derivedValue(object, row[1], column, derivation, writer)
    }
  }

  /// The object's own entity, which may be below the one that declares the attribute.
  private func entity(
    of row: [SQLValue], _ key: Int64, _ derivation: CompiledDerivation,
    _ writer: borrowing ChangeWriter
  ) throws -> Int {
    guard row.count > 2 else { return derivation.entity.index }
    guard case .integer(let number) = row[2],
      let entity = derivation.entity.concrete.first(where: {
        writer.mapping.entities[$0].number == number
      })
    else { throw PersistenceError.underivable(derivation, "has the type \(row[2])", []) }
    return entity
  }

  private func derivedValue(
    _ object: ObjectReference, _ stored: SQLValue, _ column: MappedColumn,
    _ derivation: CompiledDerivation, _ writer: borrowing ChangeWriter
  ) throws -> DerivedValue {
    let value = column.codec.decode(stored)
    if value == nil, stored != .null || column.isRequired {
      let seen = stored == .null ? "has no value, but needs one" : "would be \(stored)"
      let hint = stored == .null ? "" : ", and the column needs \(column.codec.expectation)"
      throw PersistenceError.underivable(
        derivation, seen + hint, [writer.id(object.entity, object.key)])
    }
    return DerivedValue(object: object, property: derivation.property.index, value: value)
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

  /// Adds the objects that lead to what changed, as the store is now.
  private mutating func addOrigins(_ writer: borrowing ChangeWriter) throws {
    for (index, derivation) in derivations.enumerated() {
      var reached: Set<Int64> = []
      for step in derivation.steps.indices.reversed() {
        reached.formUnion(ends[index][step])
        guard !reached.isEmpty else { continue }
        let relationship = derivation.steps[step]
        let generator = DerivationGenerator(mapping: writer.mapping)
        let sql = writer.statements.value(.origins(relationship.id)) {
          generator.origins(of: relationship)
        }
        let array = writer.mapping.dialect.array(of: reached.sorted())
        reached = Set(try writer.connection.integers(sql, [array]))
      }
      keys[index].formUnion(reached)
    }
  }
}

extension SQLiteError {
  /// Whether a sum has no result.
  fileprivate var isOverflow: Bool {
    message == "integer overflow" || message == DecimalSum.failure
  }
}

extension PersistenceError {
  /// A derived value that its attribute cannot have.
  fileprivate static func underivable(
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
