internal import CSQLite
internal import OxbowModel
internal import OxbowRelational

extension RowReader {
  /// A cell that does not fit the model.
  @inline(never)
  func unfit(_ operation: CellOperation, _ handle: OpaquePointer, _ key: Int64) -> PersistenceError
  {
    if let error = unfitFile(operation, handle, key) { return error }
    let column = shape.values[operation.value].column
    let seen = seen(handle, operation.column)
    let expected = codecs.expectation(of: column.codec) + (column.isRequired ? "" : " or NULL")
    return PersistenceError(
      .invalidStoredValue,
      "the column '\(column.name)' of the table '\(shape.mapping.table)' has \(seen) in the row "
        + "with \(shape.mapping.keyColumn) \(key), where the model needs \(expected); another "
        + "program wrote it: correct the row in the store")
  }

  /// What is wrong with a value of Core Data beside which the rest of its row can be read; `nil`
  /// for other values.
  @inline(never)
  func failure(
    _ operation: CellOperation, _ handle: OpaquePointer, _ key: Int64
  ) -> PersistenceError? {
    guard operation.code == .decimalNumber else {
      return operation.code == .tagged ? unfitFile(operation, handle, key) : nil
    }
    guard isNaN(handle, operation.column) else { return nil }
    return PersistenceError(
      .invalidStoredValue,
      "the column '\(shape.values[operation.value].column.name)' of the table "
        + "'\(shape.mapping.table)' has the TEXT NaN in the row with \(shape.mapping.keyColumn) "
        + "\(key), which Core Data writes for a decimal that is not a number; set another value")
  }

  /// A row of a type that no entity of the fetch has.
  @inline(never)
  func unknownType(_ number: Int64, _ key: Int64) -> PersistenceError {
    let entity = numbers[number].map { "of '\(model.entities[$0].name)'" } ?? "of no entity"
    let names = shape.entities.map { "'\(model.entities[$0].name)'" }.joined(separator: ", ")
    return PersistenceError(
      .invalidStoredValue,
      "the column '\(shape.mapping.typeColumn ?? "")' of the table '\(shape.mapping.table)' has "
        + "\(number) in the row with \(shape.mapping.keyColumn) \(key), the number \(entity), "
        + "where the number of \(names) was expected; another program wrote it: correct the row in "
        + "the store")
  }

  private func seen(_ handle: OpaquePointer, _ column: Int32) -> String {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_NULL: return "NULL"
    case SQLITE_INTEGER: return "the INTEGER \(sqlite3_column_int64(handle, column))"
    case SQLITE_FLOAT: return "the REAL \(sqlite3_column_double(handle, column))"
    case SQLITE_TEXT: return seenText(handle, column)
    default: return "a BLOB of \(sqlite3_column_bytes(handle, column)) bytes"
    }
  }

  /// Whether a cell has what Core Data writes for a decimal number that is not a number.
  private func isNaN(_ handle: OpaquePointer, _ column: Int32) -> Bool {
    sqlite3_column_type(handle, column) == SQLITE_TEXT
      && sqlite3_column_text(handle, column).map { String(cString: $0) } == "NaN"
  }

  // The text itself is user data: only its length is shown.
  private func seenText(_ handle: OpaquePointer, _ column: Int32) -> String {
    guard let start = sqlite3_column_text(handle, column) else { return "TEXT that cannot be read" }
    let count = Int(sqlite3_column_bytes(handle, column))
    let isValid = isUTF8(UnsafeRawBufferPointer(start: start, count: count))
    return "TEXT of \(count) bytes" + (isValid ? "" : " that is not UTF-8")
  }
}
