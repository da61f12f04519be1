public import OxbowFoundation
public import OxbowModel

/// A Swift type that an attribute of an entity can have.
///
/// Oxbow conforms the types that the store keeps. An enumeration with raw values of one of them
/// becomes an attribute type by declaring the conformance; the store then keeps its raw value. A
/// stored raw value that the enumeration does not have is an error (`invalidStoredValue`), like any
/// other value that does not fit.
///
/// ```swift
/// enum Genre: String, AttributeConvertible { case novel, crime }
/// ```
///
/// Another type declares its value in the store, and the value that a getter returns if it cannot
/// read:
///
/// ```swift
/// struct Celsius: AttributeConvertible {
///   var degrees: Double
///   init(degrees: Double) { self.degrees = degrees }
///   static var attributeType: AttributeType { .double }
///   static var attributePlaceholder: Celsius { Celsius(degrees: 0) }
///   init?(attributeValue: AttributeValue) {
///     guard case .double(let degrees) = attributeValue else { return nil }
///     self.degrees = degrees
///   }
///   var attributeValue: AttributeValue { .double(degrees) }
/// }
/// ```
public protocol AttributeConvertible: FetchValueConvertible, Sendable {
  /// The attribute type that the model declares for it.
  static var attributeType: AttributeType { get }

  /// The value that a getter returns if it cannot read (see ``PersistenceError/Code/rowGone``),
  /// which is never saved: zero, the empty text, the first case of an enumeration.
  static var attributePlaceholder: Self { get }

  /// Creates the Swift value, or returns `nil` if the attribute value is of another type.
  init?(attributeValue: AttributeValue)

  /// The value as the store sees it.
  var attributeValue: AttributeValue { get }

  /// Reads word `slot` of a row, known to have a value of the right type.
  ///
  /// - Returns: `nil` when the type has no such value.
  static func _read(_ slab: RowSlab, _ row: Int, _ slot: Int) -> Self?

  /// Writes word `slot` of the row of a new object.
  ///
  /// - Returns: Whether the row can have the value.
  static func _write(_ value: Self, to slab: RowSlab, _ row: Int, _ slot: Int) -> Bool
}

extension AttributeConvertible {
  /// The value as a constant of a predicate.
  public var fetchValue: FetchValue { .attribute(attributeValue) }

  /// Reads a word of a row through the attribute value.
  public static func _read(_ slab: RowSlab, _ row: Int, _ slot: Int) -> Self? {
    AttributeValue.read(slab, row, slot, as: attributeType).flatMap { Self(attributeValue: $0) }
  }

  /// Writes a word of the row of a new object through the attribute value.
  public static func _write(
    _ value: Self, to slab: RowSlab, _ row: Int, _ slot: Int
  ) -> Bool {
    slab.draft(value.attributeValue, as: attributeType, row, slot)
  }
}

extension AttributeConvertible where Self: FixedWidthInteger {
  /// The number as a constant of a predicate.
  public var fetchValue: FetchValue { .attribute(attributeValue) }

  /// Reads a word of a row.
  @inlinable public static func _read(_ slab: RowSlab, _ row: Int, _ slot: Int) -> Self? {
    Self(truncatingIfNeeded: slab._word(row, slot))
  }

  /// Writes a word of the row of a new object.
  @inlinable public static func _write(
    _ value: Self, to slab: RowSlab, _ row: Int, _ slot: Int
  ) -> Bool {
    slab._setWord(row, slot, Int64(value))
    return true
  }

  /// Zero.
  public static var attributePlaceholder: Self { 0 }

  /// Creates the number, or returns `nil` when it is out of range.
  public init?(attributeValue: AttributeValue) {
    guard case .integer(let number) = attributeValue else { return nil }
    self.init(exactly: number)
  }

  /// The number as the store sees it.
  public var attributeValue: AttributeValue { .integer(Int64(self)) }
}

extension Int16: AttributeConvertible {
  /// Integer 16.
  public static var attributeType: AttributeType { .integer16 }
}
extension Int32: AttributeConvertible {
  /// Integer 32.
  public static var attributeType: AttributeType { .integer32 }
}
extension Int64: AttributeConvertible {
  /// Integer 64.
  public static var attributeType: AttributeType { .integer64 }
}
extension Int: AttributeConvertible {
  /// Integer 64.
  public static var attributeType: AttributeType { .integer64 }
}

extension Double: AttributeConvertible {
  /// Double.
  public static var attributeType: AttributeType { .double }
  /// Zero.
  public static var attributePlaceholder: Double { 0 }
  /// Creates the number, or returns `nil` for a value of another type.
  public init?(attributeValue: AttributeValue) {
    guard case .double(let number) = attributeValue else { return nil }
    self = number
  }
  /// The number as the store sees it.
  public var attributeValue: AttributeValue { .double(self) }
  /// Reads a word of a row.
  @inlinable public static func _read(_ slab: RowSlab, _ row: Int, _ slot: Int) -> Double? {
    slab._real(row, slot)
  }
  /// Writes a word of the row of a new object.
  @inlinable public static func _write(
    _ value: Double, to slab: RowSlab, _ row: Int, _ slot: Int
  ) -> Bool {
    slab._setReal(row, slot, value)
    return true
  }
}

extension Float: AttributeConvertible {
  /// Float.
  public static var attributeType: AttributeType { .float }
  /// Zero.
  public static var attributePlaceholder: Float { 0 }
  /// Creates the number, or returns `nil` for a value of another type.
  public init?(attributeValue: AttributeValue) {
    guard case .double(let number) = attributeValue else { return nil }
    self = Float(number)
  }
  /// The number as the store sees it.
  public var attributeValue: AttributeValue { .double(Double(self)) }
  /// Reads a word of a row.
  @inlinable public static func _read(_ slab: RowSlab, _ row: Int, _ slot: Int) -> Float? {
    Float(slab._real(row, slot))
  }
}

extension Bool: AttributeConvertible {
  /// Boolean.
  public static var attributeType: AttributeType { .boolean }
  /// False.
  public static var attributePlaceholder: Bool { false }
  /// Creates the truth value, or returns `nil` for a value of another type.
  public init?(attributeValue: AttributeValue) {
    guard case .boolean(let truth) = attributeValue else { return nil }
    self = truth
  }
  /// The truth value as the store sees it.
  public var attributeValue: AttributeValue { .boolean(self) }
  /// Reads a word of a row.
  @inlinable public static func _read(_ slab: RowSlab, _ row: Int, _ slot: Int) -> Bool? {
    slab._word(row, slot) != 0
  }
  /// Writes a word of the row of a new object.
  @inlinable public static func _write(
    _ value: Bool, to slab: RowSlab, _ row: Int, _ slot: Int
  ) -> Bool {
    slab._setWord(row, slot, value ? 1 : 0)
    return true
  }
}

extension String: AttributeConvertible {
  /// String.
  public static var attributeType: AttributeType { .string }
  /// The empty text.
  public static var attributePlaceholder: String { "" }
  /// Creates the text, or returns `nil` for a value of another type.
  public init?(attributeValue: AttributeValue) {
    guard case .string(let text) = attributeValue else { return nil }
    self = text
  }
  /// The text as the store sees it.
  public var attributeValue: AttributeValue { .string(self) }
  /// Reads a word of a row; stores have checked that it is UTF-8.
  @inlinable public static func _read(_ slab: RowSlab, _ row: Int, _ slot: Int) -> String? {
    String(decoding: slab._span(row, slot), as: UTF8.self)
  }
  /// Writes a word of the row of a new object.
  @inlinable public static func _write(
    _ value: String, to slab: RowSlab, _ row: Int, _ slot: Int
  ) -> Bool {
    slab._setText(row, slot, value)
  }
}

extension Date: AttributeConvertible {
  /// Date.
  public static var attributeType: AttributeType { .date }
  /// The reference date, 2001-01-01T00:00:00Z.
  public static var attributePlaceholder: Date { Date(timeIntervalSinceReferenceDate: 0) }
  /// Creates the moment, or returns `nil` for a value of another type.
  public init?(attributeValue: AttributeValue) {
    guard case .date(let date) = attributeValue else { return nil }
    self = date
  }
  /// The moment as the store sees it.
  public var attributeValue: AttributeValue { .date(self) }
  /// Reads a word of a row.
  public static func _read(_ slab: RowSlab, _ row: Int, _ slot: Int) -> Date? {
    Date(timeIntervalSinceReferenceDate: slab._real(row, slot))
  }
}

extension Data: AttributeConvertible {
  /// Binary.
  public static var attributeType: AttributeType { .binaryData }
  /// No bytes.
  public static var attributePlaceholder: Data { Data() }
  /// Creates the bytes, or returns `nil` for a value of another type.
  public init?(attributeValue: AttributeValue) {
    guard case .data(let data) = attributeValue else { return nil }
    self = data
  }
  /// The bytes as the store sees them.
  public var attributeValue: AttributeValue { .data(self) }
  /// Reads a word of a row.
  public static func _read(_ slab: RowSlab, _ row: Int, _ slot: Int) -> Data? {
    slab.data(row, slot)
  }
}

extension UUID: AttributeConvertible {
  /// UUID.
  public static var attributeType: AttributeType { .uuid }
  /// The identifier of zeros.
  public static var attributePlaceholder: UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  }
  /// Creates the identifier, or returns `nil` for a value of another type.
  public init?(attributeValue: AttributeValue) {
    guard case .uuid(let uuid) = attributeValue else { return nil }
    self = uuid
  }
  /// The identifier as the store sees it.
  public var attributeValue: AttributeValue { .uuid(self) }
  /// Reads a word of a row; stores have checked that it has 16 bytes, if it has any.
  public static func _read(_ slab: RowSlab, _ row: Int, _ slot: Int) -> UUID? {
    let bytes = slab._span(row, slot)
    return bytes.isEmpty ? nil : UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
  }
}

/// A URL is kept as its absolute text: one that is relative to a base is read back whole.
extension URL: AttributeConvertible {
  /// URI.
  public static var attributeType: AttributeType { .uri }
  /// A URI that leads nowhere.
  public static var attributePlaceholder: URL { URL(filePath: "/") }
  /// Creates the URI, or returns `nil` for a value of another type.
  public init?(attributeValue: AttributeValue) {
    guard case .url(let url) = attributeValue else { return nil }
    self = url
  }
  /// The URI as the store sees it.
  public var attributeValue: AttributeValue { .url(self) }
  /// Reads a word of a row; stores have checked that it is a URI.
  public static func _read(_ slab: RowSlab, _ row: Int, _ slot: Int) -> URL? {
    String._read(slab, row, slot).flatMap { URL(string: $0) }
  }
}

extension Decimal: AttributeConvertible {
  /// Decimal.
  public static var attributeType: AttributeType { .decimal }
  /// Zero.
  public static var attributePlaceholder: Decimal { 0 }
  /// Creates the number, or returns `nil` for a value of another type.
  public init?(attributeValue: AttributeValue) {
    guard case .decimal(let number) = attributeValue else { return nil }
    self = number
  }
  /// The number as the store sees it.
  public var attributeValue: AttributeValue { .decimal(self) }
  /// Reads a word of a row; stores have checked that it is a number, or say why it is not.
  public static func _read(_ slab: RowSlab, _ row: Int, _ slot: Int) -> Decimal? {
    slab.isOutside(row, slot)
      ? nil : String._read(slab, row, slot).flatMap { Decimal(string: $0) }
  }
}

extension AttributeValue {
  /// Reads word `slot` of a row as a value of `type`.
  package static func read(_ slab: RowSlab, _ row: Int, _ slot: Int, as type: AttributeType)
    -> AttributeValue?
  {
    switch type {
    case .integer16, .integer32, .integer64: .integer(slab._word(row, slot))
    case .double, .float: .double(slab._real(row, slot))
    case .boolean: Bool._read(slab, row, slot)?.attributeValue
    case .string: String._read(slab, row, slot)?.attributeValue
    case .date: Date._read(slab, row, slot)?.attributeValue
    case .binaryData, .transformable: Data._read(slab, row, slot)?.attributeValue
    case .uuid: UUID._read(slab, row, slot)?.attributeValue
    case .uri: URL._read(slab, row, slot)?.attributeValue
    case .decimal: Decimal._read(slab, row, slot)?.attributeValue
    case .undefined, .composite, .objectID: nil
    }
  }
}
