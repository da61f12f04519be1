internal import CSQLite
internal import OxbowFoundation
internal import OxbowModel
internal import OxbowRelational

/// Reads rows of values.
struct ColumnReader {
  private let cells: [ColumnStatement.Cell]
  private let mapping: StoreMapping
  private let store: UUID
  private let numbers: EntityNumbers
  private let keepsNumbers: Bool

  init(_ cells: [ColumnStatement.Cell], mapping: StoreMapping, store: UUID) {
    self.cells = cells
    self.mapping = mapping
    self.store = store
    numbers = EntityNumbers(mapping)
    keepsNumbers = mapping.dialect.codecs.keepsNumbers
  }

  /// Reads all rows of a statement, whose parameters are bound.
  func rows(_ statement: Statement) throws -> ColumnRows {
    var rows = ColumnRows(width: cells.count)
    while try statement.step() {
      for cell in cells { rows.values.append(try value(of: cell, statement)) }
    }
    return rows
  }

  /// Reads all rows of a statement whose first column is a key, and whose others are values of an
  /// order.
  func places(_ statement: Statement) throws -> [SortPlace] {
    var places: [SortPlace] = []
    while try statement.step() {
      var values: [AttributeValue?] = []
      for cell in cells {
        guard case .attribute(let value) = try value(of: cell, statement) else {
          values.append(nil)
          continue
        }
        values.append(value)
      }
      places.append(SortPlace(values: values, key: statement.integer(at: 0)))
    }
    return places
  }

  /// Reads one cell of the row that the statement is at.
  func value(
    of cell: ColumnStatement.Cell, _ statement: Statement
  ) throws(PersistenceError) -> FetchValue {
    let handle = statement.handle
    let column = Int32(cell.column)
    let type = sqlite3_column_type(handle, column)
    switch (cell.type, type) {
    case (_, SQLITE_NULL): return .null
    case (.integer64, SQLITE_INTEGER):
      return .attribute(.integer(sqlite3_column_int64(handle, column)))
    case (.integer64, SQLITE_FLOAT) where cell.codec == nil: throw .columnOverflow(cell.name)
    case (.double, SQLITE_FLOAT), (.double, SQLITE_INTEGER):
      let number = sqlite3_column_double(handle, column)
      return .attribute(.double(number == 0 ? 0 : number))
    case (.objectID, SQLITE_INTEGER): return .object(try object(of: cell, statement))
    case (.boolean, SQLITE_INTEGER):
      let number = sqlite3_column_int64(handle, column)
      guard number & ~1 == 0 else { break }
      return .attribute(.boolean(number == 1))
    case (.date, SQLITE_FLOAT),
      // Of Core Data.
      (.date, SQLITE_INTEGER) where keepsNumbers:
      let seconds = sqlite3_column_double(handle, column)
      return .attribute(.date(Date(timeIntervalSinceReferenceDate: seconds)))
    case (.binaryData, SQLITE_BLOB) where cell.codec == .taggedBlob:
      if let data = try tagged(cell, handle) { return .attribute(.data(data)) }
    case (.binaryData, SQLITE_BLOB):
      let bytes = bytes(handle, column)
      let value = try ExternalFolder.bytes(
        bytes, "the column '\(cell.name)' of a fetch of rows", handle)
      return .attribute(.data(value.map { Data($0) } ?? Data(bytes)))
    case (.uuid, SQLITE_BLOB):
      let bytes = bytes(handle, column)
      guard bytes.count == 16 else { break }
      return .attribute(.uuid(UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))))
    case (.decimal, SQLITE_INTEGER) where keepsNumbers, (.decimal, SQLITE_FLOAT) where keepsNumbers:
      let text = decimalText(sqlite3_column_value(handle, column))
      if let number = text.flatMap({ Decimal(string: $0) }) { return .attribute(.decimal(number)) }
    case (.decimal, SQLITE_TEXT) where keepsNumbers && cell.codec != .decimalText:
      if bytes(handle, column).elementsEqual("NaN".utf8) { return .attribute(.decimal(.nan)) }
    case (.string, SQLITE_TEXT), (.decimal, SQLITE_TEXT), (.uri, SQLITE_TEXT):
      if let value = text(handle, column, as: cell.type) { return .attribute(value) }
    default: break
    }
    throw PersistenceError(
      .invalidStoredValue,
      "the column '\(cell.name)' of a fetch of rows has \(seen(type)), which is not a value of the "
        + "type '\(cell.type.rawValue)'; another program wrote it: correct the row in the store")
  }

  private func text(
    _ handle: OpaquePointer, _ column: Int32, as type: AttributeType
  ) -> AttributeValue? {
    guard let start = sqlite3_column_text(handle, column) else { return nil }
    let count = Int(sqlite3_column_bytes(handle, column))
    let bytes = UnsafeRawBufferPointer(start: start, count: count)
    guard isUTF8(bytes) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    switch type {
    case .decimal: return Decimal(string: text).map { .decimal($0) }
    case .uri: return URL(string: text).map { .url($0) }
    default: return .string(text)
    }
  }

  /// The value of a tagged cell; `nil` for another tag.
  private func tagged(
    _ cell: ColumnStatement.Cell, _ handle: OpaquePointer
  ) throws(PersistenceError) -> Data? {
    let bytes = bytes(handle, Int32(cell.column))
    guard bytes.first != TaggedCell.inlineTag else { return Data(bytes.dropFirst()) }
    do throws(ExternalFileError) {
      guard let folder = CoreDataFolder(handle), let file = try folder.file(of: bytes) else {
        return nil
      }
      return Data(try file.bytes())
    } catch { throw .unreadable("the column '\(cell.name)' of a fetch of rows", error) }
  }

  private func bytes(_ handle: OpaquePointer, _ column: Int32) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_blob(handle, column)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
  }

  private func object(
    of cell: ColumnStatement.Cell, _ statement: Statement
  ) throws(PersistenceError) -> ManagedObjectID {
    let model = mapping.model
    var entity = model.entities[cell.entity]
    let number = cell.entityColumn.map { statement.integer(at: $0) }
    // Core Data may have no number of an entity there.
    if let number, numbers[number] != nil || !keepsNumbers {
      guard let known = numbers[number] else {
        throw PersistenceError(
          .invalidStoredValue,
          "the column '\(cell.name)' of a fetch of rows leads to an object of the entity with the "
            + "number \(number), which the model does not have; another program wrote it: correct "
            + "the row in the store")
      }
      entity = model.entities[known]
    } else if let only = entity.concrete.first, entity.isAbstract {
      entity = model.entities[only]
    }
    return ManagedObjectID(
      store: store, rootEntityName: model.entities[entity.root].name, entityName: entity.name,
      key: statement.integer(at: cell.column))
  }

  private func seen(_ type: Int32) -> String {
    switch type {
    case SQLITE_INTEGER: "an INTEGER"
    case SQLITE_FLOAT: "a REAL"
    case SQLITE_TEXT: "TEXT"
    default: "a BLOB"
    }
  }
}
