internal import OxbowModel

// The rules of the model.

extension ManagedObjectContext {
  /// The rules that an object breaks: all rules for a new object, those of edits for others.
  func violations(of object: ManagedObject) throws(PersistenceError) -> [PersistenceError] {
    let entity = object.entity
    guard object.links != nil || object._state.contains(.draft) else { return [] }
    var problems: [PersistenceError] = []
    for (index, rule) in entity.valueRules.enumerated() {
      let cell = object.cell(of: entity.properties[index])
      if case .attribute(let value) = cell, rule.passes(value) { continue }
      guard object.isInserted || cell.isEdit else { continue }
      problems += try violations(of: entity.properties[index], cell, object)
    }
    return problems
  }

  private func violations(
    of property: CompiledProperty, _ cell: Overlay.Cell, _ object: ManagedObject
  ) throws(PersistenceError) -> [PersistenceError] {
    switch property.kind {
    case .attribute(let attribute):
      // The store computes derived values later.
      if attribute.isTransient || attribute.derivation != nil { return [] }
      guard let increment = cell.increment else {
        return attribute.failures(for: cell.attributeValue, of: object)
      }
      return attribute.failures(for: try object.sum(property, increment).get(), of: object)
    case .relationship(let relationship):
      guard let count = try memberCount(of: property, relationship, cell, object) else { return [] }
      return relationship.description.failures(forCount: count, of: object)
    }
  }

  /// The number of objects of a changed relationship, or `nil` if no rule depends on it.
  private func memberCount(
    of property: CompiledProperty, _ relationship: CompiledRelationship, _ cell: Overlay.Cell,
    _ object: ManagedObject
  ) throws(PersistenceError) -> Int? {
    switch cell {
    case .null: return 0
    case .object: return 1
    case .collection:
      guard !relationship.allowsAnyCount else { return nil }
      return try throwing { members(of: property, object) }?.count
    case .unchanged, .attribute, .increment, .memory: return nil
    }
  }
}

extension ManagedObject {
  /// Whether no value needs a check beyond its type, as in most new objects: an import checks each
  /// of them (docs/performance.md, M/insert).
  final var hasPlainValues: Bool {
    _state.contains(.draft) ? isPlainDraft : overlay?.passes(entity.valueRules) == true
  }
}

extension AttributeDescription {
  fileprivate func failures(for value: AttributeValue?, of object: ManagedObject)
    -> [PersistenceError]
  {
    // The object's ID is made for failures only: most values have none.
    let failures = failures(for: value, of: object.entityName)
    return failures.isEmpty
      ? [] : self.failures(for: value, of: "\(object)", object: object.objectID)
  }
}

extension RelationshipDescription {
  fileprivate func failures(forCount count: Int, of object: ManagedObject) -> [PersistenceError] {
    let failures = failures(forCount: count, of: object.entityName)
    return failures.isEmpty
      ? [] : self.failures(forCount: count, of: "\(object)", object: object.objectID)
  }
}

// MARK: - Rules of classes

// The rules that classes declare (`ValidationRulesHook`).

extension ManagedObjectContext {
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
  /// Whether a change of an object can break the rule: the rule of a property is checked for a
  /// changed object only if the property changed.
  fileprivate func concerns(_ object: ManagedObject, _ change: Changes) -> Bool {
    guard change == .update, let name = property,
      let property = object.entity.property(named: name)
    else { return true }
    return object.isEdited(property)
  }
}
