import OxbowModel

// What an index of words knows of its texts: FTS5 keeps the number of rows and of the words of each
// column in row 1 of its data, and the words of each row in a table of sizes.

extension SearchIndex {
  private var notes: String { "(SELECT \"key\" \(fromNotes))" }

  private var unnoted: String { "NOT IN \(notes)" }

  /// The columns of a search, in front of it; nothing for all.
  func filter(_ places: [Int]) -> String {
    guard places.count < columns.count else { return "" }
    return "{" + places.map { "w\($0)" }.joined(separator: " ") + "} : "
  }

  /// Numbers of columns, as functions read them.
  static func list(of places: [Int]) -> String {
    "'" + places.map(String.init).joined(separator: " ") + "'"
  }

  /// From the totals of all rows that it has.
  var fromTotals: String { " FROM \(quoted(name + "_data")) WHERE \"id\" = 1" }

  /// From the sizes of the rows that it has and is not believed for.
  func fromNotedSizes(_ dialect: any Dialect) -> String {
    " FROM \(notes) AS n \(dialect.leadingJoin) \(quoted(name + "_docsize")) AS d "
      + "ON d.\"id\" = n.\"key\""
  }

  /// From the sizes of the rows that it is believed for.
  var fromBelievedSizes: String {
    " FROM \(quoted(name + "_docsize")) AS d WHERE d.\"id\" \(unnoted)"
  }

  /// How many of the rows that it is believed for have a phrase.
  func countHits(of phrase: String) -> String {
    "(SELECT count(*)\(hits(of: SQLFragment(phrase)).text))"
  }
}
