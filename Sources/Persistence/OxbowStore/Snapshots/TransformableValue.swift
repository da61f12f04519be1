public import OxbowFoundation
public import OxbowModel

/// A Swift type whose values an attribute of type Transformable keeps, as JSON.
///
/// ```swift
/// struct Palette: TransformableValue {
///   var colors: [String] = []
///   static var attributePlaceholder: Palette { Palette() }
/// }
/// ```
///
/// A stored value that is not JSON of the type is an error (`invalidStoredValue`) when it is read.
/// A value that its `encode(to:)` refuses is refused at save. A type with a form of its own
/// declares ``attributeValue`` and ``init(attributeValue:)`` itself.
public protocol TransformableValue: AttributeConvertible, Codable {}

extension TransformableValue {
  /// Transformable.
  public static var attributeType: AttributeType { .transformable }

  /// Reads the value from its JSON, or returns `nil` if the bytes are not JSON of the type.
  public init?(attributeValue: AttributeValue) {
    guard case .data(let bytes) = attributeValue,
      let value = try? JSONDecoder().decode(Self.self, from: bytes)
    else { return nil }
    self = value
  }

  /// The value as JSON, in which equal values have equal bytes.
  public var attributeValue: AttributeValue {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    // A text is not a value of a Transformable attribute, so that saving it fails.
    do { return .data(try encoder.encode(self)) } catch { return .string("\(error)") }
  }
}

/// The bytes of a Transformable attribute that another program wrote, for example Core Data.
///
/// Generated classes declare it, because a document does not say what the bytes mean.
public struct TransformedData: AttributeConvertible, Hashable {
  /// The bytes.
  public var bytes: Data

  /// Creates a value of bytes.
  public init(_ bytes: Data) { self.bytes = bytes }

  /// Transformable.
  public static var attributeType: AttributeType { .transformable }

  /// No bytes.
  public static var attributePlaceholder: TransformedData { TransformedData(Data()) }

  /// Takes over the bytes, or returns `nil` for a value of another type.
  public init?(attributeValue: AttributeValue) {
    guard case .data(let bytes) = attributeValue else { return nil }
    self.bytes = bytes
  }

  /// The bytes as the store sees them.
  public var attributeValue: AttributeValue { .data(bytes) }
}
