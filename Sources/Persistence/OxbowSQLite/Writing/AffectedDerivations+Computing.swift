// Derived attributes are computed by the writer, in the transaction of the save: a trigger would
// need functions of ours in the schema.

internal import OxbowFoundation
internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

extension AffectedDerivations {
  /// Finds what a change set affects, and which objects lead to it now; the change set has not been
  /// written yet.
  init(_ changes: ChangeSet, _ writer: borrowing ChangeWriter) throws {
    self.init(changes, writer.mapping.model)
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
