#if PostgreSQL
  internal import OxbowRelational

  extension ServerResult {
    /// The rows of a result that came as texts (``ServerStatement/readsTexts``), as a store's
    /// columns keep values.
    var rows: [[SQLValue]] {
      (0..<count).map { row in (0..<columnCount).map { value(row, $0) } }
    }

    func value(_ row: Int, _ column: Int) -> SQLValue {
      guard let cell = cell(row, column) else { return .null }
      let text = String(decoding: cell, as: UTF8.self)
      switch type(of: column) {
      case ServerType.boolean.rawValue: return .integer(text == "t" ? 1 : 0)
      case 20, 21, 23, 26: return Int64(text).map { .integer($0) } ?? .text(text)
      case 700, 701: return Double(text).map { .real($0) } ?? .text(text)
      case ServerType.bytes.rawValue: return .blob(Self.bytes(text.dropFirst(2)))
      case ServerType.uuid.rawValue: return .blob(Self.bytes(text[...]))
      default:
        return .text(TextCoding.decode(cell).map { String(decoding: $0, as: UTF8.self) } ?? text)
      }
    }

    /// The bytes of hexadecimal digits; other characters do not count.
    private static func bytes(_ digits: Substring) -> [UInt8] {
      let values = digits.compactMap(\.hexDigitValue)
      return stride(from: 0, to: values.count - 1, by: 2).map {
        UInt8(truncatingIfNeeded: values[$0] << 4 | values[$0 + 1])
      }
    }
  }
#endif
