#if PostgreSQL
  internal import OxbowModel
  internal import OxbowRelational

  /// PostgreSQL's language.
  ///
  /// Nothing of it is a function of ours: what the server cannot say exactly is decided in memory.
  /// The store writes its statements itself, so a mapping asks for names, limits and codecs only.
  struct PostgresDialect: Dialect {
    let codecs: any CodecSet = PostgresCodecs()

    var capability: Capability {
      Capability(parameters: 65_535, joins: 60, sortKeys: 60, searchedTexts: 60, nameBytes: 63)
    }

    // MARK: Tables

    func isReserved(table name: String) -> Bool { false }

    var hiddenColumns: [String] { ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"] }

    func name(of type: ColumnType) -> String {
      switch type {
      case .integer: "int8"
      case .integer16: "int2"
      case .integer32: "int4"
      case .boolean: "boolean"
      case .real: "float8"
      case .numeric: "numeric"
      case .text, .any: "text COLLATE \"C\""
      case .blob: "bytea"
      case .uuid: "uuid"
      }
    }

    func options(of table: TableSchema) -> String { "" }

    var deferral: String { "DEFERRABLE INITIALLY DEFERRED" }

    // MARK: Changes

    var insert: String { "INSERT INTO" }
    var update: String { "UPDATE" }

    func upsert(on key: [String], updating columns: [String]) -> String {
      let values = columns.map { "\(quoted($0)) = excluded.\(quoted($0))" }
      return "ON CONFLICT (\(key.map(quoted).joined(separator: ", "))) DO "
        + (values.isEmpty ? "NOTHING" : "UPDATE SET " + values.joined(separator: ", "))
    }

    // MARK: Parameters

    func parameter(_ number: Int) -> String { "$\(number)" }

    func keys(in parameter: String) -> String { "SELECT unnest(\(parameter)::int8[])" }

    func array(of keys: [Int64]) -> SQLValue {
      .text("{" + keys.map(String.init).joined(separator: ",") + "}")
    }

    func list(_ values: [SQLValue]) -> SQLFragment {
      let filled = values.filledUp
      let fitting = filled.count <= capability.parameters ? filled : values
      return .joined(fitting.map(SQLFragment.value), ", ")
    }

    func limit(_ limit: Int?, offset: Int) -> SQLFragment {
      SQLFragment(
        (limit.map { " LIMIT \(max(0, $0))" } ?? "") + (offset > 0 ? " OFFSET \(offset)" : ""))
    }

    // MARK: Conditions

    func truth(_ value: Bool) -> String { value ? "TRUE" : "FALSE" }

    var same: String { "IS NOT DISTINCT FROM" }
    var different: String { "IS DISTINCT FROM" }

    func search(
      _ whole: SQLFragment, _ comparison: TextOperator, _ part: SQLFragment
    ) -> SQLFragment {
      switch comparison {
      case .contains, .like, .matches: "strpos(" + whole + ", " + part + ") > 0"
      case .beginsWith: "starts_with(" + whole + ", " + part + ")"
      case .endsWith: "right(" + whole + ", length(" + part + ")) = " + part
      }
    }

    // Columns have one type each.
    func isNotText(_ value: SQLFragment) -> SQLFragment { SQLFragment("FALSE") }

    var leadingJoin: String { "JOIN" }

    var hasEmptyLists: Bool { false }

    func scan(_ text: String) -> SQLScan { ServerScript(text).scan(of: text) }

    // The transaction refuses what does more than read.
    func mayRead(_ words: [String]) -> Bool {
      ["SELECT", "VALUES", "WITH", "TABLE", "EXPLAIN"].contains(words.first)
    }

    // MARK: Values

    func cast(_ value: SQLFragment, to type: ColumnType) -> SQLFragment {
      "CAST(" + value + " AS \(type == .text ? "text" : name(of: type)))"
    }

    // The server has none of them.
    func name(of function: SQLFunction) -> String { "" }

    var decimalOrder: String { "" }
    var plainOrder: String { " COLLATE \"C\"" }

    func term(_ text: String, in order: TextOrder) -> String { text }

    var now: String {
      "(extract(epoch FROM clock_timestamp())::float8 - 978307200)"
    }
  }

  /// Values in types of their own: whole numbers, Booleans, decimal numbers and UUIDs are what they
  /// are, dates are seconds since 2001.
  struct PostgresCodecs: CodecSet {
    func codec(of type: AttributeType, isExternal: Bool) -> ColumnCodec? {
      SQLiteCodecs().codec(of: type, isExternal: false)
    }

    func type(of codec: ColumnCodec) -> ColumnType {
      switch codec {
      case .integer16: .integer16
      case .integer32: .integer32
      case .boolean: .boolean
      case .decimalText, .decimalNumber: .numeric
      case .dateNumber: .real
      case .uuidBlob: .uuid
      default: SQLiteCodecs().type(of: codec)
      }
    }
  }

  extension ColumnCodec {
    /// The type of a column of the codec.
    var serverType: ServerType {
      switch self {
      case .integer16: .integer16
      case .integer32: .integer32
      case .integer64, .key, .entityNumber, .position: .integer64
      case .boolean: .boolean
      case .double, .float, .referenceDate, .dateNumber: .double
      case .text, .uriText: .text
      case .decimalText, .decimalNumber: .numeric
      case .blob, .taggedBlob: .bytes
      case .uuidBlob: .uuid
      }
    }

    /// What a column needs, in words for errors.
    var need: String {
      switch self {
      case .integer16: "a whole number from -32768 to 32767"
      case .integer32: "a whole number from -2147483648 to 2147483647"
      case .integer64, .position: "a whole number of 64 bits"
      case .boolean: "a Boolean"
      case .double: "a number that is not NaN"
      case .float: "a number in the range of 32 bits that is not NaN"
      case .referenceDate, .dateNumber: "seconds since 2001"
      case .text: "a text"
      case .decimalText, .decimalNumber: "a decimal number of up to 38 digits"
      case .uriText: "a text with a URI"
      case .blob, .taggedBlob: "bytes"
      case .uuidBlob: "a UUID"
      case .key: "the key of an object"
      case .entityNumber: "the number of an entity in _oxbow_entities"
      }
    }
  }
#endif
