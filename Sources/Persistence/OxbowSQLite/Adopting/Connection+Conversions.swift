internal import CSQLite
internal import OxbowModel
internal import OxbowRelational

extension Connection {
  /// Registers the conversion of values that another tool wrote.
  ///
  /// Statements name the function; no schema object does.
  func registerConversions() throws {
    try register(ForeignValues.function, 3, function: { giveConverted($0, $2) })
  }
}

/// `oxbow_converted(value, type, dates)`: the value as an attribute's column keeps it, or NULL.
private func giveConverted(_ context: OpaquePointer?, _ arguments: FunctionArguments?) {
  guard let arguments, let value = SQLValue(arguments[0]), value != .null,
    let meaning = ForeignValues.meaning(
      type: Int(sqlite3_value_int64(arguments[1])), dates: Int(sqlite3_value_int64(arguments[2]))),
    let converted = meaning.values.value(value, as: meaning.type)
  else { return sqlite3_result_null(context) }
  // Most values stay as they are: SQLite hands them on without a copy of ours.
  guard converted != value else { return sqlite3_result_value(context, arguments[0]) }
  switch converted {
  case .null: sqlite3_result_null(context)
  case .integer(let number): sqlite3_result_int64(context, number)
  case .real(let number): sqlite3_result_double(context, number)
  case .text(var text): text.withUTF8 { giveText(context, $0) }
  case .blob(let bytes): bytes.withUnsafeBytes { giveBytes(context, $0) }
  }
}

extension SQLValue {
  /// The value of an argument; `nil` for text that is not in UTF-8.
  fileprivate init?(_ value: OpaquePointer?) {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: self = .real(sqlite3_value_double(value))
    case SQLITE_TEXT:
      let start = sqlite3_value_text(value)
      let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
      guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
      self = .text(text)
    case SQLITE_BLOB:
      let start = sqlite3_value_blob(value)
      let count = Int(sqlite3_value_bytes(value))
      self = .blob([UInt8](UnsafeRawBufferPointer(start: start, count: count)))
    default: self = .null
    }
  }
}
