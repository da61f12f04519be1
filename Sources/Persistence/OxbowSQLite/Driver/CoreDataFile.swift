internal import OxbowRelational

/// A file of a large value that is there if, and only if, a row has its cell.
struct CoreDataFile: Sendable {
  let name: String

  /// The statement that finds the row, and what it is given.
  let hasCell: String
  let values: [SQLValue]

  /// Whether the file is that of a value before.
  let isFormer: Bool
}
