extension FetchAggregate {
  /// The aggregate of values; what is missing is left out.
  func result(of values: [FetchValue]) throws(PersistenceError) -> FetchValue {
    let found = values.filter { $0 != .null }
    var state = GroupAccumulator(function, type: try type(of: found))
    for value in found { try state.add(value) }
    return try state.result().stored(as: .undefined)
  }

  var function: GroupFunction { GroupFunction(rawValue: rawValue) ?? .sum }

  /// What numbers are added as; a list of constants may have whole ones among others.
  private func type(of values: [FetchValue]) throws(PersistenceError) -> AttributeType {
    guard self == .sum || self == .average else {
      switch values.first {
      case .attribute(.boolean), .object: throw .notAggregated(self, values[0].kind)
      default: return .undefined
      }
    }
    var type: AttributeType?
    for value in values {
      switch value {
      case .attribute(.integer) where type != .decimal: type = type ?? .integer64
      case .attribute(.double) where type != .decimal: type = .double
      case .attribute(.decimal) where type == nil || type == .decimal: type = .decimal
      default: throw .notAggregated(self, value.kind)
      }
    }
    return type == .integer64 && self == .average ? .double : type ?? .integer64
  }
}
