/// What a column is made of; columns named here are those of the origin.
package indirect enum ColumnSource: Hashable, Sendable {
  case column(String)
  case converted(String, ValueConversion)
  /// One value for all rows.
  case constant(SQLValue)
  /// A source for the rows of some entities only, by the type column; the rest have `other`.
  case typed([Int64], ColumnSource, other: ColumnSource?)
  /// A source with a value in place of NULL.
  case filled(ColumnSource, SQLValue)
  /// The number of an entity where a key leads somewhere.
  case entityOfKey(String, Int64)
  /// A position in an order among the rows with one owner; the first is `ChangeSet.firstPosition`.
  case position(owner: ColumnSource, by: [ColumnSource])
  /// What a ``LinkLookup`` has for the row with this key.
  case lookup(table: String, LinkSet.Column, key: String)
}

extension ColumnSource {
  /// Returns the expression over the origin's columns.
  ///
  /// `type` is that of the column that gets the values, and `table` is the origin, where the engine
  /// needs to know. `current` gives the name that a column of the origin has now, when it was
  /// renamed meanwhile.
  package func text(
    in dialect: any Dialect, as type: ColumnType? = nil, of table: TableSchema? = nil,
    current: (String) -> String = { $0 }
  ) -> String {
    func name(_ column: String) -> String { quoted(current(column)) }
    func value(_ column: String, _ conversion: ValueConversion? = nil) -> String {
      let origin = table?.column(named: column)?.type
      return dialect.value(name(column), conversion, from: origin, to: type)
    }
    func part(_ source: ColumnSource) -> String {
      source.text(in: dialect, as: type, of: table, current: current)
    }
    switch self {
    case .column(let column): return value(column)
    case .converted(let column, let conversion): return value(column, conversion)
    case .constant(let value): return dialect.literal(value, as: type)
    case .typed(let numbers, let source, let other):
      let rest = other.map { " ELSE " + part($0) } ?? ""
      return "CASE WHEN \(isOne(quoted(PlainLayout.typeColumn), of: numbers)) "
        + "THEN \(part(source))\(rest) END"
    case .filled(let source, let value):
      return "coalesce(\(part(source)), \(dialect.literal(value, as: type)))"
    case .entityOfKey(let key, let number):
      return "CASE WHEN \(name(key)) IS NOT NULL THEN \(number) END"
    case .position(let owner, let by):
      let owner = owner.text(in: dialect, current: current)
      let order = by.map { $0.text(in: dialect, current: current) + dialect.missingFirst }
        .joined(separator: ", ")
      return "CASE WHEN \(owner) IS NOT NULL THEN "
        + "\(newPositions(of: owner, orderedBy: order)) END"
    case .lookup(let table, let column, let key):
      return
        "(SELECT \(quoted(column.rawValue)) FROM \(quoted(table)) WHERE \"owner\" = \(name(key)))"
    }
  }

  /// The column's name, when the source is one column as it is.
  package var plainColumn: String? {
    if case .column(let column) = self { column } else { nil }
  }
}

extension SQLValue {
  /// The value as an SQL literal, for the few statements that cannot have parameters.
  package var literal: String {
    switch self {
    case .null: return "NULL"
    case .integer(let value): return "\(value)"
    case .real(let value):
      return value.isFinite ? "\(value)" : value > 0 ? "9e999" : "-9e999"
    case .text(let value): return enclosed(value, in: "'")
    case .blob: return description
    }
  }
}
