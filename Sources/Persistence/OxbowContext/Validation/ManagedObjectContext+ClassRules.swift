internal import OxbowModel

// The rules that classes declare (`ValidationRulesHook`).

extension ManagedObjectContext {
  /// The rules of their classes that the objects of the save break.
  func violationsOfClassRules() throws(PersistenceError) -> [PersistenceError] {
    var problems: [PersistenceError] = []
    for object in unsaved.inserted { problems += try violationsOfClassRules(object, .insert) }
    for object in unsaved.updated { problems += try violationsOfClassRules(object, .update) }
    for object in unsaved.deleted { problems += try violationsOfClassRules(object, .delete) }
    return problems
  }

  private func violationsOfClassRules(
    _ object: ManagedObject, _ change: ValidationRule.Changes
  ) throws(PersistenceError) -> [PersistenceError] {
    var problems: [PersistenceError] = []
    for rule in hooks.rules(of: object.entityIndex)
    where rule.changes.contains(change) && rule.concerns(object, change) {
      var holds = true
      try throwing {
        running("the rule '\(rule.name)'", .reading) { holds = rule.holds(object) }
      }
      if !holds { problems.append(violation(of: rule, object)) }
    }
    return problems
  }

  private func violation(of rule: ValidationRule, _ object: ManagedObject) -> PersistenceError {
    let subject = rule.property.map { "'\($0)' of '\(object)'" } ?? "'\(object)'"
    return .validation(
      "\(subject) \(rule.message)", rule: rule.name, property: rule.property,
      object: object.objectID)
  }
}

extension ValidationRule {
  /// Whether a change of an object can break the rule: that of a property is asked for a changed
  /// object only where the property was changed.
  fileprivate func concerns(_ object: ManagedObject, _ change: Changes) -> Bool {
    guard change == .update, let name = property,
      let property = object.entity.property(named: name)
    else { return true }
    return object.isEdited(property)
  }
}
