#if PostgreSQL
  /// A type of columns and parameters, by the number that every server gives it.
  enum ServerType: UInt32, Sendable {
    case boolean = 16
    case bytes = 17
    case integer64 = 20
    case integer16 = 21
    case integer32 = 23
    case text = 25
    case double = 701
    case numeric = 1700
    case uuid = 2950

    /// The name in statements.
    var name: String {
      switch self {
      case .boolean: "boolean"
      case .bytes: "bytea"
      case .integer64: "int8"
      case .integer16: "int2"
      case .integer32: "int4"
      case .text: "text"
      case .double: "float8"
      case .numeric: "numeric"
      case .uuid: "uuid"
      }
    }

    /// The type in which values travel: decimal numbers do so as texts.
    var carrier: ServerType { self == .numeric ? .text : self }

    /// The number of the type of its arrays.
    var array: UInt32 {
      switch self {
      case .boolean: 1000
      case .bytes: 1001
      case .integer64: 1016
      case .integer16: 1005
      case .integer32: 1007
      case .text: 1009
      case .double: 1022
      case .numeric: 1231
      case .uuid: 2951
      }
    }

    /// What follows an expression of the carrier.
    var cast: String { self == .numeric ? "::numeric" : "" }
  }
#endif
