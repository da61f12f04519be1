#if PostgreSQL
  internal import OxbowRelational

  /// Rows of values that travel as one array for each column, so that a statement has one text for
  /// any number of rows.
  struct ValueSet {
    private let columns: [(name: String, type: ServerType)]
    private var values: [[SQLValue]]
    private(set) var count = 0

    /// A set of keys and of what belongs to them: `k` first.
    init(_ columns: [(name: String, type: ServerType)]) {
      self.columns = columns
      values = columns.map { _ in [] }
    }

    mutating func append(_ row: [SQLValue]) {
      for (index, value) in row.enumerated() { values[index].append(value) }
      count += 1
    }

    var parameters: [Parameter] {
      zip(columns, values).map { Parameter($1, arrayOf: $0.type) }
    }

    /// The set as a table `n`.
    var source: String {
      let arrays = columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
      return "unnest(\(arrays)) AS n(\(columns.map(\.name).joined(separator: ", ")))"
    }

    /// A column of `n`.
    func value(_ index: Int) -> String { "n.\(columns[index].name)\(columns[index].type.cast)" }

    /// A statement that inserts a row for each of the set, and that ends the transaction if a
    /// trigger of another program has kept some out.
    func inserting(_ insert: String) -> ServerStatement {
      ServerStatement(
        "WITH i AS (\(insert) RETURNING 1) SELECT CASE WHEN count(*) = $\(columns.count + 1) THEN 0 "
          + "ELSE ('oxbow:swallowed:' || count(*))::int4 END FROM i",
        parameters + [.integer(Int64(count))])
    }

    /// A statement that changes a row for each of the set, whose result has the row's key, and that
    /// ends the transaction if it has met fewer.
    func guarding(_ change: String, returning key: String) -> ServerStatement {
      ServerStatement(
        "WITH n AS (SELECT * FROM \(source)), u AS (\(change) RETURNING t.\(key) AS k) "
          + "SELECT CASE WHEN count(u.k) = count(*) THEN 0 "
          + "ELSE ('oxbow:conflict:' || (count(*) - count(u.k)))::int4 END "
          + "FROM n LEFT JOIN u ON u.k = n.k", parameters)
    }
  }
#endif
