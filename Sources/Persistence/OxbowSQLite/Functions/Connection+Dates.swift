internal import CSQLite
internal import OxbowModel

extension Connection {
  /// Registers the parts of dates in time zones.
  ///
  /// Statements name the function; no schema object does.
  func registerDateFunctions() throws {
    try register("oxbow_date_part", 3, function: { givePart($0, $2) })
  }
}

/// The part and the time zone that a statement asks for.
private final class PartOfDates {
  let part: DatePart
  let dates: ZonedDates

  init(_ part: DatePart, _ dates: ZonedDates) { (self.part, self.dates) = (part, dates) }
}

/// `oxbow_date_part(seconds, part, zone)`: a number, or NULL for a date that has no such part.
private func givePart(_ context: OpaquePointer?, _ arguments: FunctionArguments?) {
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

private func wanted(_ context: OpaquePointer?, _ arguments: FunctionArguments?) -> PartOfDates? {
  try? kept(context) { () throws(NoSuchPart) in
    guard let text = sqlite3_value_text(arguments?[1]),
      let zone = sqlite3_value_text(arguments?[2]),
      let part = DatePart(rawValue: String(cString: text)),
      let dates = ZonedDates(zone: String(cString: zone))
    else { throw NoSuchPart() }
    return PartOfDates(part, dates)
  }
}

private struct NoSuchPart: Error {}
