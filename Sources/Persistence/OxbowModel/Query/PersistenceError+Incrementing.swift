// Increments and conditions that fail, in a context or in the store.

extension PersistenceError {
  /// An increment of an attribute without a value; `isStored` says that the store refuses it.
  package static func nothingToIncrement(
    _ property: String, of object: ManagedObjectID, isStored: Bool
  ) -> PersistenceError {
    let place = isStored ? "in the store, and nothing was saved" : "(NULL)"
    return .validation(
      "'\(property)' of '\(object)' cannot be incremented: it has no value \(place); set it to a "
        + "number first", rule: .required, property: property, object: object)
  }

  package static func incrementOverflow(
    _ attribute: AttributeDescription, of object: ManagedObjectID, _ value: AttributeValue,
    by increment: AttributeValue
  ) -> PersistenceError {
    PersistenceError(
      .overflow,
      "'\(attribute.name)' of '\(object)' is \(value) and cannot be incremented by \(increment): the "
        + "sum \(attribute.type.limits); nothing was saved of it", objectIDs: [object])
  }

  package static func conditionFailed(
    _ failures: [(object: ManagedObjectID, condition: FetchPredicate)]
  ) -> PersistenceError {
    let texts = failures.map { "'\($0.object)' does not meet '\($0.condition)' in the store" }
    return PersistenceError(
      .conditionFailed,
      "\(texts.joined(separator: "; ")); nothing was saved: refresh what was changed under the "
        + "condition and decide anew, or roll back", objectIDs: failures.map(\.object))
  }

  package static func gone(_ objects: [ManagedObjectID]) -> PersistenceError {
    PersistenceError(
      .conflict,
      "\(listed(objects.map(\.description))) was deleted in the store since this context read it; "
        + "nothing was saved: roll back, or set a merge policy", objectIDs: objects)
  }
}

extension AttributeType {
  /// Why a sum does not fit.
  fileprivate var limits: String {
    switch self {
    case .integer16: "is outside of -32768 to 32767"
    case .integer32: "is outside of -2147483648 to 2147483647"
    case .integer64: "is outside of \(Int64.min) to \(Int64.max)"
    case .decimal: "needs more than 38 digits"
    default: "is not a finite number of the attribute's type"
    }
  }
}
