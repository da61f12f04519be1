#if PostgreSQL
  internal import OxbowFoundation
  internal import OxbowRelational

  /// The statements about single facts, whose values are of several types: the column `kind` says
  /// which, `value` has numbers and texts, `bytes` has bytes.
  struct FactStatements {
    let names: ServerNames

    init(_ names: ServerNames) { self.names = names }

    var readAll: ServerStatement {
      ServerStatement("SELECT \"name\", \"kind\", \"value\", \"bytes\" FROM \(names.metadata)")
    }

    func read(_ name: String) -> ServerStatement {
      ServerStatement(readAll.text + " WHERE \"name\" = $1", [.text(name)])
    }

    /// The facts of some names.
    func read(_ some: [String]) -> ServerStatement {
      ServerStatement(
        readAll.text + " WHERE \"name\" = ANY($1)",
        [Parameter(some.map { .text($0) }, arrayOf: .text)])
    }

    /// The facts whose names begin with a text, without their values.
    func readNames(beginning start: String) -> ServerStatement {
      ServerStatement(
        "SELECT \"name\" FROM \(names.metadata) WHERE starts_with(\"name\", $1) ORDER BY 1",
        [.text(start)])
    }

    func write(_ name: String, _ value: SQLValue) -> ServerStatement {
      let (kind, text, bytes) = Self.parts(of: value)
      return ServerStatement(
        "INSERT INTO \(names.metadata) VALUES ($1, $2, $3, $4) ON CONFLICT (\"name\") DO UPDATE "
          + "SET \"kind\" = excluded.\"kind\", \"value\" = excluded.\"value\", "
          + "\"bytes\" = excluded.\"bytes\"",
        [.text(name), .text(kind), Parameter(text, as: .text), Parameter(bytes, as: .bytes)])
    }

    /// Writes a number that the server computes.
    func write(_ name: String, computing number: String) -> ServerStatement {
      ServerStatement(
        "INSERT INTO \(names.metadata) SELECT $1, 'integer', (\(number))::text, NULL "
          + "ON CONFLICT (\"name\") DO UPDATE SET \"kind\" = excluded.\"kind\", "
          + "\"value\" = excluded.\"value\", \"bytes\" = NULL", [.text(name)])
    }

    func remove(_ name: String) -> ServerStatement {
      ServerStatement("DELETE FROM \(names.metadata) WHERE \"name\" = $1", [.text(name)])
    }

    private static func parts(of value: SQLValue) -> (String, SQLValue, SQLValue) {
      switch value {
      case .null: ("null", .null, .null)
      case .integer(let number): ("integer", .text(String(number)), .null)
      case .real(let number): ("real", .text("\(number)"), .null)
      case .text: ("text", value, .null)
      case .blob: ("bytes", .null, value)
      }
    }

    /// The facts of a result by name.
    func values(_ result: ServerResult) -> [String: SQLValue] {
      var values: [String: SQLValue] = [:]
      for row in 0..<result.count {
        if let name = result.text(row, 0) { values[name] = value(result, row) }
      }
      return values
    }

    private func value(_ result: ServerResult, _ row: Int) -> SQLValue? {
      let text = result.text(row, 2)
      return switch result.text(row, 1) {
      case "integer": text.flatMap { Int64($0) }.map { .integer($0) }
      case "real": text.flatMap { Double($0) }.map { .real($0) }
      case "text": text.map { .text($0) }
      case "bytes": result.cell(row, 3).map { .blob(Array($0)) }
      default: nil
      }
    }
  }
#endif
