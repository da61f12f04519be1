internal import CSQLite
internal import OxbowModel

extension Connection {
  /// Registers the parts of dates in time zones.
  ///
  /// Statements name the function; no schema object does.
  func registerDateFunctions() throws {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
    let code = sqlite3_create_function_v2(
      handle, "oxbow_date_part", 3, flags, nil,
      { context, _, arguments in
        givePart(context, arguments)
      }, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code) }
  }
}

/// What a statement asks for: a part in a time zone, kept by SQLite as long as both are the same.
private final class PartOfDates {
  let part: DatePart
  let dates: ZonedDates

  init?(part: String, zone: String) {
    guard let part = DatePart(rawValue: part), let dates = ZonedDates(zone: zone) else {
      return nil
    }
    self.part = part
    self.dates = dates
  }
}

/// `oxbow_date_part(seconds, part, zone)`: a number, or NULL for a date that has no such part.
private func givePart(
  _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
) {
  guard let value = arguments?[0], sqlite3_value_type(value) != SQLITE_NULL else {
    return sqlite3_result_null(context)
  }
  guard let wanted = wanted(context, arguments) else {
    return sqlite3_result_error(context, "there is no such part of a date, or no such zone", -1)
  }
  guard let number = wanted.dates.part(wanted.part, of: sqlite3_value_double(value)) else {
    return sqlite3_result_null(context)
  }
  sqlite3_result_int64(context, number)
}

private func wanted(
  _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
) -> PartOfDates? {
  if let known = sqlite3_get_auxdata(context, 1) {
    return Unmanaged<PartOfDates>.fromOpaque(known).takeUnretainedValue()
  }
  guard let part = sqlite3_value_text(arguments?[1]), let zone = sqlite3_value_text(arguments?[2]),
    let new = PartOfDates(part: String(cString: part), zone: String(cString: zone))
  else { return nil }
  sqlite3_set_auxdata(
    context, 1, Unmanaged.passRetained(new).toOpaque(),
    { known in known.map { Unmanaged<PartOfDates>.fromOpaque($0).release() } })
  return new
}
