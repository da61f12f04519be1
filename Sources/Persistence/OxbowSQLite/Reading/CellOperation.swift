internal import CSQLite
internal import OxbowRelational
internal import OxbowStore

/// What to do with one column of a row: compiled once for each statement and entity, so that the
/// loop over rows has no dictionary, no existential and no allocation in it.
struct CellOperation {
  /// How the value is read.
  enum Code: UInt8 {
    case integer, integer16, integer32, boolean, real, float, date, text, decimal, uri, bytes, uuid,
      entity, entityIfKnown, decimalNumber, tagged
  }

  let code: Code

  /// What SQLite may say of the cell's type, a bit for each; not asked when `isProven`.
  let types: UInt8

  /// Whether the table's declaration proves type and presence: STRICT and NOT NULL.
  let isProven: Bool

  /// Whether there may be no value: the model allows it, or Core Data may have left it so.
  let isOptional: Bool

  /// The statement's column.
  let column: Int32

  /// The word of the row, where it is in the row, and its null bit.
  let slot: Int
  let offset: Int
  let nullOffset: Int
  let nullBit: UInt64

  /// The place of the column in the shape's values, for messages.
  let value: Int

  init(
    _ column: MappedColumn, at number: Int, value: Int, layout: RowSlab.Layout, isProven: Bool,
    _ codecs: any CodecSet
  ) {
    // Where Core Data's number is of no entity, the row that the key leads to says its own.
    code =
      column.codec == .entityNumber && codecs.keepsNumbers ? .entityIfKnown : Code(column.codec)
    types = codecs.types(of: column.codec).reduce(0) { $0 | 1 << UInt8($1.storageClass) }
    self.isProven = isProven && column.isRequired
    isOptional = !column.isRequired || codecs.keepsNumbers
    self.column = Int32(number)
    slot = column.slot
    offset = layout.wordOffset(slot)
    nullOffset = RowSlab.Layout.nullOffset(slot)
    nullBit = RowSlab.Layout.nullBit(slot)
    self.value = value
  }
}

extension ColumnType {
  /// SQLite's number for the class of such values.
  var storageClass: Int32 {
    switch self {
    case .integer, .integer16, .integer32, .boolean, .any: SQLITE_INTEGER
    case .real: SQLITE_FLOAT
    case .text, .numeric: SQLITE_TEXT
    case .blob, .uuid: SQLITE_BLOB
    }
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
    case .referenceDate, .dateNumber: self = .date
    case .text: self = .text
    case .decimalText: self = .decimal
    case .uriText: self = .uri
    case .blob: self = .bytes
    case .uuidBlob: self = .uuid
    case .entityNumber: self = .entity
    case .decimalNumber: self = .decimalNumber
    case .taggedBlob: self = .tagged
    }
  }
}
