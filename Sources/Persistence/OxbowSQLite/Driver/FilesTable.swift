package import OxbowRelational

/// The table of the files beside a store, written in the transaction of the rows that refer to
/// them.
///
/// A store has it from the moment on when it is first opened with a model that allows external
/// storage. A file without a row here belongs to no value.
package enum FilesTable {
  /// A file is discarded when no row refers to it any more; it goes when no older snapshot of the
  /// store can need it, and then its row.
  package static let table = TableSchema(
    name: MetadataTables.prefix + "files",
    columns: [
      ColumnSchema("name", .text, isRequired: true),
      ColumnSchema("bytes", .integer, isRequired: true),
      ColumnSchema("discarded", .integer, isRequired: true),
    ], primaryKey: ["name"],
    indexes: [
      IndexSchema(
        name: MetadataTables.prefix + "files_discarded", columns: [IndexSchema.Column("bytes")],
        condition: IndexSchema.Condition(column: "discarded", values: [1]))
    ], isWithoutRowID: true)

  private static let files = quoted(table.name)
  private static let isDiscarded = "\"discarded\" IN (1)"

  /// 1 where the store has the table.
  package static let exists =
    "SELECT count(*) FROM main.sqlite_schema WHERE type = 'table' AND name = '\(table.name)'"

  /// A new file: its name, then its bytes.
  package static let add =
    "INSERT OR ABORT INTO \(files) (\"name\", \"bytes\", \"discarded\") VALUES (?, ?, 0)"

  /// 1 for the name of a file that the store knows.
  package static let isListed = "SELECT count(*) FROM \(files) WHERE \"name\" = ?"

  /// All files: name, bytes, whether it is discarded.
  package static let all = "SELECT \"name\", \"bytes\", \"discarded\" FROM \(files)"

  /// 1 when the store has a file.
  package static let isAny = "SELECT EXISTS (SELECT 1 FROM \(files))"

  package static let discardedNames = "SELECT \"name\" FROM \(files) WHERE \(isDiscarded)"

  /// How many files there are, discarded ones included, and their bytes.
  package static let total = "SELECT count(*), coalesce(sum(\"bytes\"), 0) FROM \(files)"

  /// How many files are discarded, and their bytes.
  package static let discardedTotal =
    "SELECT count(*), coalesce(sum(\"bytes\"), 0) FROM \(files) WHERE \(isDiscarded)"

  /// Sets whether a file is discarded: 0 or 1, then the name.
  package static let setDiscarded =
    "UPDATE OR ABORT \(files) SET \"discarded\" = ? WHERE \"name\" = ?"

  /// Forgets a file that is gone; its name.
  package static let remove = "DELETE FROM \(files) WHERE \"name\" = ?"

  package static let removeDiscarded = "DELETE FROM \(files) WHERE \(isDiscarded)"

  package static let raiseLayout = MetadataTables.raiseLayout(to: PlainLayout.versionWithFiles)
}

// MARK: - Columns

/// A column that may refer to files.
package struct FileColumn: Hashable, Sendable {
  package let table: String
  package let column: String

  /// Whether the table's rows have a key of their own, by which one is found.
  package let hasRowKey: Bool

  package init(table: String, column: String, hasRowKey: Bool = true) {
    self.table = table
    self.column = column
    self.hasRowKey = hasRowKey
  }

  /// The cells that look like references, with the keys of their rows; NULL for a row without.
  package var references: String {
    "SELECT \(hasRowKey ? "_rowid_" : "NULL"), \(quoted(column)) FROM \(quoted(table)) WHERE "
      + "typeof(\(quoted(column))) = 'blob' AND " + FileReference.condition(on: quoted(column))
  }

  /// Gives a row another cell: the cell, then the key.
  package var assignment: String {
    "UPDATE OR ABORT \(quoted(table)) SET \(quoted(column)) = ? WHERE _rowid_ = ?"
  }

  /// Triggers of a connection, no part of the store, that discard the files of cells which are
  /// written over or deleted.
  ///
  /// They see whatever changes rows: one by one, in blocks, in batches.
  package func triggers(prefix: String) -> [String] {
    let old = "OLD.\(quoted(column))"
    let discarding =
      "BEGIN UPDATE \(quoted(FilesTable.table.name)) SET \"discarded\" = 1 WHERE \"name\" = "
      + "\(FileReference.name(in: old)); END"
    func trigger(_ event: String, _ suffix: String, _ condition: String) -> String {
      "CREATE TEMP TRIGGER \(quoted(prefix + suffix)) AFTER \(event) ON main.\(quoted(table)) "
        + "WHEN \(condition) \(discarding)"
    }
    let refers = FileReference.condition(on: old)
    return [
      trigger("DELETE", "_delete", refers),
      trigger(
        "UPDATE OF \(quoted(column))", "_update",
        "\(refers) AND \(old) IS NOT NEW.\(quoted(column))"),
    ]
  }
}

extension StoreMapping {
  /// The columns of data.
  package var fileColumns: [FileColumn] {
    var seen: Set<FileColumn> = []
    return entities.flatMap { entity in
      entity.columns.filter { $0.role == .attribute && $0.codec == .blob }.map {
        FileColumn(table: entity.table, column: $0.name)
      }
    }.filter { seen.insert($0).inserted }
  }
}
