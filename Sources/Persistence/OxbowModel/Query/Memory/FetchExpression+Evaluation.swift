internal import OxbowFoundation

extension FetchExpression {
  package func value(for subject: some PredicateTarget) throws(PersistenceError) -> FetchValue {
    try value(in: PredicateScope(subject))
  }

  func value(
    in scope: PredicateScope<some PredicateTarget>
  ) throws(PersistenceError) -> FetchValue {
    switch self {
    case .value(let value): return value
    case .path(let path): return try scope.value(at: path)
    case .count(let path):
      guard let members = try scope.members(at: path) else { return .null }
      return .attribute(.integer(Int64(members.count)))
    case .arithmetic(let a, let sign, let b):
      return try sign.result(a.value(in: scope), b.value(in: scope))
    case .negated(let inner):
      return try ArithmeticOperator.subtract.negative(of: inner.value(in: scope))
    case .coalesced(let first, let second):
      let value = try first.value(in: scope)
      return value == .null ? try second.value(in: scope) : value
    case .conditional(let test, let first, let second):
      return try test.isTrue(in: scope) ? first.value(in: scope) : second.value(in: scope)
    case .condition(let predicate):
      return .attribute(.boolean(try predicate.isTrue(in: scope)))
    case .folded(let inner, let options):
      return try inner.value(in: scope).requiringText().folded(options)
    case .aggregate(let aggregate, let path):
      guard let values = try scope.aggregated(path, aggregate) else { return .null }
      return try aggregate.result(of: values)
    case .subqueryCount(let path, let variable, let condition):
      guard let members = try scope.members(at: path) else { return .null }
      var count: Int64 = 0
      for member in members {
        if try condition.isTrue(in: scope.binding("$" + variable, to: member)) { count += 1 }
      }
      return .attribute(.integer(count))
    case .now: return .attribute(.date(Date()))
    }
  }
}

extension FetchValue {
  /// The value, when it is text or missing.
  fileprivate func requiringText() throws(PersistenceError) -> FetchValue {
    switch self {
    case .null, .attribute(.string): return self
    default:
      throw PersistenceError(
        .invalidPredicate,
        "\(kind) has neither case nor diacritics; '[c]' and '[d]' need text")
    }
  }
}

extension ArithmeticOperator {
  /// The combination of two numbers, as a store in a file has it: no value when one of them has
  /// none and for a division by zero, a rounded number where a whole one overflows.
  func result(_ a: FetchValue, _ b: FetchValue) throws(PersistenceError) -> FetchValue {
    switch (a, b) {
    case (.null, _), (_, .null): return .null
    case (.attribute(.integer(let x)), .attribute(.integer(let y))) where self != .power:
      if let number = wholeResult(x, y) { return .attribute(.integer(number)) }
      return roundedResult(Double(x), Double(y))
    default:
      guard let x = a.number, let y = b.number else {
        throw .notANumber(a.number == nil ? a : b)
      }
      return roundedResult(x, y)
    }
  }

  /// The combination of two numbers of which one has a fraction, or was rounded.
  private func roundedResult(_ a: Double, _ b: Double) -> FetchValue {
    switch self {
    case .add: return .finding(a + b)
    case .subtract: return .finding(a - b)
    case .multiply: return .finding(a * b)
    case .divide: return b == 0 ? .null : .finding(a / b)
    case .power: return .finding(Self.power(a, b))
    case .remainder, .bitwiseAnd, .bitwiseOr, .bitwiseExclusiveOr:
      guard let number = wholeResult(Int64(rounding: a), Int64(rounding: b)) else { return .null }
      return self == .remainder ? .finding(Double(number)) : .attribute(.integer(number))
    }
  }

  func negative(of value: FetchValue) throws(PersistenceError) -> FetchValue {
    switch value {
    case .null: return .null
    case .attribute(.integer): return try result(.attribute(.integer(0)), value)
    case .attribute(.double(let number)): return .finding(-number)
    default: throw .notANumber(value)
    }
  }

  /// The combination of two whole numbers; `nil` for one that does not fit into 64 bits.
  private func wholeResult(_ a: Int64, _ b: Int64) -> Int64? {
    if b == 0, self == .divide || self == .remainder { return nil }
    let (result, overflows) =
      switch self {
      case .add: a.addingReportingOverflow(b)
      case .subtract: a.subtractingReportingOverflow(b)
      case .multiply: a.multipliedReportingOverflow(by: b)
      case .divide: a.dividedReportingOverflow(by: b)
      case .remainder: a.remainderReportingOverflow(dividingBy: b)
      case .bitwiseAnd: (a & b, false)
      case .bitwiseOr: (a | b, false)
      case .bitwiseExclusiveOr: (a ^ b, false)
      case .power: (0, true)
      }
    // The remainder of a division whose quotient overflows is 0, and no overflow itself.
    guard overflows else { return result }
    return self == .remainder ? 0 : nil
  }
}

extension Int64 {
  /// A number without its fraction, the nearest where it is too large or too small.
  fileprivate init(rounding number: Double) {
    self = Int64(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : .max)
  }
}

extension FetchValue {
  /// The result of a calculation; NaN is not a value, as in a store.
  fileprivate static func finding(_ number: Double) -> FetchValue {
    number.isNaN ? .null : .attribute(.double(number))
  }

  fileprivate var number: Double? {
    switch self {
    case .attribute(.integer(let number)): Double(number)
    case .attribute(.double(let number)): number
    default: nil
    }
  }
}

extension PersistenceError {
  fileprivate static func notANumber(_ value: FetchValue) -> PersistenceError {
    PersistenceError(.invalidPredicate, "\(value.kind) cannot be calculated with")
  }
}

extension FetchValue {
  /// The value without what the options overlook, when it is text.
  func folded(_ options: TextOptions) -> FetchValue {
    guard case .attribute(.string(let text)) = self else { return self }
    return .attribute(.string(TextFolding.folded(text, options)))
  }

  /// What a derived attribute keeps of a text.
  package func formed(_ form: Derivation.TextForm?) -> FetchValue {
    guard case .attribute(.string(let text)) = self else { return self }
    return switch form {
    case .canonical: folded([.caseInsensitive, .diacriticInsensitive])
    case .lowercase: .attribute(.string(text.lowercased()))
    case .uppercase: .attribute(.string(text.uppercased()))
    case nil: self
    }
  }
}
