internal import CSQLite
internal import OxbowRelational
internal import OxbowStore

/// What to do with one column of a row: compiled once for each statement and entity, so that the
/// loop over rows has no dictionary, no existential and no allocation in it.
struct CellOperation {
  /// How the value is read.
  enum Code: UInt8 {
    case integer, integer16, integer32, boolean, real, float, date, text, decimal, uri, bytes, uuid,
      entity
  }

  let code: Code

  /// What SQLite must say of the cell's type; not asked when `isProven`.
  let type: Int32

  /// Whether the table's declaration proves type and presence: STRICT and NOT NULL.
  let isProven: Bool

  /// Whether the model allows no value.
  let isOptional: Bool

  /// The statement's column.
  let column: Int32

  /// The word of the row, where it lies in the row, and its null bit.
  let slot: Int
  let offset: Int
  let nullOffset: Int
  let nullBit: UInt64

  /// The place of the column in the shape's values, for messages.
  let value: Int

  init(
    _ column: MappedColumn, at number: Int, value: Int, layout: RowSlab.Layout, isProven: Bool
  ) {
    code = Code(column.codec)
    type =
      switch SQLiteCodecs().type(of: column.codec) {
      case .integer, .any: SQLITE_INTEGER
      case .real: SQLITE_FLOAT
      case .text: SQLITE_TEXT
      case .blob: SQLITE_BLOB
      }
    self.isProven = isProven && column.isRequired
    isOptional = !column.isRequired
    self.column = Int32(number)
    slot = column.slot
    offset = layout.wordOffset(slot)
    nullOffset = RowSlab.Layout.nullOffset(slot)
    nullBit = RowSlab.Layout.nullBit(slot)
    self.value = value
  }
}

extension CellOperation.Code {
  init(_ codec: ColumnCodec) {
    switch codec {
    case .integer16: self = .integer16
    case .integer32: self = .integer32
    case .integer64, .key, .position: self = .integer
    case .boolean: self = .boolean
    case .double: self = .real
    case .float: self = .float
    case .referenceDate: self = .date
    case .text: self = .text
    case .decimalText: self = .decimal
    case .uriText: self = .uri
    case .blob: self = .bytes
    case .uuidBlob: self = .uuid
    case .entityNumber: self = .entity
    }
  }
}
