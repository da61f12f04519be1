package import OxbowModel

/// Says in SQL how derived attributes are computed, by the writer of a save or of a migration.
///
/// Statements may name functions of ours; nothing of this is in a schema.
package struct DerivationGenerator {
  package let mapping: StoreMapping

  /// What statements call a table.
  private let table: @Sendable (String) -> String

  package init(
    mapping: StoreMapping, table: @escaping @Sendable (String) -> String = { quoted($0) }
  ) {
    self.mapping = mapping
    self.table = table
  }

  private var dialect: any Dialect { mapping.dialect }

  /// The keys that a statement is about.
  private var keys: String { "(\(dialect.keys(in: dialect.parameter(1))))" }

  /// The column of a derived attribute.
  package func column(of derivation: CompiledDerivation) -> MappedColumn? {
    let entity = mapping.entities[derivation.entity.index]
    return entity.column(ofProperty: derivation.property.index).map { entity.columns[$0] }
  }

  // MARK: In a save

  /// Computes the attribute for the objects with some keys and returns key and value, then the type
  /// where the table has one, of those whose value changed: the keys in JSON, then the moment.
  package func update(_ derivation: CompiledDerivation) -> String {
    let entity = mapping.entities[derivation.entity.index]
    let mapped = self.column(of: derivation)
    let column = quoted(mapped?.name ?? "")
    let value = value(of: derivation)
    // A value that is missing is returned, changed or not.
    let missing = mapped?.isRequired == true ? " OR t0.\(column) IS NULL" : ""
    let conditions =
      ["t0.\(quoted(entity.keyColumn)) IN \(keys)"] + typeCondition(derivation)
      + ["(t0.\(column) \(dialect.different) \(value)\(missing))"]
    return "\(dialect.update) \(table(entity.table)) AS t0 SET \(column) = \(value) WHERE "
      + conditions.joined(separator: " AND ")
      + " RETURNING \(quoted(entity.keyColumn)), \(column)"
      + (entity.typeColumn.map { ", \(quoted($0))" } ?? "")
  }

  /// The values of the attribute that the store's own triggers have computed, in the form of
  /// ``update(_:)``: the keys in JSON.
  package func read(_ derivation: CompiledDerivation) -> String {
    let entity = mapping.entities[derivation.entity.index]
    let column = quoted(self.column(of: derivation)?.name ?? "")
    return "SELECT \(quoted(entity.keyColumn)), \(column)"
      + (entity.typeColumn.map { ", \(quoted($0))" } ?? "")
      + " FROM \(table(entity.table)) AS t0 WHERE "
      + (["t0.\(quoted(entity.keyColumn)) IN \(keys)"] + typeCondition(derivation))
      .joined(separator: " AND ")
  }

  /// The objects from which a step leads to objects with some keys: the parameter, or what another
  /// statement finds.
  package func origins(of step: CompiledRelationship, in found: String? = nil) -> String {
    let keys = found.map { "(\($0))" } ?? self.keys
    if let join = mapping.join(of: step) {
      return "SELECT DISTINCT \(quoted(join.column)) FROM \(table(join.table)) "
        + "WHERE \(quoted(join.otherColumn)) IN \(keys)"
    }
    let far = mapping.entities[step.destination]
    if let column = inverseKey(of: step) {
      return "SELECT DISTINCT \(column) FROM \(table(far.table)) "
        + "WHERE \(quoted(far.keyColumn)) IN \(keys) AND \(column) IS NOT NULL"
    }
    let near = mapping.entities[step.entity]
    return "SELECT \(quoted(near.keyColumn)) FROM \(table(near.table)) "
      + "WHERE \(key(of: step)) IN \(keys)"
  }

  // MARK: In a migration

  /// Computes the attribute for all objects.
  package func fill(_ derivation: CompiledDerivation) -> DerivedFill? {
    column(of: derivation).map { DerivedFill(derivation, $0, self) }
  }

  /// Sets the attribute of all objects.
  fileprivate func filling(_ derivation: CompiledDerivation, _ column: MappedColumn) -> String {
    let name = "t0.\(quoted(column.name))"
    let isNow = if case .now = derivation.end { true } else { false }
    let value = isNow ? dialect.now : value(of: derivation)
    let condition = isNow ? "\(name) IS NULL" : "\(name) \(dialect.different) \(value)"
    let table = table(mapping.entities[derivation.entity.index].table)
    return "\(dialect.update) \(table) AS t0 SET \(quoted(column.name)) = \(value) WHERE "
      + (typeCondition(derivation) + [condition]).joined(separator: " AND ")
  }

  /// Counts the objects whose value does not fit the attribute; `nil` where every value does.
  fileprivate func check(_ derivation: CompiledDerivation, _ column: MappedColumn) -> String? {
    let name = "t0.\(quoted(column.name))"
    let bad =
      (column.isRequired ? ["\(name) IS NULL"] : []) + (outOfRange(name, column.codec) ?? [])
    guard !bad.isEmpty else { return nil }
    let table = table(mapping.entities[derivation.entity.index].table)
    return "SELECT count(*) FROM \(table) AS t0 WHERE "
      + (typeCondition(derivation) + ["(\(bad.joined(separator: " OR ")))"])
      .joined(separator: " AND ")
  }

  /// Everything that a migration to the model has to compute.
  package var fills: [DerivedFill] { mapping.model.derivations.compactMap(fill) }

  private func outOfRange(_ name: String, _ codec: ColumnCodec) -> [String]? {
    switch codec {
    case .integer16: ["\(name) NOT BETWEEN -32768 AND 32767"]
    case .integer32: ["\(name) NOT BETWEEN -2147483648 AND 2147483647"]
    case .float: ["abs(\(name)) > 3.4028234663852886e38"]
    default: nil
    }
  }

  // MARK: Values

  /// The value for the row `t0`.
  private func value(of derivation: CompiledDerivation) -> String {
    switch derivation.end {
    case .now: return dialect.parameter(2)
    case .count: return "(SELECT count(*) FROM \(members(of: derivation.steps[0])))"
    case .sum(let property):
      let column = column(property, of: derivation.steps[0].destination)
      let sum = sum("m.\(column)", property)
      return "(SELECT \(sum) FROM \(members(of: derivation.steps[0], withRows: true)))"
    case .value(let property, let form):
      let place = derivation.steps.last?.destination ?? derivation.entity.index
      let column = "t\(derivation.steps.count).\(self.column(property, of: place))"
      let value = formed(column, form)
      return derivation.steps.isEmpty ? value : "(SELECT \(value) FROM \(path(derivation.steps)))"
    }
  }

  private func formed(_ column: String, _ form: Derivation.TextForm?) -> String {
    let options: TextOptions = [.caseInsensitive, .diacriticInsensitive]
    let text = SQLFragment(column)
    return switch form {
    case .canonical: dialect.call(.folded, text, SQLFragment("\(options.rawValue)")).text
    case .lowercase: dialect.call(.lowercase, text).text
    case .uppercase: dialect.call(.uppercase, text).text
    case nil: column
    }
  }

  private func sum(_ column: String, _ property: CompiledProperty) -> String {
    switch property.attribute?.type {
    case .decimal: dialect.decimalSum(SQLFragment(column)).text
    case .double, .float: "\(dialect.name(of: .total))(\(column))"
    default: "coalesce(sum(\(column)), 0)"
    }
  }

  /// The tables behind to-one relationships, from the one that `t0` leads to.
  package func path(_ steps: [CompiledRelationship]) -> String {
    var tables = ""
    for (index, step) in steps.enumerated() {
      let far = mapping.entities[step.destination]
      let name = "\(table(far.table)) AS t\(index + 1)"
      if index == 0 {
        tables = name
      } else {
        tables += " JOIN \(name) ON t\(index + 1).\(quoted(far.keyColumn)) = "
        tables += "t\(index).\(key(of: step))"
      }
    }
    let first = mapping.entities[steps[0].destination]
    return "\(tables) WHERE t1.\(quoted(first.keyColumn)) = t0.\(key(of: steps[0]))"
  }

  /// The objects of a to-many relationship of `t0`, their rows as `m`.
  package func members(of step: CompiledRelationship, withRows: Bool = false) -> String {
    let near = mapping.entities[step.entity]
    let far = mapping.entities[step.destination]
    let key = "t0.\(quoted(near.keyColumn))"
    guard let join = mapping.join(of: step) else {
      return "\(table(far.table)) AS m WHERE m.\(inverseKey(of: step) ?? "") = \(key)"
    }
    let rows =
      withRows
      ? " JOIN \(table(far.table)) AS m ON m.\(quoted(far.keyColumn)) = j.\(quoted(join.otherColumn))"
      : ""
    return "\(table(join.table)) AS j\(rows) WHERE j.\(quoted(join.column)) = \(key)"
  }

  // MARK: Columns

  package func column(_ property: CompiledProperty, of entity: Int) -> String {
    let entity = mapping.entities[entity]
    return entity.column(ofProperty: property.index).map { quoted(entity.columns[$0].name) } ?? ""
  }

  /// The key of a to-one relationship.
  private func key(of step: CompiledRelationship) -> String {
    column(mapping.model.entities[step.entity].properties[step.property], of: step.entity)
  }

  /// The key at the other end of a to-many relationship, or `nil`.
  private func inverseKey(of step: CompiledRelationship) -> String? {
    guard step.isToMany, let inverse = mapping.model.inverse(of: step) else { return nil }
    return column(
      mapping.model.entities[inverse.entity].properties[inverse.property], of: inverse.entity)
  }

  /// What the type of a row must be, where the table has rows of entities above.
  package func typeCondition(_ derivation: CompiledDerivation) -> [String] {
    let entity = mapping.entities[derivation.entity.index]
    guard let type = entity.typeColumn, entity.entity != entity.root else { return [] }
    let numbers = derivation.entity.concrete.map { mapping.entities[$0].number }
    return [isOne("t0.\(quoted(type))", of: numbers)]
  }
}

/// The computation of a derived attribute for all objects, in a migration.
///
/// An engine that computes it in SQL has the statements; another one has the rest.
package struct DerivedFill: Sendable {
  package let derivation: CompiledDerivation
  package let mapping: StoreMapping
  private let column: MappedColumn
  private let generator: DerivationGenerator

  fileprivate init(
    _ derivation: CompiledDerivation, _ column: MappedColumn, _ generator: DerivationGenerator
  ) {
    (self.derivation, self.column, self.generator) = (derivation, column, generator)
    mapping = generator.mapping
  }

  package var table: String { mapping.entities[derivation.entity.index].table }
  package var statement: String { generator.filling(derivation, column) }

  /// Counts the objects whose value does not fit the attribute; `nil` where every value does.
  package var check: String? { generator.check(derivation, column) }

  /// The attribute, in words: "'count' of 'Author'".
  package var subject: String { "'\(derivation.property.name)' of '\(derivation.entity.name)'" }

  /// The refusal of values that do not fit.
  package func refusal(_ count: Int) -> PersistenceError {
    PersistenceError(
      .migrationRefused,
      "\(subject) is derived, and \(count) objects would have no value or one that is out of its "
        + "range; make it optional or of a larger type")
  }
}
