internal import OxbowFoundation

struct GroupAccumulator {
  private let function: GroupFunction?
  private let type: AttributeType
  private var count: Int64 = 0
  private var wholes = WholeSum()
  private var number = 0.0
  private var decimals = DecimalSum()
  private var isWhole = true
  private var extreme: AttributeValue?
  private var different: Set<ComparableValue> = []

  /// Creates the state of no values; `type` is that of the result.
  init(_ expression: ColumnExpression, type: AttributeType) {
    if case .aggregate(let function, _) = expression {
      self.init(function, type: type)
    } else {
      self.init(nil, type: type)
    }
  }

  init(_ function: GroupFunction?, type: AttributeType) {
    self.function = function
    self.type = type
  }

  /// Adds the value of an object; a missing one counts where objects are counted.
  mutating func add(_ value: FetchValue) throws(PersistenceError) {
    guard let function else {
      count += 1
      return
    }
    guard value != .null else { return }
    count += 1
    switch function {
    case .count: break
    case .countDistinct: different.insert(ComparableValue(value))
    case .sum, .average: try addNumber(value)
    case .min, .max: keep(value)
    }
  }

  private mutating func addNumber(_ value: FetchValue) throws(PersistenceError) {
    switch value {
    // What is taken in place of a missing decimal number may be written as a whole one.
    case .attribute(.integer(let next)) where type == .decimal:
      decimals.add(next.description.utf8)
    case .attribute(.integer(let next)):
      wholes.add(next)
      number += Double(next)
    // A calculation with whole numbers whose result has more than 64 bits.
    case .attribute(.double) where type == .integer64: throw .integerOverflow
    case .attribute(.double(let next)):
      isWhole = false
      number += next
    case .attribute(.decimal(let next)): decimals.add(next.description.utf8)
    default: throw PersistenceError(.invalidPredicate, "\(value.kind) cannot be added")
    }
  }

  private mutating func keep(_ value: FetchValue) {
    guard case .attribute(let next) = value else { return }
    guard let best = extreme else { return extreme = next }
    if next.order(to: best) == (function == .min ? .ascending : .descending) { extreme = next }
  }

  func result() throws(PersistenceError) -> FetchValue {
    switch function {
    case nil, .count: return .attribute(.integer(count))
    case .countDistinct: return .attribute(.integer(Int64(different.count)))
    case .min, .max: return extreme.map { .attribute($0) } ?? .null
    case .sum: return try sum()
    case .average:
      guard count > 0 else { return .null }
      if type != .decimal, isWhole, let average = wholes.average {
        return .attribute(.double(average))
      }
      guard type == .decimal else { return .attribute(.double(number / Double(count))) }
      return try decimals.value(decimals.average)
    }
  }

  private func sum() throws(PersistenceError) -> FetchValue {
    switch type {
    case .integer64:
      guard let sum = wholes.sum else { throw .integerOverflow }
      return .attribute(.integer(sum))
    case .decimal: return try decimals.value(decimals.sum)
    default: return .attribute(.double(number))
    }
  }
}

extension FetchValue {
  /// The sum of the values of an attribute of a type, as a derived attribute keeps it: zero where
  /// there are none.
  ///
  /// - Throws: ``PersistenceError`` if it is larger than a number can be.
  package static func sum(
    of values: [FetchValue], _ type: AttributeType
  ) throws(PersistenceError) -> FetchValue {
    let kind: AttributeType =
      switch type {
      case .integer16, .integer32, .integer64: .integer64
      case .decimal: .decimal
      default: .double
      }
    var sum = GroupAccumulator(.sum, type: kind)
    for value in values { try sum.add(value) }
    return try sum.result()
  }
}

extension PersistenceError {
  /// A sum of whole numbers that does not fit into 64 bits.
  package static var integerOverflow: PersistenceError {
    PersistenceError(
      .invalidPredicate,
      "a sum does not fit into a whole number of 64 bits; sum fewer objects, or take the average")
  }

  /// A calculation with whole numbers in a column of rows whose result has more than 64 bits.
  package static func columnOverflow(_ name: String) -> PersistenceError {
    PersistenceError(
      .invalidPredicate,
      "a value of the column '\(name)' does not fit into a whole number of 64 bits; calculate with a "
        + "fraction, as in '1.0 * price * count'")
  }

  package static var decimalOverflow: PersistenceError {
    PersistenceError(.invalidPredicate, DecimalSum.failure)
  }
}
