/// A select of what groups are made of: a row for each object, which the reader adds to its group.
///
/// A reader that hashes the keys is faster than a statement with `GROUP BY`, which sorts all rows
/// first (docs/performance.md, A).
package struct GroupStatement: Sendable {
  package let sql: SQLFragment

  /// What makes a group.
  package let keys: [Key]

  /// What is made of the objects of a group.
  package let totals: [Total]

  /// A value that makes a group.
  package struct Key: Sendable {
    /// The column of the question.
    package let column: Int

    /// How the value is read.
    package let cell: ColumnStatement.Cell

    package let form: Form
  }

  /// What of a value is compared.
  package enum Form: Sendable {
    case whole, real, text
  }

  /// One value of a group.
  package struct Total: Sendable {
    /// The column of the question.
    package let column: Int

    package let function: Function

    /// The statement's column with the value of each object.
    package let source: Int
  }

  /// How a value of a group comes about.
  package enum Function: Sendable {
    case objects, values
    case wholeSum, realSum, decimalSum
    case wholeAverage, realAverage, decimalAverage
    case wholeMin, wholeMax, realMin, realMax
  }
}
