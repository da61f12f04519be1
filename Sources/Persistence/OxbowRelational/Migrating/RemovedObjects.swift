/// The objects of entities that are removed while their table stays.
///
/// They go as by a deletion that nullifies: links to them go, and objects that others lead from do
/// not.
package struct RemovedObjects: Hashable, Sendable {
  /// The table, its columns of keys and of entities, and the numbers of the entities that go; all
  /// objects of a table without a column of entities.
  package var table: String
  package var key: String
  package var type: String?
  package var numbers: [Int64]

  /// The keys that can lead to them.
  package var keys: [KeyColumns]

  /// The columns of tables of links that can lead to them.
  package var links: [LinkColumn]

  package init(
    table: String, key: String, type: String?, numbers: [Int64], keys: [KeyColumns] = [],
    links: [LinkColumn] = []
  ) {
    (self.table, self.key, self.type) = (table, key, type)
    (self.numbers, self.keys, self.links) = (numbers, keys, links)
  }

  /// A key of a table of objects, with the columns beside it.
  package struct KeyColumns: Hashable, Sendable {
    package var table: String
    package var key: String
    package var others: [String]

    package init(table: String, key: String, others: [String]) {
      (self.table, self.key, self.others) = (table, key, others)
    }
  }

  /// A column of a table of links.
  package struct LinkColumn: Hashable, Sendable {
    package var table: String
    package var column: String

    package init(table: String, column: String) {
      self.table = table
      self.column = column
    }
  }

  /// The statements that take the links away, those of `leaving` rows excepted, which go
  /// themselves.
  package func unlinking(_ leaving: [RemovedObjects]) -> [String] {
    let objects = "(SELECT \(quoted(key)) FROM \(quoted(table)) WHERE \(condition))"
    return links.map {
      "DELETE FROM \(quoted($0.table)) WHERE \(quoted($0.column)) IN \(objects)"
    }
      + keys.map { columns in
        let values = ([columns.key] + columns.others).map { "\(quoted($0)) = NULL" }
        let stays =
          leaving.first { $0.table == columns.table }
          .map { " AND NOT (\($0.condition))" } ?? ""
        return "UPDATE \(quoted(columns.table)) SET \(values.joined(separator: ", ")) "
          + "WHERE \(quoted(columns.key)) IN \(objects)\(stays)"
      }
  }

  package var deletion: String { "DELETE FROM \(quoted(table)) WHERE \(condition)" }

  fileprivate var condition: String {
    type.map { isOne(quoted($0), of: numbers) } ?? "TRUE"
  }
}
