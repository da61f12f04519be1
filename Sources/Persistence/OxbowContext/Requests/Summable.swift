public import OxbowFoundation
public import OxbowStore

/// A type of attributes whose values can be added.
public protocol Summable: AttributeConvertible {
  /// The type of a sum: all whole numbers have 64 bits there.
  associatedtype Sum: AttributeConvertible

  /// The type of an average.
  associatedtype Average: AttributeConvertible
}

extension Int: Summable {
  /// A whole number of 64 bits.
  public typealias Sum = Int
  /// A floating-point number.
  public typealias Average = Double
}
extension Int16: Summable {
  /// A whole number of 64 bits.
  public typealias Sum = Int
  /// A floating-point number.
  public typealias Average = Double
}
extension Int32: Summable {
  /// A whole number of 64 bits.
  public typealias Sum = Int
  /// A floating-point number.
  public typealias Average = Double
}
extension Int64: Summable {
  /// A whole number of 64 bits.
  public typealias Sum = Int
  /// A floating-point number.
  public typealias Average = Double
}
extension Double: Summable {
  /// A floating-point number.
  public typealias Sum = Double
  /// A floating-point number.
  public typealias Average = Double
}
extension Float: Summable {
  /// A floating-point number of 64 bits.
  public typealias Sum = Double
  /// A floating-point number of 64 bits.
  public typealias Average = Double
}
extension Decimal: Summable {
  /// A decimal number.
  public typealias Sum = Decimal
  /// A decimal number.
  public typealias Average = Decimal
}
