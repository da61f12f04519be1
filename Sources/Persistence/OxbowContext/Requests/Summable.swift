public import OxbowFoundation
public import OxbowStore

/// A type of attributes whose values can be added.
public protocol Summable: AttributeConvertible {
  /// The type of a sum: `Int` for all whole numbers.
  associatedtype Sum: AttributeConvertible

  /// The type of an average.
  associatedtype Average: AttributeConvertible
}

extension Int: Summable {
  /// The type of a sum.
  public typealias Sum = Int
  /// The type of an average.
  public typealias Average = Double
}

extension Int16: Summable {
  /// The type of a sum.
  public typealias Sum = Int
  /// The type of an average.
  public typealias Average = Double
}

extension Int32: Summable {
  /// The type of a sum.
  public typealias Sum = Int
  /// The type of an average.
  public typealias Average = Double
}

extension Int64: Summable {
  /// The type of a sum.
  public typealias Sum = Int
  /// The type of an average.
  public typealias Average = Double
}

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
