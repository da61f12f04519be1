internal import CSQLite
internal import OxbowFoundation
internal import OxbowRelational

/// The decimal number of a cell that has a number, in plain digits; `nil` for a REAL that is too
/// large or too small.
func decimalText(_ value: OpaquePointer?) -> String? {
  sqlite3_value_type(value) == SQLITE_INTEGER
    ? String(sqlite3_value_int64(value)) : DecimalNumber.text(of: sqlite3_value_double(value))
}
