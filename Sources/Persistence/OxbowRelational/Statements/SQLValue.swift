/// A value as SQL knows it: what is bound to a parameter or read from a column.
public enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

extension SQLValue: CustomStringConvertible {
  /// The value as an SQL literal, for messages; never part of a statement.
  public var description: String {
    switch self {
    case .null: "NULL"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let value): "'\(value)'"
    case .blob(let bytes): "x'\(bytes.map(hexadecimal).joined())'"
    }
  }

  /// The name of the storage class, as `typeof()` gives it in capitals.
  public var typeName: String {
    switch self {
    case .null: "NULL"
    case .integer: "INTEGER"
    case .real: "REAL"
    case .text: "TEXT"
    case .blob: "BLOB"
    }
  }
}

/// Returns the two hexadecimal digits of a byte.
private func hexadecimal(_ byte: UInt8) -> String {
  let text = String(byte, radix: 16)
  return byte < 16 ? "0" + text : text
}
