package import OxbowModel

/// How the tables of another tool become those of a store, decided and not run.
package struct TableConversion: Hashable, Sendable {
  /// A table that gets its rows from another one.
  package struct Fill: Hashable, Sendable {
    package var table: TableSchema

    /// The columns that get values, and the statement that reads these.
    package var columns: [String]
    package var select: String

    /// The statement that counts the rows that there must be afterwards.
    package var count: String

    /// The last key that the table ever had, with the number of the root entity.
    package var lastKey: LastKey?

    package init(
      table: TableSchema, columns: [String], select: String, count: String, lastKey: LastKey? = nil
    ) {
      (self.table, self.columns, self.select) = (table, columns, select)
      (self.count, self.lastKey) = (count, lastKey)
    }
  }

  /// The last key that was handed out below a root entity.
  package struct LastKey: Hashable, Sendable {
    package var root: Int64
    package var key: Int64

    package init(root: Int64, key: Int64) {
      self.root = root
      self.key = key
    }
  }

  package var fills: [Fill]

  /// The tables that begin without rows.
  package var emptyTables: [TableSchema]

  /// The statements that remove what the other tool made.
  package var removals: [String]

  package init(fills: [Fill], emptyTables: [TableSchema], removals: [String]) {
    (self.fills, self.emptyTables, self.removals) = (fills, emptyTables, removals)
  }

  package var after: [TableSchema] { fills.map(\.table) + emptyTables }
}

extension ForeignValues {
  /// The function that converts a value in a statement, and gives NULL for what does not convert.
  ///
  /// It takes the value, the number of the attribute's type, the number of the meaning of dates.
  package static let function = "oxbow_converted"

  /// The expression that converts a value for an attribute of a type.
  package func text(_ value: String, as type: AttributeType) -> String {
    let number = AttributeType.allCases.firstIndex(of: type) ?? 0
    let dates = NumericDates.allCases.firstIndex(of: dates) ?? 0
    return "\(Self.function)(\(value), \(number), \(dates))"
  }

  /// What the numbers of a call mean; `nil` when they mean nothing.
  package static func meaning(
    type: Int, dates: Int
  ) -> (type: AttributeType, values: ForeignValues)? {
    guard AttributeType.allCases.indices.contains(type),
      NumericDates.allCases.indices.contains(dates)
    else { return nil }
    return (AttributeType.allCases[type], ForeignValues(dates: NumericDates.allCases[dates]))
  }
}
