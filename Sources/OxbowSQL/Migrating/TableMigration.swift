/// A change of a store's tables from those of one model to those of another, decided and not run.
///
/// It says what each table is made of, and nothing about how: whether a table is changed in place or
/// written anew is the executor's choice, because engines differ in what they can alter.
package struct TableMigration: Hashable, Sendable {
  /// The tables that the store must have before.
  package var before: [TableSchema]

  /// The tables after, each with its origin, in the order of their creation.
  package var targets: [TableTarget]

  /// The tables that go, with their rows.
  package var removedTables: [String]

  /// What the rows must be like; a check that finds rows refuses the migration.
  package var checks: [DataCheck]

  /// The entities that the store keeps numbers for, afterwards.
  package var entities: [EntityRecord]

  /// The numbers of the root entities, afterwards: each has a row in the key table.
  package var roots: [Int64]

  package init(
    before: [TableSchema], targets: [TableTarget] = [], removedTables: [String] = [],
    checks: [DataCheck] = [], entities: [EntityRecord] = [], roots: [Int64] = []
  ) {
    self.before = before
    self.targets = targets
    self.removedTables = removedTables
    self.checks = checks
    self.entities = entities
    self.roots = roots
  }

  /// The tables afterwards.
  package var after: [TableSchema] { targets.map(\.table) }
}

/// A table after a migration and what it is made of.
package struct TableTarget: Hashable, Sendable {
  /// Where the rows come from.
  package enum Origin: Hashable, Sendable {
    /// There are none yet.
    case none
    /// From the table of that name, which becomes this one.
    case table(String)
    /// From the rows of a table that goes on by itself, where a column has a value.
    case links(table: String, where: String)
  }

  package var table: TableSchema
  package var origin: Origin

  /// What each column is made of, by the column's name; a column without an entry is NULL.
  package var sources: [String: ColumnSource]

  package init(
    table: TableSchema, origin: Origin = .none, sources: [String: ColumnSource] = [:]
  ) {
    self.table = table
    self.origin = origin
    self.sources = sources
  }
}

/// What a column is made of; columns named here are those of the origin.
package indirect enum ColumnSource: Hashable, Sendable {
  /// A column as it is.
  case column(String)
  /// A column converted to another type.
  case converted(String, ValueConversion)
  /// One value for all rows.
  case constant(SQLValue)
  /// A value for the rows of some entities only, told by the type column; the rest have `other`.
  case typed([Int64], value: SQLValue, other: ColumnSource?)
  /// A source with a value in place of NULL.
  case filled(ColumnSource, SQLValue)
  /// The number of an entity where a key leads somewhere.
  case entityOfKey(String, Int64)
  /// A place in an order among the rows with one owner: by a column, from 2048 on in steps of 1024.
  case position(owner: String, by: String)
}

/// How a value of one type becomes one of another.
package enum ValueConversion: Hashable, Sendable {
  case integerToReal
  case integerToText
  case uuidToText
}

/// An entity as a store keeps it: its number, its name, its version hash.
package struct EntityRecord: Hashable, Sendable {
  package var number: Int64
  package var name: String
  package var hash: String

  package init(number: Int64, name: String, hash: String) {
    self.number = number
    self.name = name
    self.hash = hash
  }
}
