package import OxbowModel

/// A select of values, and how its cells are read.
package struct ColumnStatement: Sendable {
  package var sql: SQLFragment

  /// The columns of the result, without those that only conditions and orders name.
  package let cells: [Cell]

  /// What all columns have, the unnamed ones as well.
  package let types: [AttributeType]

  /// How a value of the result is read.
  package struct Cell: Sendable {
    /// The column's name, for messages.
    package let name: String

    package let type: AttributeType

    /// How the value is kept, where it is a column's own.
    package let codec: ColumnCodec?

    /// The statement's column.
    package let column: Int

    /// For an object, the entity that its relationship leads to, and the statement's column with
    /// the number of the object's own entity, where it can be of several.
    package let entity: Int
    package let entityColumn: Int?
  }
}
