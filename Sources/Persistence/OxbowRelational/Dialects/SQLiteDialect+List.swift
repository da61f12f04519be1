extension SQLiteDialect {
  /// More values than this are not bound one by one.
  private static let parameterLimit = 1000

  /// What follows `IN (`: parameters, filled up to a power of two so that few texts occur, or a
  /// select of a long list's values.
  package func list(_ values: [SQLValue]) -> SQLFragment {
    guard values.count <= Self.parameterLimit, !values.isEmpty else { return longList(values) }
    let values = values.filledUp
    return SQLFragment(repeatElement("?", count: values.count).joined(separator: ", "), values)
  }

  /// A select for each kind of value that occurs, with one or two parameters for all values of the
  /// kind.
  private func longList(_ values: [SQLValue]) -> SQLFragment {
    var integers: [Int64] = []
    var reals: [Double] = []
    var texts = PackedBytes()
    var blobs = PackedBytes()
    for value in values {
      switch value {
      case .integer(let number): integers.append(number)
      case .real(let number): reals.append(number)
      case .text(let text): texts.append(text.utf8)
      case .blob(let bytes): blobs.append(bytes)
      case .null: break
      }
    }
    let selects = [
      integerList(integers), realList(reals), texts.select(as: "TEXT"), blobs.select(as: "BLOB"),
    ]
    return .joined(selects.compactMap(\.self), " UNION ALL ")
  }

  private func integerList(_ values: [Int64]) -> SQLFragment? {
    guard !values.isEmpty else { return nil }
    return SQLFragment(keys(in: "?"), [array(of: values)])
  }

  /// A select of numbers, each as `m * 2^e` with whole `m` and `e`.
  ///
  /// SQLite may round the last digit of a number in text. The powers are made by doubling and
  /// halving, which is exact.
  private func realList(_ values: [Double]) -> SQLFragment? {
    guard !values.isEmpty else { return nil }
    var result = SQLFragment(
      "SELECT * FROM (WITH RECURSIVE larger(e, power) AS (SELECT 0, 1.0 UNION ALL "
        + "SELECT e + 1, power * 2.0 FROM larger WHERE e < 971), "
        + "smaller(e, power) AS (SELECT -1, 0.5 UNION ALL "
        + "SELECT e - 1, power / 2.0 FROM smaller WHERE e > -1074), "
        + "powers AS MATERIALIZED (SELECT * FROM larger UNION ALL SELECT * FROM smaller) "
        + "SELECT json_extract(value, '$[0]') * power FROM json_each(?) JOIN powers "
        + "ON e = json_extract(value, '$[1]'))",
      [.json(values.filter(\.isFinite).map(wholeParts))])
    for infinity in [Double.infinity, -.infinity] where values.contains(infinity) {
      result = result + " UNION ALL SELECT " + .value(.real(infinity))
    }
    return result
  }

  /// `[m,e]` of a finite number.
  private func wholeParts(_ number: Double) -> String {
    let isSmall = number.exponentBitPattern == 0
    let bits = Int64(number.significandBitPattern) + (isSmall ? 0 : 1 << 52)
    let exponent = isSmall ? -1074 : Int(number.exponentBitPattern) - 1075
    return "[\(number.sign == .minus ? -bits : bits),\(exponent)]"
  }
}

extension SQLValue {
  fileprivate static func json(_ elements: [String]) -> SQLValue {
    .text("[" + elements.joined(separator: ",") + "]")
  }
}

/// Many texts or byte strings in one, with their offsets: JSON cannot have NUL in a text.
private struct PackedBytes {
  private var bytes: [UInt8] = []

  /// For each, where it begins and, in the lower 31 bits, how long it is.
  private var places: [Int] = []

  mutating func append(_ new: some Collection<UInt8>) {
    places.append(bytes.count << 31 | new.count)
    bytes += new
  }

  func select(as type: String) -> SQLFragment? {
    guard !places.isEmpty else { return nil }
    // A part of no bytes is NULL where the whole has none.
    return SQLFragment(
      "SELECT CAST(coalesce(substr(?, (value >> 31) + 1, value & 2147483647), x'') AS \(type)) "
        + "FROM json_each(?)", [.blob(bytes), .json(places.map(String.init))])
  }
}

extension [SQLValue] {
  /// As many as a power of two, by more of the last one: lists of many lengths have few texts.
  package var filledUp: [SQLValue] {
    guard let last else { return [] }
    var size = 1
    while size < count { size *= 2 }
    return self + repeatElement(last, count: size - count)
  }
}
