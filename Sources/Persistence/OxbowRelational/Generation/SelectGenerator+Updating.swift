package import OxbowModel
package import OxbowStore

extension SelectGenerator {
  /// Sets attributes of all rows that a fetch finds, and raises their versions; returns key,
  /// entity's number (if there is one) and the new values.
  ///
  /// - Throws: ``PersistenceError`` with `invalidPredicate`, `unknownProperty` or `validation`.
  package func update(_ update: StoreUpdate, _ shape: RowShape) throws(PersistenceError)
    -> SQLFragment
  {
    let table = shape.mapping
    var list: [SQLFragment] = []
    for (property, value) in update.assignments {
      guard let index = table.column(ofProperty: property) else { continue }
      let column = table.columns[index]
      list.append("\(quoted(column.name)) = " + (try assigned(value, column, update.fetch.entity)))
    }
    let version = quoted(table.versionColumn)
    // A row that Core Data wrote may have none.
    let last = mapping.layout == PlainLayout.name ? version : "ifnull(\(version), 0)"
    list.append(SQLFragment("\(version) = \(last) + \(RowVersion.step)"))
    let found = try select(
      "t0.\(quoted(table.keyColumn))", update.fetch, shape,
      isOrdered: update.fetch.limit != nil || update.fetch.offset > 0)
    let names =
      [table.keyColumn] + (table.typeColumn.map { [$0] } ?? [])
      + update.assignments.compactMap { table.column(ofProperty: $0.property) }
      .map { table.columns[$0].name }
    let head = "\(mapping.dialect.update) \(quoted(table.table)) AS t0 SET " + .joined(list, ", ")
    return try checked(
      head + " WHERE t0.\(quoted(table.keyColumn)) IN (" + found
        + ") RETURNING \(names.map(quoted).joined(separator: ", "))")
  }

  /// What a column becomes.
  private func assigned(
    _ value: FetchExpression, _ column: MappedColumn, _ entity: Int
  ) throws(PersistenceError) -> SQLFragment {
    let name = mapping.model.entities[entity].properties[column.property].name
    switch value {
    case .value(.null): return SQLFragment("NULL")
    case .value(.attribute(let constant)):
      guard let encoded = column.codec.encode(constant) else {
        throw Self.unfit(name, "\(constant)", column)
      }
      return .value(encoded)
    default: break
    }
    var translator = translator(about: entity)
    let operand = try translator.operand(value)
    guard !translator.scope.hasJoins else {
      throw PersistenceError(
        .invalidPredicate,
        "'\(name)' cannot be set to what is behind a relationship: an update in the store computes "
          + "each object's values from its own attributes; fetch the objects and change them")
    }
    if column.codec == .decimalNumber, translator.isText(operand) {
      return mapping.dialect.call(.keptDecimal, operand.fragment)
    }
    guard operand.codec == column.codec || operand.kind.isAssignable(to: column.codec) else {
      throw Self.unfit(name, operand.kind.rawValue, column)
    }
    switch (column.codec, operand.kind) {
    case (.float, _): return mapping.dialect.call(.single, operand.fragment)
    case (.double, .integer): return mapping.dialect.cast(operand.fragment, to: .real)
    default: return operand.fragment
    }
  }

  private static func unfit(
    _ name: String, _ seen: String, _ column: MappedColumn
  ) -> PersistenceError {
    PersistenceError(
      .validation,
      "'\(name)' cannot be set to \(seen): it needs \(column.codec.expectation)")
  }
}

extension PredicateTranslator.Kind {
  /// Whether a column can have what an expression gives; ranges are looked at afterwards.
  fileprivate func isAssignable(to codec: ColumnCodec) -> Bool {
    switch (self, codec) {
    case (.null, _), (.text, .text), (.boolean, .boolean): true
    case (.date, .referenceDate), (.date, .dateNumber): true
    case (.integer, .integer16), (.integer, .integer32), (.integer, .integer64): true
    case (.integer, .double), (.integer, .float), (.real, .double), (.real, .float): true
    default: false
    }
  }
}
