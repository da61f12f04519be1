import OxbowModel

/// The tables with which a statement begins that ranks the rows which a search for words finds.
///
/// The first has one text: the numbers of all texts (``WordStatistics``). The second has the key
/// and the rank of each row that meets the search: those that an index of words is believed for by
/// the index, all others by their texts. No entity has their names; the second is called `r` in
/// what follows.
struct RankedTables {
  /// The rank of a row, and its key.
  static let rank = "r.\"rank\""
  static let key = "r.\"key\""

  static let numbers = quoted(MetadataTables.prefix + "numbers")
  static let ranks = quoted(MetadataTables.prefix + "ranks")
  static let best = quoted(MetadataTables.prefix + "best")

  /// Rows whose texts are read.
  struct Source {
    let from: String
    var condition: String?
  }

  let query: WordQuery
  let dialect: any Dialect

  /// The rows whose texts are read, their keys, and their texts.
  let sources: [Source]
  let key: String
  let texts: [SQLFragment]

  /// The index, and where it has the words.
  let index: (index: SearchIndex, places: [Int])?

  private var search: SQLFragment { .value(.text(query.description)) }

  /// What a statement begins with.
  var head: SQLFragment {
    "WITH \(Self.numbers) (\"numbers\") AS MATERIALIZED (" + statistics + "), "
      + "\(Self.ranks) (\"key\", \"rank\") AS MATERIALIZED (" + hits + ")"
  }

  // MARK: Numbers

  /// The select of one text: what the search ranks by.
  ///
  /// Its rows begin with what they are (`RankNumbers` in `OxbowSQLite`), and are as wide as the
  /// widest.
  var statistics: SQLFragment {
    let width = max(3, texts.count)
    let rows =
      (index.map { indexed($0.index, $0.places) } ?? [])
      + sources.map { source in
        Row([SQLFragment("0")] + texts, SQLFragment(source.from), source.condition)
      }
    let selects = rows.map { values, from, condition in
      let missing = Array(repeating: SQLFragment("NULL"), count: width + 1 - values.count)
      let all = values + missing
      let named = all.enumerated().map { $1 + " AS \"n\($0)\"" }
      return "SELECT " + SQLFragment.joined(named, ", ") + from
        + (condition.map { " WHERE " + $0 } ?? "")
    }
    let arguments = [search] + (0...width).map { SQLFragment("\"n\($0)\"") }
    return "SELECT " + dialect.call(.wordStatistics, arguments) + " FROM ("
      + .joined(selects, " UNION ALL ") + ")"
  }

  private typealias Row = (values: [SQLFragment], from: SQLFragment, condition: String?)

  /// What an index knows of the rows that it is believed for.
  private func indexed(_ index: SearchIndex, _ places: [Int]) -> [Row] {
    let list = SearchIndex.list(of: places)
    var sizes: [Row] = []
    if places.count == index.columns.count {
      sizes.append((Self.values("1", "\"block\"", list), SQLFragment(index.fromTotals), nil))
      let noted = SQLFragment(index.fromNotedSizes(dialect))
      sizes.append((Self.values("2", "d.\"sz\"", list, "-1"), noted, nil))
    } else {
      let believed = SQLFragment(index.fromBelievedSizes)
      sizes.append((Self.values("2", "d.\"sz\"", list, "1"), believed, nil))
    }
    let phrases = SQLFragment.value(
      .text((dialect as? SQLiteDialect)?.phrases(of: query, columns: index.filter(places)) ?? "[]"))
    let hits = Self.values("3", "j.\"key\"", index.countHits(of: "j.\"value\""))
    return sizes + [(hits, " FROM json_each(" + phrases + ") AS j", "j.\"type\" = 'text'")]
  }

  private static func values(_ texts: String...) -> [SQLFragment] { texts.map { SQLFragment($0) } }

  // MARK: Hits

  /// The select of keys and ranks.
  private var hits: SQLFragment {
    let numbers = SQLFragment("(SELECT \"numbers\" FROM \(Self.numbers))")
    var selects: [SQLFragment] = []
    if let (index, places) = index, let match = (dialect as? SQLiteDialect)?.text(of: query) {
      let arguments = [
        SQLFragment(quoted(index.name)), numbers, search, SQLFragment(SearchIndex.list(of: places)),
      ]
      selects.append(
        "SELECT rowid, " + dialect.call(.indexRank, arguments)
          + index.hits(of: .value(.text(index.filter(places) + match))))
    }
    let test = dialect.call(.words, [texts[0], search] + texts.dropFirst())
    for source in sources {
      selects.append(
        "SELECT \(key), " + dialect.call(.rank, [numbers, search] + texts) + source.from + " WHERE "
          + (source.condition.map { "\($0) AND " } ?? "") + test)
    }
    return .joined(selects, " UNION ALL ")
  }
}
