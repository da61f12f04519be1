import CBaseline
import OxbowRuntime

// Entities of many columns, for suites G and F. Their accessors are those that `@Entity` writes,
// with the property's number as argument.

/// An entity of ten whole numbers.
final class Numbers: ManagedObject, ModelObject {
  static let names = (0..<10).map { "n\($0)" }

  func number(_ index: Int) -> Int { _value(index) }
  func setNumber(_ index: Int, _ number: Int) { _setValue(index, number) }

  class var entityName: String { "Numbers" }
  class var entityDescription: EntityDescription {
    EntityDescription(
      "Numbers", className: "Numbers",
      attributes: names.map { AttributeDescription($0, .integer64, isOptional: false) })
  }
  class var _propertyNames: [String] { names }
  class var _propertyCount: Int { names.count }
  class var _keyPaths: [(keyPath: AnyKeyPath, name: String)] { [] }
}

/// An entity of ten whole numbers and ten texts.
final class Wide: ManagedObject, ModelObject {
  static let numbers = (0..<10).map { "n\($0)" }
  static let texts = (0..<10).map { "t\($0)" }

  func number(_ index: Int) -> Int { _value(index) }
  func setNumber(_ index: Int, _ number: Int) { _setValue(index, number) }
  func text(_ index: Int) -> String { _value(10 + index) }
  func setText(_ index: Int, _ text: String) { _setValue(10 + index, text) }

  class var entityName: String { "Wide" }
  class var entityDescription: EntityDescription {
    EntityDescription(
      "Wide", className: "Wide",
      attributes: numbers.map { AttributeDescription($0, .integer64, isOptional: false) }
        + texts.map { AttributeDescription($0, .string, isOptional: false) })
  }
  class var _propertyNames: [String] { numbers + texts }
  class var _propertyCount: Int { 20 }
  class var _keyPaths: [(keyPath: AnyKeyPath, name: String)] { [] }
}

/// Rows of either entity, read by C: the select, and how many columns it has.
struct ColumnBaseline {
  let path: String
  let entity: String
  let integers: Int
  let texts: Int

  /// Nanoseconds for each row.
  func run(limit: Int, repeats: Int = 1, sum expected: Int) throws -> Double {
    let names = (0..<integers).map { "n\($0)" } + (0..<texts).map { "t\($0)" }
    let sql = "SELECT _id, _version, \(names.joined(separator: ", ")) FROM \(entity) LIMIT \(limit)"
    var (count, sum): (Int64, Int64) = (0, 0)
    let elapsed = baseline_columns(
      path, sql, Int32(integers), Int32(texts), Int32(repeats), &count, &sum)
    guard elapsed >= 0, count == limit, sum == expected else {
      throw BenchmarkFailure(description: "C read \(count) rows with the sum \(sum)")
    }
    return Double(elapsed) / Double(limit * repeats)
  }
}
