internal import OxbowModel

// Indexes of words (docs/design/word-indexes.md). All of this is file format.
//
// A table of objects with attributes that are searched by words has a table of FTS5, which has the
// words of each object, folded and with one blank between two of them, in a row with the object's
// key. It lags: a save notes the keys of objects whose words have changed, and objects behind
// `indexed_to` are not in it yet, noted or not. A search believes it for the other objects, and
// asks the texts of these.
//
// A store has these tables from the moment when it first gets an index, and is of version 4 then.

/// The tables of indexes of words, and their statements.
package enum SearchTables {
  /// What indexes there are: whose words they have, up to which key, split in which way.
  package static let state = TableSchema(
    name: MetadataTables.prefix + "words",
    columns: [
      ColumnSchema("root", .integer, isRequired: true),
      ColumnSchema("table", .text, isRequired: true),
      ColumnSchema("columns", .text, isRequired: true),
      ColumnSchema("indexed_to", .integer, isRequired: true),
      ColumnSchema("splitter", .integer, isRequired: true),
    ], primaryKey: ["root"])

  /// The objects up to `indexed_to` whose words may be others than an index has.
  package static let noted = TableSchema(
    name: MetadataTables.prefix + "noted",
    columns: [
      ColumnSchema("root", .integer, isRequired: true),
      ColumnSchema("key", .integer, isRequired: true),
    ], primaryKey: ["root", "key"], isWithoutRowID: true)

  /// The facts of indexes of words.
  package enum Fact: String, Sendable, CaseIterable {
    /// Counts what is written to indexes beside saves: by it, another process tells that from what
    /// other programs write.
    case upkeep = "upkeep"
  }

  /// What separates the names of columns.
  private static let separator = "\n"

  private static let states = quoted(state.name)
  private static let notes = quoted(noted.name)
  private static let facts = quoted(MetadataTables.metadata.name)

  /// 1 where the store has these tables.
  package static let exist =
    "SELECT count(*) FROM main.sqlite_schema WHERE type = 'table' AND name = '\(state.name)'"

  /// 1 where the library has FTS5.
  package static let arePossible =
    "SELECT count(*) FROM pragma_module_list WHERE name = 'fts5'"

  /// The indexes whose words are there: root, table, columns, version of the splitter.
  package static let read =
    "SELECT \"root\", \"table\", \"columns\", \"splitter\" FROM \(states) "
    + "WHERE '\(state.name)_' || \"root\" IN (SELECT name FROM main.sqlite_schema) ORDER BY \"root\""

  /// Counts an upkeep.
  package static let countUpkeep =
    "INSERT INTO \(facts) (\"name\", \"value\") VALUES ('\(Fact.upkeep.rawValue)', 1) "
    + "ON CONFLICT (\"name\") DO UPDATE SET \"value\" = \"value\" + 1"

  /// Makes the tables where there are none.
  package static func base(in dialect: any Dialect) -> [String] {
    [state, noted].map {
      let definition = $0.definition(in: dialect)
      return "CREATE TABLE IF NOT EXISTS" + definition.dropFirst("CREATE TABLE".count)
    } + [MetadataTables.raiseLayout(to: PlainLayout.versionWithSearch)]
  }

  /// An index as a row of ``read`` has it, and whether it has the words of this splitter.
  package static func index(_ row: [SQLValue]) -> (index: SearchIndex, isCurrent: Bool)? {
    guard case .integer(let root) = row[0], case .text(let table) = row[1],
      case .text(let columns) = row[2]
    else { return nil }
    let names = columns.split(separator: separator, omittingEmptySubsequences: false)
    return (
      SearchIndex(root: root, table: table, columns: names.map(String.init)),
      row[3] == .integer(version)
    )
  }

  private static var version: Int64 { Int64(TextWords.version) }

  /// Removes the index of a root.
  package static func removal(ofRoot root: Int64) -> [String] {
    let name = SearchIndex(root: root, table: "", columns: []).name
    return [
      "DROP TABLE IF EXISTS \(quoted(name))", "DELETE FROM \(notes) WHERE \"root\" = \(root)",
      "DELETE FROM \(states) WHERE \"root\" = \(root)",
    ]
  }
}

// MARK: - One index

extension SearchIndex {
  private static let states = quoted(SearchTables.state.name)
  private static let notes = quoted(SearchTables.noted.name)

  private var row: String {
    "\(root), \(SQLValue.text(table).literal), \(columnNames.literal)"
  }

  private var columnNames: SQLValue { .text(columns.joined(separator: "\n")) }

  /// Makes the index anew, without words: all objects are behind `indexed_to`.
  package var creation: [String] {
    let list = ownColumns.map(quoted).joined(separator: ", ")
    let table = "CREATE VIRTUAL TABLE \(quoted(name)) USING fts5(\(list), tokenize = 'ascii')"
    return SearchTables.removal(ofRoot: root) + [
      table,
      "INSERT INTO \(Self.states) (\"root\", \"table\", \"columns\", \"indexed_to\", \"splitter\") "
        + "VALUES (\(row), 0, \(TextWords.version))",
    ]
  }

  /// Gives the table and its columns other names; where the store's index has its columns in
  /// another order, it is made anew when the store is opened.
  package func renaming(to index: SearchIndex) -> String {
    "UPDATE OR ABORT \(Self.states) SET \"splitter\" = CASE WHEN \"columns\" = "
      + "\(columnNames.literal) THEN \"splitter\" ELSE 0 END, "
      + "\"table\" = \(SQLValue.text(index.table).literal), "
      + "\"columns\" = \(index.columnNames.literal) WHERE \"root\" = \(root)"
  }

  /// The last key that it has.
  package var readEnd: String {
    "SELECT \"indexed_to\" FROM \(Self.states) WHERE \"root\" = \(root)"
  }

  /// Sets the last key that it has.
  package var setEnd: String {
    "UPDATE OR ABORT \(Self.states) SET \"indexed_to\" = ? WHERE \"root\" = \(root)"
  }

  /// Notes a key, or the keys of an array.
  package var note: String {
    "INSERT OR IGNORE INTO \(Self.notes) (\"root\", \"key\") VALUES (\(root), ?)"
  }
  package func noteAll(_ dialect: any Dialect) -> String {
    "INSERT OR IGNORE INTO \(Self.notes) (\"root\", \"key\") "
      + "SELECT \(root), \"value\" FROM (\(dialect.keys(in: "?")))"
  }

  /// The first noted keys: how many.
  package var readNoted: String {
    "SELECT \"key\" FROM \(Self.notes) WHERE \"root\" = \(root) ORDER BY \"key\" LIMIT ?"
  }

  /// Forgets the noted keys up to one.
  package var forgetNoted: String {
    "DELETE FROM \(Self.notes) WHERE \"root\" = \(root) AND \"key\" <= ?"
  }

  private var fromNotes: String { "FROM \(Self.notes) WHERE \"root\" = \(root)" }

  /// The keys of the objects whose words in some columns meet a search: by the index, of those
  /// that are noted, and of those behind it.
  ///
  /// `test` says of a row called `w` whether it meets the search.
  func keys(matching match: String, _ test: SQLFragment, _ dialect: any Dialect) -> SQLFragment {
    let (name, key) = (quoted(name), "w." + quoted(PlainLayout.keyColumn))
    return SQLFragment("SELECT rowid FROM \(name) WHERE \(name) MATCH ", [])
      + .value(.text(match)) + " AND rowid NOT IN (SELECT \"key\" \(fromNotes)) UNION ALL "
      + "SELECT \(key) FROM \(Self.notes) AS n \(dialect.leadingJoin) \(quoted(table)) AS w "
      + "ON \(key) = n.\"key\" WHERE n.\"root\" = \(root) AND " + test + " UNION ALL "
      + "SELECT \(key) FROM \(quoted(table)) AS w WHERE \(key) > (\(readEnd)) AND " + test
  }

  private var columnList: String {
    ([PlainLayout.keyColumn] + columns).map(quoted).joined(separator: ", ")
  }

  /// Keys and texts of the objects with the keys of an array.
  package func texts(_ dialect: any Dialect) -> String {
    "SELECT \(columnList) FROM \(quoted(table)) WHERE "
      + KeyParameters.array.condition(on: quoted(PlainLayout.keyColumn), dialect)
  }

  /// Keys and texts of the next objects: those behind a key, then how many.
  package var textsBehind: String {
    let key = quoted(PlainLayout.keyColumn)
    return "SELECT \(columnList) FROM \(quoted(table)) WHERE \(key) > ? ORDER BY \(key) LIMIT ?"
  }

  /// Gives an object its words: the key, then those of each column.
  package var write: String {
    let names = ["rowid"] + ownColumns.map(quoted)
    return "INSERT OR REPLACE INTO \(quoted(name)) (\(names.joined(separator: ", "))) VALUES ("
      + names.map { _ in "?" }.joined(separator: ", ") + ")"
  }

  /// Takes an object out: its key.
  package var remove: String { "DELETE FROM \(quoted(name)) WHERE rowid = ?" }

  /// Keys, texts and words of the objects for which a search believes the index.
  package var believed: String {
    let texts = ([PlainLayout.keyColumn] + columns).map { "w." + quoted($0) }
    let words = columns.indices.map { "c.\"c\($0)\"" }
    let key = "w." + quoted(PlainLayout.keyColumn)
    return "SELECT \((texts + words).joined(separator: ", ")) FROM \(quoted(table)) AS w "
      + "LEFT JOIN \(quoted(name + "_content")) AS c ON c.\"id\" = \(key) "
      + "WHERE \(key) <= (\(readEnd)) AND \(key) NOT IN (SELECT \"key\" \(fromNotes))"
  }

  /// How many objects the index has words of that are neither there nor noted.
  package var countGone: String {
    "SELECT count(*) FROM \(quoted(name + "_content")) WHERE \"id\" NOT IN (SELECT "
      + "\(quoted(PlainLayout.keyColumn)) FROM \(quoted(table))) AND \"id\" NOT IN "
      + "(SELECT \"key\" \(fromNotes))"
  }

  /// Merges its parts into one; words of objects that are gone take no space then.
  package var optimize: String {
    "INSERT INTO \(quoted(name)) (\(quoted(name))) VALUES ('optimize')"
  }
}
