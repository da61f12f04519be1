package import OxbowModel

/// The tables of a database that another tool made, as the database describes them.
package struct ForeignSchema: Hashable, Sendable {
  /// A column, with its type as it was declared.
  package struct Column: Hashable, Sendable {
    package var name: String
    package var type: String
    package var isRequired: Bool

    /// The text of the declared default.
    package var defaultText: String?

    /// The type that all values have, where the declared one does not say; `nil` when there are
    /// none, or values of several types.
    package var found: AttributeType?

    /// Whether it is computed from other columns.
    package var isGenerated = false

    /// The type of an attribute that the declared type means; `nil` when it means none.
    package var attributeType: AttributeType? {
      let declared = type.uppercased()
      let types: [([String], AttributeType)] = [
        (["BOOL"], .boolean), (["DATE", "TIME"], .date), (["UUID", "GUID"], .uuid),
        (["INT"], .integer64), (["CHAR", "CLOB", "TEXT", "STRING"], .string),
        (["BLOB", "BINARY"], .binaryData), (["REAL", "FLOA", "DOUB"], .double),
        (["DEC", "NUMERIC", "MONEY"], .decimal),
      ]
      return types.first { words, _ in words.contains { declared.contains($0) } }?.1
    }

    package init(
      _ name: String, _ type: String, isRequired: Bool = false, defaultText: String? = nil
    ) {
      (self.name, self.type, self.isRequired, self.defaultText) = (
        name, type, isRequired, defaultText
      )
    }
  }

  /// A foreign key; without `keys` it leads to the primary key of its table.
  package struct Reference: Hashable, Sendable {
    package var columns: [String]
    package var table: String
    package var keys: [String]

    /// What a delete of the row that it leads to does, as the database says it.
    package var onDelete: String

    package init(columns: [String], table: String, keys: [String], onDelete: String = "NO ACTION") {
      (self.columns, self.table, self.keys, self.onDelete) = (columns, table, keys, onDelete)
    }
  }

  /// An index; without a name it belongs to a constraint of the table.
  package struct Index: Hashable, Sendable {
    package var name: String?
    package var columns: [String]
    package var isUnique: Bool

    /// Whether it covers all rows by their plain columns.
    package var isPlain: Bool

    /// The orders that it compares with, other than byte by byte.
    package var collations: [String] = []

    package init(name: String?, columns: [String], isUnique: Bool, isPlain: Bool = true) {
      (self.name, self.columns, self.isUnique, self.isPlain) = (name, columns, isUnique, isPlain)
    }
  }

  package struct Table: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
      case ordinary
      /// A module of SQLite, full-text search for example.
      case virtual
      /// A table of such a module: it goes with it.
      case shadow
    }

    package var name: String
    package var kind: Kind
    package var columns: [Column]
    package var primaryKey: [String]
    package var references: [Reference]
    package var indexes: [Index]
    package var isWithoutRowID: Bool
    package var rows: Int

    /// The largest key that the table ever had, where the database remembers it.
    package var lastKey: Int64?

    /// The statement that made it.
    package var definition: String?

    package init(
      name: String, kind: Kind = .ordinary, columns: [Column], primaryKey: [String] = [],
      references: [Reference] = [], indexes: [Index] = [], isWithoutRowID: Bool = false,
      rows: Int = 0, lastKey: Int64? = nil
    ) {
      (self.name, self.kind, self.columns) = (name, kind, columns)
      (self.primaryKey, self.references, self.indexes) = (primaryKey, references, indexes)
      (self.isWithoutRowID, self.rows, self.lastKey) = (isWithoutRowID, rows, lastKey)
    }

    /// The column that is the row's key: `INTEGER PRIMARY KEY`; `nil` where the key is hidden.
    package var keyColumn: String? {
      guard !isWithoutRowID, primaryKey.count == 1, let column = column(primaryKey[0]),
        column.type.lowercased() == "integer"
      else { return nil }
      return column.name
    }

    /// Returns a column, as SQLite compares names.
    package func column(_ name: String) -> Column? {
      columns.first { $0.name.lowercased() == name.lowercased() }
    }

    /// The foreign key of one column, or `nil`.
    package func reference(of column: String) -> Reference? {
      references.first {
        $0.columns.count == 1 && $0.columns[0].lowercased() == column.lowercased()
      }
    }
  }

  package struct Part: Hashable, Sendable {
    package var type: String
    package var name: String

    package init(type: String, name: String) {
      self.type = type
      self.name = name
    }
  }

  package var tables: [Table]
  package var parts: [Part]

  /// The table of the other tool's history, which stays.
  package var historyTable: String?

  /// Whether texts are in UTF-8.
  package var isUTF8: Bool

  package init(
    tables: [Table], parts: [Part] = [], historyTable: String? = nil, isUTF8: Bool = true
  ) {
    (self.isUTF8, self.tables, self.parts, self.historyTable) = (
      isUTF8, tables, parts, historyTable
    )
  }

  /// Returns a table, as SQLite compares names.
  package func table(_ name: String) -> Table? {
    tables.first { $0.name.lowercased() == name.lowercased() }
  }
}
