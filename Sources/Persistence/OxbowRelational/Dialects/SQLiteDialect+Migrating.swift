extension SQLiteDialect {
  // Columns have the class of each value, so a value needs no other type.
  package func value(
    _ column: String, _ conversion: ValueConversion?, from: ColumnType?, to: ColumnType?
  ) -> String {
    switch conversion {
    case nil: return column
    case .integerToReal: return cast(column, to: .real)
    case .integerToText: return cast(column, to: .text)
    case .uuidToText:
      let parts = [(1, 8), (9, 4), (13, 4), (17, 4), (21, 12)]
        .map { "substr(hex(\(column)), \($0.0), \($0.1))" }
      return "CASE WHEN \(column) IS NOT NULL THEN \(parts.joined(separator: " || '-' || ")) END"
    }
  }

  package func literal(_ value: SQLValue, as type: ColumnType?) -> String { value.literal }

  package func rows(of select: String) -> String { "(\(select))" }

  package func isInexact(_ whole: String) -> String {
    let real = cast(whole, to: .real)
    // A cast back of 2^63 gives the largest number again, so that one is compared as what it is.
    return "(\(cast(real, to: .integer)) <> \(whole) OR \(real) >= 9223372036854775808.0)"
  }

  package var missingFirst: String { "" }
}
