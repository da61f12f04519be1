/// The type of an attribute, named as Xcode names it in model documents.
public enum AttributeType: String, Sendable, Hashable, CaseIterable {
  /// No type: allowed on transient attributes only.
  case undefined = "Undefined"
  /// A whole number of 16 bits.
  case integer16 = "Integer 16"
  /// A whole number of 32 bits.
  case integer32 = "Integer 32"
  /// A whole number of 64 bits.
  case integer64 = "Integer 64"
  /// A decimal number of up to 38 digits.
  case decimal = "Decimal"
  /// A floating-point number of 64 bits.
  case double = "Double"
  /// A floating-point number of 32 bits.
  case float = "Float"
  /// Text.
  case string = "String"
  /// True or false.
  case boolean = "Boolean"
  /// A moment, kept as seconds since 2001-01-01T00:00:00Z.
  case date = "Date"
  /// Bytes.
  case binaryData = "Binary"
  /// A universally unique identifier.
  case uuid = "UUID"
  /// A uniform resource identifier.
  case uri = "URI"
  /// A value that something else turns into bytes.
  case transformable = "Transformable"
  /// A value of several parts, each of which is kept in a column of its own.
  case composite = "Composite"
  /// The ID of an object. Read from documents; no store keeps it yet.
  case objectID = "Object ID"

  /// How a row snapshot keeps a value of this type, or `nil` for types that no store keeps.
  package var storage: SlotKind? {
    switch self {
    case .integer16, .integer32, .integer64, .boolean: .integer
    case .double, .float, .date: .real
    case .string, .decimal, .uri: .text
    case .binaryData, .uuid, .transformable: .bytes
    case .undefined, .composite, .objectID: nil
    }
  }

  /// Whether a store may keep values of this type in files beside it.
  var canBeExternal: Bool { self == .binaryData || self == .transformable }
}

/// How a row snapshot keeps a value.
package enum SlotKind: UInt8, Sendable, Hashable {
  /// A signed number of 64 bits: integers, Booleans (0 or 1), keys.
  case integer
  /// A floating-point number of 64 bits: numbers, dates (seconds since 2001).
  case real
  /// UTF-8: text, decimals (plain digits), URIs.
  case text
  /// Bytes: data, UUIDs (16).
  case bytes
}
