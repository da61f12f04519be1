#if PostgreSQL
  internal import OxbowRelational

  extension PostgresDialect {
    func value(
      _ column: String, _ conversion: ValueConversion?, from: ColumnType?, to: ColumnType?
    ) -> String {
      guard let from, let to else { return converted(column, conversion) }
      switch (from, to) {
      case _ where from == to: return column
      // A Boolean is cast to one type of numbers only.
      case (.boolean, _): return cast(cast(column, to: .integer32), to: to)
      case (_, .boolean): return "(\(column) <> 0)"
      case (.uuid, .text): return converted(column, .uuidToText)
      case (.uuid, .blob): return "uuid_send(\(column))"
      default: return cast(column, to: to)
      }
    }

    private func converted(_ column: String, _ conversion: ValueConversion?) -> String {
      switch conversion {
      case nil: column
      case .integerToReal: cast(column, to: .real)
      case .integerToText: cast(column, to: .text)
      case .uuidToText: "upper(\(cast(column, to: .text)))"
      }
    }

    /// A quoted text takes the type of what is around it, where no type is given.
    func literal(_ value: SQLValue, as type: ColumnType?) -> String {
      let text = text(of: value, type)
      return type.map { cast(text, to: $0) } ?? text
    }

    private func text(of value: SQLValue, _ type: ColumnType?) -> String {
      switch value {
      case .null: return "NULL"
      case .integer(let number): return SQLValue.text(String(number)).literal
      case .real(let number): return SQLValue.text("\(number == 0 ? 0 : number)").literal
      case .text(let text):
        var bytes: [UInt8] = []
        TextCoding.append(text.utf8, to: &bytes)
        return SQLValue.text(String(decoding: bytes, as: UTF8.self)).literal
      case .blob(let bytes):
        let digits = value.description.dropFirst(2).dropLast()
        return "'" + (type == .uuid && bytes.count == 16 ? "" : "\\x") + digits + "'"
      }
    }

    func rows(of select: String) -> String { "(\(select)) AS \"rows\"" }

    func isInexact(_ whole: String) -> String {
      // The numbers behind it become 2^63, which is not a whole number of 64 bits.
      let real = cast(whole, to: .real)
      return "CASE WHEN \(whole) > 9223372036854775295 THEN TRUE "
        + "ELSE \(cast(real, to: .integer)) <> \(whole) END"
    }

    var missingFirst: String { " NULLS FIRST" }
  }

  extension Dialect {
    fileprivate func cast(_ text: String, to type: ColumnType) -> String {
      cast(SQLFragment(text), to: type).text
    }
  }
#endif
