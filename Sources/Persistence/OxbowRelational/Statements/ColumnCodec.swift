internal import OxbowFoundation
package import OxbowModel

/// How a value is kept in a column.
///
/// A column's codec is chosen once, by the layout. Rows in memory have one form only, whatever the
/// column's form is.
package enum ColumnCodec: UInt8, Hashable, Sendable {
  case integer16, integer32, integer64
  case boolean
  case double
  /// A number of 32 bits in a REAL column.
  case float
  /// Seconds since 2001-01-01T00:00:00Z, as REAL.
  case referenceDate
  case text
  /// A decimal number in plain digits.
  case decimalText
  case uriText
  case blob
  /// The 16 bytes of a UUID.
  case uuidBlob
  /// The key of an object.
  case key
  /// The stored number of an object's entity.
  case entityNumber
  /// A position in an order.
  case position
  /// Seconds since 2001-01-01T00:00:00Z, as INTEGER where they are whole, and as REAL.
  case dateNumber
  /// A decimal number as INTEGER or REAL (``DecimalNumber``).
  case decimalNumber
  /// Bytes behind a tag, or the tagged name of their file (``TaggedCell``).
  case taggedBlob

  /// The codec for a value by itself.
  package init(of value: AttributeValue) {
    switch value {
    case .integer: self = .integer64
    case .double: self = .double
    case .boolean: self = .boolean
    case .string: self = .text
    case .date: self = .referenceDate
    case .data: self = .blob
    case .uuid: self = .uuidBlob
    case .url: self = .uriText
    case .decimal: self = .decimalText
    }
  }

  /// What a reader expects in the column, for messages.
  package var expectation: String {
    switch self {
    case .integer16: "an INTEGER from -32768 to 32767"
    case .integer32: "an INTEGER from -2147483648 to 2147483647"
    case .integer64: "an INTEGER"
    case .boolean: "0 or 1"
    case .double: "a REAL"
    case .float: "a REAL in the range of 32 bits"
    case .referenceDate: "a REAL of seconds since 2001"
    case .text: "TEXT in UTF-8"
    case .decimalText: "TEXT with a decimal number of up to 38 digits"
    case .uriText: "TEXT with a URI"
    case .blob: "a BLOB"
    case .uuidBlob: "a BLOB of 16 bytes"
    case .key: "the key of an object"
    case .entityNumber: "the number of an entity in _oxbow_entities"
    case .position: "an INTEGER"
    case .dateNumber: "an INTEGER or a REAL of seconds since 2001"
    case .decimalNumber: "an INTEGER or a REAL with a decimal number"
    case .taggedBlob: "a BLOB with the tag 01 before bytes, or 02 before the name of a file"
    }
  }

  /// Returns a value as the column has it, or `nil` when the column cannot have it.
  package func encode(_ value: AttributeValue) -> SQLValue? {
    switch (self, value) {
    case (.integer16, .integer(let n)): Int16(exactly: n) == nil ? nil : .integer(n)
    case (.integer32, .integer(let n)): Int32(exactly: n) == nil ? nil : .integer(n)
    case (.integer64, .integer(let n)): .integer(n)
    case (.boolean, .boolean(let truth)): .integer(truth ? 1 : 0)
    // SQLite turns NaN into NULL, so a NaN would be lost silently.
    case (.double, .double(let x)), (.float, .double(let x)): x.isNaN ? nil : .real(x)
    case (.referenceDate, .date(let date)), (.dateNumber, .date(let date)):
      date.timeIntervalSinceReferenceDate.isNaN
        ? nil : .real(date.timeIntervalSinceReferenceDate)
    case (.text, .string(let text)): .text(text)
    case (.decimalText, .decimal(let number)): number.isNaN ? nil : .text(number.description)
    case (.decimalNumber, .decimal(let number)): DecimalNumber.written(number).map { .text($0) }
    case (.uriText, .url(let url)): .text(url.absoluteString)
    case (.blob, .data(let data)): .blob(Array(data))
    case (.taggedBlob, .data(let data)): .blob(TaggedCell.tagged(data))
    case (.uuidBlob, .uuid(let uuid)): .blob(withUnsafeBytes(of: uuid.uuid) { Array($0) })
    default: nil
    }
  }

  /// Returns the value that a column has, or `nil` for NULL and for what the column cannot have.
  package func decode(_ value: SQLValue) -> AttributeValue? {
    switch (self, value) {
    case (.integer16, .integer(let n)): Int16(exactly: n) == nil ? nil : .integer(n)
    case (.integer32, .integer(let n)): Int32(exactly: n) == nil ? nil : .integer(n)
    case (.integer64, .integer(let n)): .integer(n)
    case (.boolean, .integer(let n)): n == 0 || n == 1 ? .boolean(n == 1) : nil
    case (.double, .real(let x)): .double(x)
    // SQLite keeps a whole number of a REAL column as an integer, and RETURNING shows it.
    case (.double, .integer(let n)), (.float, .integer(let n)): .double(Double(n))
    case (.referenceDate, .integer(let n)), (.dateNumber, .integer(let n)):
      .date(Date(timeIntervalSinceReferenceDate: Double(n)))
    case (.float, .real(let x)):
      x.isInfinite || x.magnitude <= Double(Float.greatestFiniteMagnitude) ? .double(x) : nil
    case (.referenceDate, .real(let x)), (.dateNumber, .real(let x)):
      .date(Date(timeIntervalSinceReferenceDate: x))
    case (.text, .text(let text)): .string(text)
    case (.decimalText, .text(let text)): Decimal(string: text).map { .decimal($0) }
    case (.decimalNumber, .integer(let n)): .decimal(Decimal(n))
    case (.decimalNumber, .real(let x)): DecimalNumber(x).map { .decimal($0.value) }
    case (.uriText, .text(let text)): URL(string: text).map { .url($0) }
    case (.blob, .blob(let bytes)): .data(Data(bytes))
    case (.taggedBlob, .blob(let bytes)): TaggedCell(bytes)?.bytes.map { .data(Data($0)) }
    case (.uuidBlob, .blob(let bytes)):
      bytes.count == 16
        ? .uuid(bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }) : nil
    default: nil
    }
  }
}
