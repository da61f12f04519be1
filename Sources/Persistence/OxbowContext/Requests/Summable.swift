public import OxbowFoundation
public import OxbowStore

/// A type of attributes whose values can be added.
public protocol Summable: AttributeConvertible {
  /// The type of a sum: `Int` for all whole numbers.
  associatedtype Sum: AttributeConvertible = Int

  /// The type of an average: `Double` for all whole numbers.
  associatedtype Average: AttributeConvertible = Double
}

extension Int: Summable {}
extension Int16: Summable {}
extension Int32: Summable {}
extension Int64: Summable {}

extension Double: Summable {
  /// The type of a sum.
  public typealias Sum = Double
  /// The type of an average.
  public typealias Average = Double
}

extension Float: Summable {
  /// The type of a sum.
  public typealias Sum = Double
  /// The type of an average.
  public typealias Average = Double
}

extension Decimal: Summable {
  /// The type of a sum.
  public typealias Sum = Decimal
  /// The type of an average.
  public typealias Average = Decimal
}
