// Joins the groups of two sets of objects: those that a context has not changed, as a store has
// them, and the changed ones.

extension ColumnQuery {
  /// The question for the groups alone, all columns in the result, without a condition on groups,
  /// an order or limits; `nil` if the values of two parts do not determine those of both.
  ///
  /// Sums of floating-point numbers do not: they depend on the order of the numbers.
  package func parts(_ types: [AttributeType]) -> ColumnQuery? {
    guard let keys else { return nil }
    for (index, type) in zip(columns.indices, types) where !keys.contains(index) {
      switch columns[index].expression {
      case .count, .aggregate(.count, _), .aggregate(.min, _), .aggregate(.max, _): break
      case .aggregate(.sum, _) where type == .integer64 || type == .decimal: break
      default: return nil
      }
    }
    return withGroupsAlone
  }

  /// Puts the groups of two parts of the objects together; both have all columns.
  package func combined(
    _ first: ColumnRows, _ second: ColumnRows, _ types: [AttributeType], in model: CompiledModel
  ) throws(PersistenceError) -> ColumnRows {
    let keys = keys ?? []
    var numbers: [[ComparableValue]: Int] = [:]
    var groups: [[FetchValue]] = []
    for part in [first, second] {
      for start in stride(from: 0, to: part.values.count, by: part.width) {
        let row = Array(part.values[start..<start + part.width])
        let id = keys.map { ComparableValue(row[$0]) }
        if let number = numbers[id] {
          groups[number] = try combined(groups[number], row, types)
        } else {
          numbers[id] = groups.count
          groups.append(row)
        }
      }
    }
    return try rows(ofGroups: groups, in: model)
  }

  private func combined(
    _ first: [FetchValue], _ second: [FetchValue], _ types: [AttributeType]
  ) throws(PersistenceError) -> [FetchValue] {
    var values = first
    for index in columns.indices
    where columns[index].expression.isAggregate && (first[index], second[index]) != (.null, .null) {
      let function: GroupFunction =
        switch columns[index].expression {
        case .aggregate(.min, _): .min
        case .aggregate(.max, _): .max
        default: .sum
        }
      var state = GroupAccumulator(function, type: types[index])
      try state.add(first[index])
      try state.add(second[index])
      values[index] = try state.result()
    }
    return values
  }
}
