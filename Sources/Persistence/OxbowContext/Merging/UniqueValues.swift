internal import OxbowModel
internal import OxbowStore

/// The values of an object that a uniqueness constraint keeps apart.
struct UniqueValues: Hashable {
  /// The entity that declares the constraint.
  let entity: Int
  let names: [String]
  let values: [PropertyValue]

  /// Compares as the index of a store does: texts by their bytes, everything else by value.
  static func == (a: Self, b: Self) -> Bool {
    guard a.entity == b.entity, a.names == b.names else { return false }
    return zip(a.values, b.values).allSatisfy { a, b in
      if case (.attribute(.string(let a)), .attribute(.string(let b))) = (a, b) {
        return a.utf8.elementsEqual(b.utf8)
      }
      return a == b
    }
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(entity)
    hasher.combine(values)
  }

  var predicate: FetchPredicate {
    .and(
      zip(names, values).map { name, value in
        let fetched: FetchValue =
          switch value {
          case .attribute(let value): .attribute(value)
          case .object(let id): .object(id)
          case .null, .objects: .null
          }
        return .comparison(.path([name]), .equal, .value(fetched))
      })
  }
}

extension CompiledEntity {
  /// The unique values of an object, for each constraint of which it has all values, inherited ones
  /// included.
  func uniqueValues(
    in model: CompiledModel, _ value: (String) -> PropertyValue?
  ) -> [UniqueValues] {
    lineage(in: model).flatMap { declaring in
      declaring.description.uniquenessConstraints.compactMap { names in
        // No value is equal to none, as in SQL.
        let values = names.compactMap(value).filter { $0 != .null }
        guard values.count == names.count else { return nil }
        return UniqueValues(entity: declaring.index, names: names, values: values)
      }
    }
  }
}
