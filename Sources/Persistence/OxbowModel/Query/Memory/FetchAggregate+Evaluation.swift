internal import OxbowFoundation

extension FetchAggregate {
  /// The aggregate of values; what is missing is left out.
  func result(of values: [FetchValue]) throws(PersistenceError) -> FetchValue {
    var found: [AttributeValue] = []
    for value in values {
      switch value {
      case .null: continue
      case .attribute(let value): found.append(value)
      case .object: throw .notAggregated(self, value.kind)
      }
    }
    switch self {
    case .sum: return try sum(found)
    case .average: return try average(found)
    case .min, .max: return try extreme(found)
    }
  }

  private func sum(_ values: [AttributeValue]) throws(PersistenceError) -> FetchValue {
    if case .decimal = values.first { return try decimal(values) { $0.sum } }
    var whole: Int64 = 0
    var number = 0.0
    var isWhole = true
    for value in values {
      switch value {
      case .integer(let next):
        let (sum, overflows) = whole.addingReportingOverflow(next)
        guard !overflows else { throw .integerOverflow }
        whole = sum
      case .double(let next):
        isWhole = false
        number += next
      default: throw .notAggregated(self, FetchValue.attribute(value).kind)
      }
    }
    if isWhole { return .attribute(.integer(whole)) }
    return number.isNaN ? .null : .attribute(.double(number))
  }

  private func average(_ values: [AttributeValue]) throws(PersistenceError) -> FetchValue {
    if case .decimal = values.first { return try decimal(values) { $0.average } }
    guard !values.isEmpty else { return .null }
    var sum = 0.0
    for value in values {
      switch value {
      case .integer(let next): sum += Double(next)
      case .double(let next): sum += next
      default: throw .notAggregated(self, FetchValue.attribute(value).kind)
      }
    }
    let average = sum / Double(values.count)
    return average.isNaN ? .null : .attribute(.double(average))
  }

  private func decimal(
    _ values: [AttributeValue], _ result: (DecimalSum) -> String?
  ) throws(PersistenceError) -> FetchValue {
    var sum = DecimalSum()
    for value in values {
      guard case .decimal(let number) = value else {
        throw .notAggregated(self, FetchValue.attribute(value).kind)
      }
      sum.add(number.description.utf8)
    }
    guard !sum.hasFailed, let number = result(sum).flatMap({ Decimal(string: $0) }) else {
      throw .decimalOverflow
    }
    return .attribute(.decimal(number))
  }

  private func extreme(_ values: [AttributeValue]) throws(PersistenceError) -> FetchValue {
    guard var best = values.first else { return .null }
    if case .boolean = best { throw .notAggregated(self, FetchValue.attribute(best).kind) }
    for value in values.dropFirst() {
      let order = value.order(to: best)
      if order == (self == .min ? .ascending : .descending) { best = value }
    }
    return .attribute(best)
  }
}
