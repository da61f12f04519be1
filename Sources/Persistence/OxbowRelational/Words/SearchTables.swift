internal import OxbowModel

// Search indexes (docs/design/word-indexes.md). All of this is file format.
//
// A table of objects with attributes that are searched has a table of FTS5 for each kind of index.
// An index of words has the words of each object, folded and with one blank between two of them, in
// a row with the object's key. An index of substrings has no content, only the trigrams of each
// object's texts, which are never taken out; what the texts were is known by their hash. Both lag:
// a save notes the keys of objects whose texts have changed, and objects behind `indexed_to` are
// not in it yet, noted or not. A search believes it for the other objects, and asks these texts.
//
// A store has these tables from the moment when it first gets an index, and is of version 4 then.

/// The tables of search indexes, and their statements.
package enum SearchTables {
  /// What indexes there are: what they have of whose texts, up to which key, written by which
  /// version; and how many objects were added, and how many were written or removed later.
  package static let state = TableSchema(
    name: MetadataTables.prefix + "search",
    columns: [
      ColumnSchema("root", .integer, isRequired: true),
      ColumnSchema("kind", .text, isRequired: true),
      ColumnSchema("table", .text, isRequired: true),
      ColumnSchema("columns", .text, isRequired: true),
      ColumnSchema("indexed_to", .integer, isRequired: true),
      ColumnSchema("version", .integer, isRequired: true),
      ColumnSchema("added", .integer, isRequired: true),
      ColumnSchema("edited", .integer, isRequired: true),
    ], primaryKey: ["root", "kind"])

  /// The objects up to `indexed_to` whose texts may be others than an index has.
  package static let noted = TableSchema(
    name: MetadataTables.prefix + "noted",
    columns: [
      ColumnSchema("root", .integer, isRequired: true),
      ColumnSchema("kind", .text, isRequired: true),
      ColumnSchema("key", .integer, isRequired: true),
    ], primaryKey: ["root", "kind", "key"], isWithoutRowID: true)

  /// What separates the names of columns.
  fileprivate static let separator = "\n"

  fileprivate static let states = quoted(state.name)
  fileprivate static let notes = quoted(noted.name)

  /// 1 where the store has these tables.
  package static let exist =
    "SELECT count(*) FROM main.sqlite_schema WHERE type = 'table' AND name = '\(state.name)'"

  /// 1 where the library has FTS5.
  package static let arePossible =
    "SELECT count(*) FROM pragma_module_list WHERE name = 'fts5'"

  /// The indexes whose tables are there: kind, root, table, columns, version.
  package static let read =
    "SELECT \"kind\", \"root\", \"table\", \"columns\", \"version\" FROM \(states) "
    + "WHERE \(isThere("")) AND (\"kind\" <> 'substrings' OR \(isThere(hashSuffix))) "
    + "ORDER BY \"root\", \"kind\""

  fileprivate static let hashSuffix = "_hashes"

  private static func isThere(_ suffix: String) -> String {
    "'\(MetadataTables.prefix)' || \"kind\" || '_' || \"root\" || '\(suffix)' IN "
      + "(SELECT name FROM main.sqlite_schema)"
  }

  /// Makes the tables where there are none.
  package static func base(in dialect: any Dialect) -> [String] {
    [state, noted].map {
      let definition = $0.definition(in: dialect)
      return "CREATE TABLE IF NOT EXISTS" + definition.dropFirst("CREATE TABLE".count)
    } + [MetadataTables.raiseLayout(to: PlainLayout.versionWithSearch)]
  }

  /// An index as a row of ``read`` has it, and whether it is as this version of Oxbow writes it.
  package static func index(_ row: [SQLValue]) -> (index: SearchIndex, isCurrent: Bool)? {
    guard case .text(let name) = row[0], let kind = SearchIndex.Kind(rawValue: name),
      case .integer(let root) = row[1], case .text(let table) = row[2],
      case .text(let columns) = row[3]
    else { return nil }
    let names = columns.split(separator: separator, omittingEmptySubsequences: false)
    return (
      SearchIndex(kind, root: root, table: table, columns: names.map(String.init)),
      row[4] == .integer(Int64(kind.version))
    )
  }
}

// MARK: - One index

extension SearchIndex {
  private var place: String { "\"root\" = \(root) AND \"kind\" = '\(kind.rawValue)'" }

  private func change(_ assignment: String) -> String {
    "UPDATE OR ABORT \(SearchTables.states) SET \(assignment) WHERE \(place)"
  }

  private var columnNames: SQLValue { .text(columns.joined(separator: SearchTables.separator)) }

  /// The table of the hashes of texts, which only an index without content needs.
  private var hashes: String { quoted(name + SearchTables.hashSuffix) }

  /// Removes it.
  package var removal: [String] {
    ["DROP TABLE IF EXISTS \(quoted(name))"]
      + (kind == .substrings ? ["DROP TABLE IF EXISTS \(hashes)"] : []) + [
        "DELETE FROM \(SearchTables.notes) WHERE \(place)",
        "DELETE FROM \(SearchTables.states) WHERE \(place)",
      ]
  }

  /// Makes the index anew, without texts: all objects are behind `indexed_to`.
  package var creation: [String] {
    let columns = ownColumns.map(quoted).joined(separator: ", ")
    let table = "CREATE VIRTUAL TABLE \(quoted(name)) USING fts5(\(columns), "
    let row =
      "\(root), '\(kind.rawValue)', \(SQLValue.text(self.table).literal), \(columnNames.literal)"
    let tables =
      switch kind {
      case .words: [table + "tokenize = 'ascii')"]
      case .substrings:
        [
          table + "content = '', columnsize = 0, detail = none, "
            + "tokenize = 'trigram case_sensitive 1')",
          "CREATE TABLE \(hashes) (\"key\" INTEGER PRIMARY KEY, \"hash\" INTEGER NOT NULL) STRICT",
        ]
      }
    return removal + tables + [
      "INSERT INTO \(SearchTables.states) (\"root\", \"kind\", \"table\", \"columns\", "
        + "\"indexed_to\", \"version\", \"added\", \"edited\") "
        + "VALUES (\(row), 0, \(kind.version), 0, 0)"
    ]
  }

  /// Takes all out of an index of substrings, as if it were made anew.
  package var emptying: [String] {
    [
      "INSERT INTO \(quoted(name)) (\(quoted(name))) VALUES ('delete-all')",
      "DELETE FROM \(hashes)", "DELETE FROM \(SearchTables.notes) WHERE \(place)",
      change("\"indexed_to\" = 0, \"added\" = 0, \"edited\" = 0"),
    ]
  }

  /// Gives the table and its columns other names; where the store's index has its columns in
  /// another order, it is made anew when the store is opened.
  package func renaming(to index: SearchIndex) -> String {
    change(
      "\"version\" = CASE WHEN \"columns\" = \(columnNames.literal) THEN \"version\" ELSE 0 END, "
        + "\"table\" = \(SQLValue.text(index.table).literal), "
        + "\"columns\" = \(index.columnNames.literal)")
  }

  /// The last key that it has.
  package var readEnd: String {
    "SELECT \"indexed_to\" FROM \(SearchTables.states) WHERE \(place)"
  }

  /// Sets the last key that it has, and counts the objects that came with it.
  package var setEnd: String { change("\"indexed_to\" = ?, \"added\" = \"added\" + ?") }

  /// Counts objects that were written again or removed; then those that are not in it any more.
  package var countEdits: String {
    change("\"edited\" = \"edited\" + ?, \"added\" = max(0, \"added\" - ?)")
  }

  /// How many objects were written again or removed since it has begun.
  package var readEdits: String {
    "SELECT \"edited\" FROM \(SearchTables.states) WHERE \(place)"
  }

  /// Likewise, where there are at least so many, and more of them than objects in the index.
  package var readExcess: String {
    readEdits + " AND \"edited\" >= ? AND \"edited\" > \"added\""
  }

  /// Notes a key, or the keys of an array.
  package var note: String { noting + "VALUES (\(root), '\(kind.rawValue)', ?)" }
  package func noteAll(_ dialect: any Dialect) -> String {
    noting + "SELECT \(root), '\(kind.rawValue)', \"value\" FROM (\(dialect.keys(in: "?")))"
  }
  private var noting: String {
    "INSERT OR IGNORE INTO \(SearchTables.notes) (\"root\", \"kind\", \"key\") "
  }

  /// The first noted keys: how many.
  package var readNoted: String { "SELECT \"key\" \(fromNotes) ORDER BY \"key\" LIMIT ?" }

  /// Forgets the noted keys up to one.
  package var forgetNoted: String { "DELETE \(fromNotes) AND \"key\" <= ?" }

  /// From its noted keys.
  var fromNotes: String { "FROM \(SearchTables.notes) WHERE \(place)" }

  /// From the rows that it is believed for and that meet a search.
  func hits(of search: SQLFragment) -> SQLFragment {
    " FROM \(quoted(name)) WHERE \(quoted(name)) MATCH " + search + " AND " + isBelieved("rowid")
  }

  /// Whether it is believed for a key.
  fileprivate func isBelieved(_ key: String) -> String {
    "\(key) <= (\(readEnd)) AND \(key) NOT IN (SELECT \"key\" \(fromNotes))"
  }

  /// Rows of its table whose texts have to be read; they are called `w`.
  struct Unindexed {
    let from: String
    let condition: String
  }

  /// The rows that it is not believed for, each once: those that are noted, and those behind it.
  func unindexed(_ dialect: any Dialect) -> [Unindexed] {
    let (table, key) = (quoted(table), "w." + quoted(PlainLayout.keyColumn))
    let notes = "(SELECT \"key\" \(fromNotes)) AS n"
    return [
      Unindexed(
        from: " FROM \(notes) \(dialect.leadingJoin) \(table) AS w ON \(key) = n.\"key\"",
        condition: "n.\"key\" <= (\(readEnd))"),
      Unindexed(from: " FROM \(table) AS w", condition: "\(key) > (\(readEnd))"),
    ]
  }

  private var columnList: String {
    ([PlainLayout.keyColumn] + columns).map(quoted).joined(separator: ", ")
  }

  /// Keys and texts of the objects with the keys of an array, by key.
  package func texts(_ dialect: any Dialect) -> String {
    "SELECT \(columnList) FROM \(quoted(table)) WHERE "
      + KeyParameters.array.condition(on: quoted(PlainLayout.keyColumn), dialect)
      + " ORDER BY \(quoted(PlainLayout.keyColumn))"
  }

  /// Keys and texts of the next objects: those behind a key, then how many.
  package var textsBehind: String {
    let key = quoted(PlainLayout.keyColumn)
    return "SELECT \(columnList) FROM \(quoted(table)) WHERE \(key) > ? ORDER BY \(key) LIMIT ?"
  }

  /// A row, if more than some objects are behind it: how many.
  package var readBehind: String {
    "SELECT 1 FROM \(quoted(table)) WHERE \(quoted(PlainLayout.keyColumn)) > (\(readEnd)) "
      + "LIMIT 1 OFFSET ?"
  }

  /// Fails where FTS5 finds that it is damaged.
  package var integrityCheck: String {
    "INSERT INTO \(quoted(name)) (\(quoted(name))) VALUES ('integrity-check')"
  }

  /// Gives an object its words, or more trigrams: the key, then the texts of each column.
  package var write: String {
    let names = ["rowid"] + ownColumns.map(quoted)
    return (kind == .words ? "INSERT OR REPLACE" : "INSERT")
      + " INTO \(quoted(name)) (\(names.joined(separator: ", "))) VALUES ("
      + names.map { _ in "?" }.joined(separator: ", ") + ")"
  }

  /// Keeps the hash of an object's texts, if it is another one: the key, the hash.
  package var writeHash: String {
    "INSERT INTO \(hashes) (\"key\", \"hash\") VALUES (?, ?) ON CONFLICT (\"key\") DO UPDATE SET "
      + "\"hash\" = excluded.\"hash\" WHERE \"hash\" <> excluded.\"hash\""
  }

  /// Takes an object out, or forgets what its texts were: its key.
  package var remove: String {
    switch kind {
    case .words: "DELETE FROM \(quoted(name)) WHERE rowid = ?"
    case .substrings: "DELETE FROM \(hashes) WHERE \"key\" = ?"
    }
  }

  /// Keys and texts of the objects for which a search believes the index, and what it knows of
  /// these: the words of each column, or the hash of the texts.
  package var believed: String {
    let texts = ([PlainLayout.keyColumn] + columns).map { "w." + quoted($0) }
    let key = "w." + quoted(PlainLayout.keyColumn)
    let (known, table) =
      switch kind {
      case .words:
        (columns.indices.map { "c.\"c\($0)\"" }, quoted(name + "_content") + " AS c ON c.\"id\"")
      case .substrings: (["c.\"hash\""], hashes + " AS c ON c.\"key\"")
      }
    return "SELECT \((texts + known).joined(separator: ", ")) FROM \(quoted(self.table)) AS w "
      + "LEFT JOIN \(table) = \(key) "
      + "WHERE \(isBelieved(key))"
  }

  /// How many objects an index of words has that are neither there nor noted.
  ///
  /// In an index of substrings, they do no harm.
  package var countGone: String? {
    guard kind == .words else { return nil }
    return "SELECT count(*) FROM \(quoted(name + "_content")) WHERE \"id\" NOT IN (SELECT "
      + "\(quoted(PlainLayout.keyColumn)) FROM \(quoted(table))) AND \"id\" NOT IN "
      + "(SELECT \"key\" \(fromNotes))"
  }

  /// Merges its parts into one; words of objects that are gone take no space then.
  package var optimize: String {
    "INSERT INTO \(quoted(name)) (\(quoted(name))) VALUES ('optimize')"
  }
}

// MARK: - Searching

/// The select of the keys that a search finds by an index, but for what it searches.
///
/// Its texts are made once for each state of a store, because they take longer than to find a rare
/// word (docs/performance.md, W).
struct KeySelect: Sendable {
  private let settled: String
  private let unsettled: String

  /// The texts before each test of a row called `w`.
  private let tests: [String]

  init(_ index: SearchIndex, _ dialect: any Dialect) {
    let column = quoted(PlainLayout.keyColumn)
    func found(_ row: String) -> String {
      "SELECT f.rowid AS \(column) FROM \(row) \(dialect.leadingJoin) "
        + "\(quoted(index.name)) AS f WHERE f.\(quoted(index.name)) MATCH "
    }
    settled = found(index.row(ifSettled: true))
    unsettled = " UNION ALL " + found(index.row(ifSettled: false))
    var before = " AND " + index.isBelieved("f.rowid")
    tests = index.unindexed(dialect).map { rows in
      defer { before = "" }
      return before + " UNION ALL SELECT w.\(column)\(rows.from) WHERE \(rows.condition) AND "
    }
  }

  /// The keys of the objects whose texts meet a search, each once: by the index alone where it
  /// lacks nothing; else by the index, of those that are noted, and of those behind it.
  ///
  /// It is asked alone because a condition on each of its rows takes as long as to find them.
  /// `test` says of a row called `w` whether it meets the search. An index of substrings may have
  /// objects that do not.
  func matching(_ match: String, _ test: SQLFragment) -> SQLFragment {
    let search = SQLFragment.value(.text(match))
    return tests.reduce(settled + search + unsettled + search) { $0 + $1 + test }
  }
}

extension SearchIndex {
  /// A row, if it has the texts of all objects as they are now; or if not.
  ///
  /// As a table that leads a join it is asked once; as a condition, SQLite asks it for each row.
  fileprivate func row(ifSettled isSettled: Bool) -> String {
    let key = quoted(PlainLayout.keyColumn)
    let lacks =
      "EXISTS (SELECT 1 \(fromNotes)) OR "
      + "EXISTS (SELECT 1 FROM \(quoted(table)) WHERE \(key) > (\(readEnd)))"
    return "(SELECT 1 WHERE \(isSettled ? "NOT (" + lacks + ")" : lacks))"
  }
}
