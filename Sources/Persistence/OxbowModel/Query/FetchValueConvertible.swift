public import OxbowFoundation

/// A Swift value that can be a constant in a predicate.
public protocol FetchValueConvertible: FetchArgument {
  /// The value as predicates know it.
  var fetchValue: FetchValue { get }
}

extension FetchValue: FetchValueConvertible {
  /// The value itself.
  public var fetchValue: FetchValue { self }
}
extension AttributeValue: FetchValueConvertible {
  /// The value as a constant.
  public var fetchValue: FetchValue { .attribute(self) }
}
extension ManagedObjectID: FetchValueConvertible {
  /// The object as a constant.
  public var fetchValue: FetchValue { .object(self) }
}
extension Optional: FetchValueConvertible where Wrapped: FetchValueConvertible {
  /// The value, or no value.
  public var fetchValue: FetchValue { self?.fetchValue ?? .null }
}

extension FetchValueConvertible where Self: FixedWidthInteger {
  /// The number as a constant; every type that conforms fits into 64 bits with a sign.
  public var fetchValue: FetchValue { .attribute(.integer(Int64(truncatingIfNeeded: self))) }
}
extension Int: FetchValueConvertible {}
extension Int8: FetchValueConvertible {}
extension Int16: FetchValueConvertible {}
extension Int32: FetchValueConvertible {}
extension Int64: FetchValueConvertible {}
extension UInt8: FetchValueConvertible {}
extension UInt16: FetchValueConvertible {}
extension UInt32: FetchValueConvertible {}

extension Double: FetchValueConvertible {
  /// The number as a constant.
  public var fetchValue: FetchValue { .attribute(.double(self)) }
}
extension Float: FetchValueConvertible {
  /// The number as a constant.
  public var fetchValue: FetchValue { .attribute(.double(Double(self))) }
}
extension Decimal: FetchValueConvertible {
  /// The number as a constant.
  public var fetchValue: FetchValue { .attribute(.decimal(self)) }
}
extension Bool: FetchValueConvertible {
  /// The truth value as a constant.
  public var fetchValue: FetchValue { .attribute(.boolean(self)) }
}
extension String: FetchValueConvertible {
  /// The text as a constant.
  public var fetchValue: FetchValue { .attribute(.string(self)) }
}
extension Substring: FetchValueConvertible {
  /// The text as a constant.
  public var fetchValue: FetchValue { .attribute(.string(String(self))) }
}
extension Character: FetchValueConvertible {
  /// The character as a constant text.
  public var fetchValue: FetchValue { .attribute(.string(String(self))) }
}
extension Date: FetchValueConvertible {
  /// The moment as a constant.
  public var fetchValue: FetchValue { .attribute(.date(self)) }
}
extension Data: FetchValueConvertible {
  /// The bytes as a constant.
  public var fetchValue: FetchValue { .attribute(.data(self)) }
}
extension UUID: FetchValueConvertible {
  /// The identifier as a constant.
  public var fetchValue: FetchValue { .attribute(.uuid(self)) }
}
extension URL: FetchValueConvertible {
  /// The URI as a constant.
  public var fetchValue: FetchValue { .attribute(.url(self)) }
}
