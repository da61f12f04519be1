#if PostgreSQL
  /// Where a store on a PostgreSQL server is.
  ///
  /// ```swift
  /// let coordinator = try PersistentStoreCoordinator(
  ///   model, at: PostgresLocation("postgres://app@db.example.org/shop", schema: "catalog"))
  /// ```
  public struct PostgresLocation: Sendable, Hashable {
    /// The server and the database as libpq takes them: a URI (`postgres://user@host:port/name`),
    /// or key words (`host=… dbname=…`, `service=…`).
    ///
    /// What it does not say is in the environment (`PGHOST` and others), in the user's service file
    /// and in `.pgpass`.
    public var connection: String

    /// The schema of the store's tables: each store has one of its own.
    public var schema: String

    /// Creates a location.
    public init(_ connection: String, schema: String = "oxbow") {
      self.connection = connection
      self.schema = schema
    }

    /// Creates a location from a URI that may have the schema among its parameters
    /// (`postgres://app@db.example.org/shop?schema=catalog`), as the tool takes it.
    public init(uri: String) {
      let parts = uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
      let parameters = parts.count > 1 ? parts[1].split(separator: "&") : []
      // A name that cannot be read is not that of another schema: opening refuses an empty one.
      let schema = parameters.last { $0.hasPrefix(Self.parameter) }
        .map { Self.decoded($0.dropFirst(Self.parameter.count)) ?? "" }
      let rest = parameters.filter { !$0.hasPrefix(Self.parameter) }.joined(separator: "&")
      self.init(
        String(parts.first ?? "") + (rest.isEmpty ? "" : "?" + rest), schema: schema ?? "oxbow")
    }

    private static let parameter = "schema="

    /// A text without the signs for its bytes; `nil` if it is not UTF-8.
    private static func decoded(_ text: Substring) -> String? {
      var bytes: [UInt8] = []
      var rest = text.utf8
      while let byte = rest.popFirst() {
        let digits = String(Substring(rest.prefix(2)))
        guard byte == UInt8(ascii: "%"), let value = UInt8(digits, radix: 16) else {
          bytes.append(byte)
          continue
        }
        bytes.append(value)
        rest = rest.dropFirst(2)
      }
      return String(validating: bytes, as: UTF8.self)
    }

    /// The location for the tool, without a password.
    package var shown: String {
      let uri = ServerAddress(text: connection, connectSeconds: 10).uri
      return uri + (uri.contains("?") ? "&" : "?") + Self.parameter + Self.encoded(schema)
    }

    /// A text as it may be in a URI, with signs for the bytes of everything else.
    static func encoded(_ text: String) -> String {
      text.utf8.reduce(into: "") { result, byte in
        let scalar = Unicode.Scalar(byte)
        let isPlain =
          Character(scalar).isASCII
          && (Character(scalar).isLetter
            || Character(scalar).isNumber || "-._~".contains(Character(scalar)))
        let digits = String(byte, radix: 16, uppercase: true)
        result += isPlain ? String(scalar) : "%" + (byte < 16 ? "0" : "") + digits
      }
    }
  }
#endif
