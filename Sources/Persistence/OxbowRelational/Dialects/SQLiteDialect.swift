package import OxbowModel

/// SQLite's language, with the functions and collations that `OxbowSQLite` registers in a
/// connection (`oxbow_…`).
package struct SQLiteDialect: Dialect {
  package let codecs: any CodecSet

  package init(codecs: any CodecSet = SQLiteCodecs()) { self.codecs = codecs }

  package var capability: Capability {
    // SQLite joins up to 64 tables. 3.40 crashes when it sorts by 63 terms of joined tables.
    Capability(parameters: 32_766, joins: 60, sortKeys: 60, searchedTexts: 60)
  }

  // MARK: Tables

  package func isReserved(table name: String) -> Bool { name.lowercased().hasPrefix("sqlite_") }

  package var hiddenColumns: [String] { ["rowid", "oid", "_rowid_"] }

  package func name(of type: ColumnType) -> String { type.rawValue }

  package func options(of table: TableSchema) -> String {
    let options = [table.isStrict ? "STRICT" : nil, table.isWithoutRowID ? "WITHOUT ROWID" : nil]
    return options.compactMap(\.self).joined(separator: ", ")
  }

  package var deferral: String { "DEFERRABLE INITIALLY DEFERRED" }

  // MARK: Changes

  // `OR ABORT` overrides an `ON CONFLICT` clause of the table.
  package var insert: String { "INSERT OR ABORT INTO" }
  package var update: String { "UPDATE OR ABORT" }

  package func upsert(on key: [String], updating columns: [String]) -> String {
    let values = columns.map { "\(quoted($0)) = excluded.\(quoted($0))" }
    return "ON CONFLICT (\(key.map(quoted).joined(separator: ", "))) DO "
      + (values.isEmpty ? "NOTHING" : "UPDATE SET " + values.joined(separator: ", "))
  }

  // MARK: Parameters

  package func parameter(_ number: Int) -> String { "?\(number)" }

  package func keys(in parameter: String) -> String { "SELECT value FROM json_each(\(parameter))" }

  package func array(of keys: [Int64]) -> SQLValue {
    var text = "["
    text.reserveCapacity(8 * keys.count + 2)
    for key in keys {
      if text.utf8.count > 1 { text += "," }
      text += String(key)
    }
    return .text(text + "]")
  }

  package func limit(_ limit: Int?, offset: Int) -> SQLFragment {
    guard limit != nil || offset > 0 else { return SQLFragment() }
    let start = SQLFragment(" LIMIT ?", [.integer(Int64(limit ?? -1))])
    return offset > 0 ? start + SQLFragment(" OFFSET ?", [.integer(Int64(offset))]) : start
  }

  // MARK: Conditions

  package func truth(_ value: Bool) -> String { value ? "1" : "0" }

  package var same: String { "IS" }
  package var different: String { "IS NOT" }

  // SQLite's functions for text stop at a NUL character, so lengths are taken of blobs.
  package func search(
    _ whole: SQLFragment, _ comparison: TextOperator, _ part: SQLFragment
  ) -> SQLFragment {
    let bytes = cast(part, to: .blob)
    let subject = cast(whole, to: .blob)
    // substr of an empty blob is NULL, not empty; substr(x, -0) is x itself, not its empty end.
    let place: SQLFragment
    switch comparison {
    case .contains, .like, .matches: return "instr(" + whole + ", " + part + ") > 0"
    case .beginsWith: place = "1, length(" + bytes + ")"
    case .endsWith: place = "-length(" + bytes + ")"
    }
    return "CASE length(" + bytes + ") WHEN 0 THEN " + whole + " IS NOT NULL ELSE substr("
      + subject + ", " + place + ") = " + bytes + " END"
  }

  package func isNotText(_ value: SQLFragment) -> SQLFragment { "typeof(" + value + ") <> 'text'" }

  package var leadingJoin: String { "CROSS JOIN" }

  package var hasEmptyLists: Bool { true }

  package func scan(_ text: String) -> SQLScan { SQLScan(text) }

  package func mayRead(_ words: [String]) -> Bool {
    var words = words[...]
    // EXPLAIN QUERY PLAN, EXPLAIN: SQLite would run a PRAGMA behind it.
    if words.first == "EXPLAIN" { words = words.dropFirst() }
    if words.starts(with: ["QUERY", "PLAN"]) { words = words.dropFirst(2) }
    return ["SELECT", "VALUES", "WITH"].contains(words.first)
  }

  // MARK: Values

  package func cast(_ value: SQLFragment, to type: ColumnType) -> SQLFragment {
    "CAST(" + value + " AS \(name(of: type)))"
  }

  package func name(of function: SQLFunction) -> String {
    switch function {
    case .test(let comparison): "oxbow_" + comparison.rawValue.lowercased()
    case .words: "oxbow_words"
    case .wordStatistics: "oxbow_word_statistics"
    case .rank: "oxbow_rank"
    case .indexRank: "oxbow_index_rank"
    case .snippet: "oxbow_snippet"
    case .folded: "oxbow_folded"
    case .lowercase: "oxbow_lowercase"
    case .uppercase: "oxbow_uppercase"
    case .power: "oxbow_power"
    case .exclusiveOr: "oxbow_exclusive_or"
    case .datePart: "oxbow_date_part"
    case .decimalSum: "oxbow_decimal_sum"
    case .decimalAverage: "oxbow_decimal_average"
    case .decimalText: "oxbow_decimal_text"
    case .keptDecimal: "oxbow_kept_decimal"
    case .single: "oxbow_single"
    case .wholeAverage: "oxbow_whole_average"
    case .total: "total"
    }
  }

  package var decimalOrder: String { " COLLATE oxbow_decimal" }
  package var plainOrder: String { " COLLATE BINARY" }

  // A key of bytes, or a collation where a language compares.
  package func term(_ text: String, in order: TextOrder) -> String {
    order.isLocalized
      ? "\(text) COLLATE \(quoted(order.collation))"
      : "oxbow_text_order(\(text), \(order.rawValue))"
  }

  package var now: String { "((julianday('now') - 2451910.5) * 86400.0)" }
}

/// Values in the five classes of SQLite.
package struct SQLiteCodecs: CodecSet {
  package init() {}

  package func codec(of type: AttributeType, isExternal: Bool) -> ColumnCodec? {
    switch type {
    case .integer16: .integer16
    case .integer32: .integer32
    case .integer64: .integer64
    case .boolean: .boolean
    case .double: .double
    case .float: .float
    case .date: .referenceDate
    case .string: .text
    case .decimal: .decimalText
    case .uri: .uriText
    case .binaryData, .transformable: .blob
    case .uuid: .uuidBlob
    case .undefined, .composite, .objectID: nil
    }
  }

  package func type(of codec: ColumnCodec) -> ColumnType {
    switch codec {
    case .integer16, .integer32, .integer64, .boolean, .key, .entityNumber, .position: .integer
    case .double, .float, .referenceDate: .real
    case .text, .decimalText, .uriText: .text
    case .blob, .uuidBlob, .taggedBlob: .blob
    case .dateNumber, .decimalNumber: .any
    }
  }
}
