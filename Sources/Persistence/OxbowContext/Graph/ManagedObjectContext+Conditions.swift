internal import OxbowModel
internal import OxbowStore

extension ManagedObjectContext {
  /// What the row of an object must meet when its changes are saved.
  func condition(of object: ManagedObject) -> FetchPredicate? {
    guard !conditions.isEmpty, let known = conditions[object.reference],
      let overlay = object.overlay
    else { return nil }
    let predicates = known.filter { $0.properties.contains { overlay.isEdit(at: $0) } }
      .map(\.predicate)
    return predicates.count < 2 ? predicates.first : .and(predicates)
  }

  /// Whether a property was changed under a condition.
  func isConditional(_ property: CompiledProperty, of object: ManagedObject) -> Bool {
    guard !conditions.isEmpty, let known = conditions[object.reference] else { return false }
    return known.contains { $0.properties.contains(property.index) }
  }
}
