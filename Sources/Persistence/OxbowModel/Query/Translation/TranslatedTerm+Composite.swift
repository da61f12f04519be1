/// A Swift type whose values have parts, each with a column of its own.
public protocol _PartedValue {
  /// The parts, by the properties that have them.
  static var _partNames: [(keyPath: AnyKeyPath, name: String)] { get }
}

extension _PartedValue {
  /// Whether a composite attribute has a value: whether any of its parts has one.
  static func hasValue(at path: [String]) -> FetchPredicate {
    .or(leaves(at: path).map { .comparison(.path($0), .notEqual, .value(.null)) })
  }

  private static func leaves(at path: [String]) -> [[String]] {
    _partNames.flatMap { part in
      let path = path + [part.name]
      return partedValue(type(of: part.keyPath).valueType)?.leaves(at: path) ?? [path]
    }
  }
}

extension PersistenceError {
  static func wholeComposite(_ subject: String, _ type: any _PartedValue.Type) -> PersistenceError {
    PersistenceError(
      .invalidPredicate,
      "\(subject) is not a single value; compare its parts, \(listed(type._partNames.map(\.name))), or "
        + "the whole with nil")
  }
}

/// The type of a composite attribute's values, if that is what a property has, optional or not.
private func partedValue(_ type: Any.Type) -> (any _PartedValue.Type)? {
  type as? any _PartedValue.Type
    ?? (type as? any OptionalValue.Type)?.wrappedType as? any _PartedValue.Type
}

extension TranslatedTerm {
  /// What an attribute whose values are of a type means.
  static func value(of type: Any.Type, at path: [String]) -> TranslatedTerm {
    partedValue(type).map { .composite(path, $0) } ?? .expression(.path(path))
  }

  static func part(
    _ keyPath: AnyKeyPath, _ type: any _PartedValue.Type, _ path: [String]
  ) throws(PersistenceError) -> TranslatedTerm {
    let parts = type._partNames
    guard let name = parts.first(where: { $0.keyPath == keyPath })?.name else {
      throw PersistenceError(
        .invalidPredicate,
        "a property of '\(type)' that is not part of it cannot be used in a predicate; the parts are "
          + PersistenceError.listed(parts.map(\.name)))
    }
    return value(of: Swift.type(of: keyPath).valueType, at: path + [name])
  }

  /// The condition of a composite attribute that is compared with no value.
  func presence(_ comparison: ComparisonOperator, _ other: TranslatedTerm) -> FetchPredicate? {
    guard case .composite(let path, let type) = self, case .expression(.value(.null)) = other else {
      return nil
    }
    switch comparison {
    case .equal: return !type.hasValue(at: path)
    case .notEqual: return type.hasValue(at: path)
    default: return nil
    }
  }
}
