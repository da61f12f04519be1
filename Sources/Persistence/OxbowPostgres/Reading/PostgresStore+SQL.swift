#if PostgreSQL
  internal import OxbowFoundation
  package import OxbowModel
  internal import OxbowRelational
  package import OxbowStore

  // Statements that a program writes itself, in the server's language. They run in a transaction
  // that can only read.

  extension PostgresStore {
    package func rows(of sql: SQLText) throws(PersistenceError) -> [SQLRow] {
      try read(nil) { session in
        let result = try session.answer(sql)
        let columns = SQLRow.Columns((0..<result.columnCount).map(result.name(of:)))
        return (0..<result.count).map { row in
          SQLRow(columns, (0..<columns.count).map { result.attributeValue(row, $0) })
        }
      }
    }

    package func rows(
      of entity: Int, keysFrom sql: SQLText
    ) throws(PersistenceError) -> KeyedRows {
      try read(nil) { session in
        let result = try session.answer(sql)
        let names = (0..<result.columnCount).map(result.name(of:))
        let column = try mapping.entities[entity].keyPlace(among: names, sql)
        let keys = try result.rows.map { try $0[column].key(in: sql) }
        let shape = shape(entity)
        let slabs =
          keys.isEmpty || shape.shape.entities.isEmpty
          ? [] : try RowDecoder(self, shape).rows(of: rowsStatement(shape, keys), session)
        try model.requireAll(keys, in: slabs, of: entity, sql)
        return KeyedRows(slabs: slabs, keys: keys)
      }
    }

    /// What a statement of a program has to find before it: names of the store's schema, values in
    /// the forms that are read.
    static func ownSettings(_ names: ServerNames) -> [ServerStatement] {
      [
        "SET LOCAL standard_conforming_strings = on", "SET LOCAL bytea_output = hex",
        "SET LOCAL extra_float_digits = 1", names.search,
      ].map { ServerStatement($0, isKept: false) }
    }

    /// What the server does not take in a text of a program; `nil` for other failures.
    func invalidSQL(_ failure: ServerFailure, _ sql: SQLText) -> PersistenceError? {
      if failure.state == "25006" { return .sqlWrites(nil, sql) }
      guard failure.isOfStatement, failure.guardMark == nil, !failure.isOfPreparing else {
        return nil
      }
      var names: [String] = []
      if failure.state == "42P01" { names = mapping.tables.map(\.name) }
      if failure.state == "42703" {
        names = Array(Set(mapping.tables.flatMap { $0.columns.map(\.name) }))
      }
      let word = failure.message.split(separator: "\"").dropFirst().first.map(String.init) ?? ""
      let near = PersistenceError.nearNames(to: word, among: names)
      // The server reads a name without quotes in small letters.
      let reason = near.isEmpty ? "" : "; names that have capitals are written in quotes"
      return .invalidSQL(failure.message + reason, sql, nearNames: near)
    }
  }

  extension ServerResult {
    /// A value of a result that came as texts: decimal numbers that are whole are whole numbers, as
    /// sums and counts are.
    fileprivate func attributeValue(_ row: Int, _ column: Int) -> AttributeValue? {
      switch value(row, column) {
      case .null: return nil
      case .integer(let number): return .integer(number)
      case .real(let number): return .double(number)
      case .blob(let bytes): return .data(Data(bytes))
      case .text(let text):
        guard type(of: column) == ServerType.numeric.rawValue else { return .string(text) }
        return Int64(text).map { .integer($0) } ?? Decimal(string: text).map { .decimal($0) }
          ?? .string(text)
      }
    }
  }
#endif
