/// A value as SQL knows it: what is bound to a parameter or read from a column.
///
/// Two are equal if a store keeps both as the same: texts with the same bytes.
public enum SQLValue: Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

extension SQLValue: Hashable {
  /// Whether a store keeps two values as the same.
  public static func == (one: SQLValue, other: SQLValue) -> Bool {
    switch (one, other) {
    case (.null, .null): true
    case (.integer(let one), .integer(let other)): one == other
    case (.real(let one), .real(let other)): one == other
    case (.text(let one), .text(let other)): one.utf8.elementsEqual(other.utf8)
    case (.blob(let one), .blob(let other)): one == other
    default: false
    }
  }

  /// Hashes the bytes of a text.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .integer(let value): hasher.combine(value)
    case .real(let value): hasher.combine(value)
    case .text(var text):
      text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
      hasher.combine(UInt8(0xFF))
    case .blob(let bytes): hasher.combine(bytes)
    }
  }
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
