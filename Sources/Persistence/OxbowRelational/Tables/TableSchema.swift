/// A table as a store has it or shall have it: names, types and constraints, and nothing of a
/// model.
package struct TableSchema: Hashable, Sendable {
  package var name: String
  package var columns: [ColumnSchema]

  /// The names of the primary key's columns; one INTEGER column is the row's key.
  package var primaryKey: [String]
  package var foreignKeys: [ForeignKeySchema]
  package var indexes: [IndexSchema]

  /// Whether SQLite refuses values of other types.
  package var isStrict: Bool

  /// Whether rows have no key beside the primary key: join tables.
  package var isWithoutRowID: Bool

  package init(
    name: String, columns: [ColumnSchema] = [], primaryKey: [String] = [],
    foreignKeys: [ForeignKeySchema] = [], indexes: [IndexSchema] = [], isStrict: Bool = true,
    isWithoutRowID: Bool = false
  ) {
    self.name = name
    self.columns = columns
    self.primaryKey = primaryKey
    self.foreignKeys = foreignKeys
    self.indexes = indexes
    self.isStrict = isStrict
    self.isWithoutRowID = isWithoutRowID
  }

  /// Returns the column called `name`, or `nil`.
  package func column(named name: String) -> ColumnSchema? { columns.first { $0.name == name } }
}

/// A column of a table.
package struct ColumnSchema: Hashable, Sendable {
  package var name: String
  package var type: ColumnType

  /// Whether it is declared `NOT NULL`.
  package var isRequired: Bool

  package init(_ name: String, _ type: ColumnType, isRequired: Bool = false) {
    self.name = name
    self.type = type
    self.isRequired = isRequired
  }
}

/// The declared type of a column.
package enum ColumnType: String, Hashable, Sendable {
  case integer = "INTEGER"
  case real = "REAL"
  case text = "TEXT"
  case blob = "BLOB"
  case any = "ANY"

  // Types of engines that have more than the five of a `STRICT` table of SQLite.
  case integer16 = "integer of 16 bits"
  case integer32 = "integer of 32 bits"
  case boolean = "boolean"
  case numeric = "numeric"
  case uuid = "uuid"
}

/// A reference to the key of another table, checked when a transaction commits.
package struct ForeignKeySchema: Hashable, Sendable {
  package var column: String
  package var table: String
  package var key: String

  package init(column: String, table: String, key: String) {
    self.column = column
    self.table = table
    self.key = key
  }
}

/// An index of a table.
package struct IndexSchema: Hashable, Sendable {
  /// How an index finds rows.
  package enum Method: Hashable, Sendable {
    /// By the order of the columns.
    case order
    /// By the boxes whose ends are in the columns, in whole numbers or in ones of 32 bits with a
    /// fraction (`BoxIndex`).
    case boxes(areWhole: Bool)
  }

  package var name: String
  package var columns: [Column]
  package var isUnique: Bool
  package var method = Method.order

  /// The rows that the index has, or `nil` for all.
  package var condition: Condition?

  package init(
    name: String, columns: [Column], isUnique: Bool = false, condition: Condition? = nil
  ) {
    self.name = name
    self.columns = columns
    self.isUnique = isUnique
    self.condition = condition
  }

  /// A column and the values that it has in the rows of an index.
  package struct Condition: Hashable, Sendable {
    package var column: String
    package var values: [Int64]

    package init(column: String, values: [Int64]) {
      self.column = column
      self.values = values
    }
  }

  /// A column of an index and its direction.
  package struct Column: Hashable, Sendable {
    package var name: String
    package var isAscending: Bool

    package init(_ name: String, isAscending: Bool = true) {
      self.name = name
      self.isAscending = isAscending
    }
  }
}
