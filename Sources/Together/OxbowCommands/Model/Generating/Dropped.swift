internal import OxbowModel

/// The properties of a model that no class can declare, with the reasons.
struct Dropped {
  private struct Property: Hashable {
    let entity: String
    let name: String
  }

  private let reasons: [Property: String]

  init(_ model: ManagedObjectModel) {
    var reasons: [Property: String] = [:]
    for entity in model.entities {
      for attribute in entity.attributes {
        reasons[Property(entity: entity.name, name: attribute.name)] = attribute.refusal
      }
      for relationship in entity.relationships {
        reasons[Property(entity: entity.name, name: relationship.name)] = relationship.refusal
      }
    }
    self.reasons = reasons
  }

  /// What an entity's class cannot say, in the order of the names.
  func reasons(of entity: EntityDescription) -> [String] {
    reasons.filter { $0.key.entity == entity.name }.sorted { $0.key.name < $1.key.name }.map {
      $0.value
    }
  }

  func contains(_ name: String, _ entity: EntityDescription) -> Bool {
    reasons[Property(entity: entity.name, name: name)] != nil
  }

  /// Whether an entity or one that it inherits from has the property, and no class declares it.
  func contains(_ name: String, inTreeOf entity: String, _ model: ManagedObjectModel) -> Bool {
    let line = model.entity(named: entity).map(model.entities.byName.line) ?? []
    return line.contains { contains(name, $0) }
  }

  /// Whether a constraint or an index names one of the entity's.
  func touches(_ names: [String], _ entity: EntityDescription) -> Bool {
    names.contains { contains($0, entity) }
  }
}

extension AttributeDescription {
  fileprivate var refusal: String? {
    if let reason = SwiftName.refusal(ofProperty: name) { return "attribute '\(name)': \(reason)" }
    if type == .composite, !isTransient { return partRefusal }
    return type.swiftType == nil ? "attribute '\(name)' is \(type.rawValue)" : nil
  }

  /// Why no class can declare a part of the composite attribute, or `nil`.
  private var partRefusal: String? {
    if elements.isEmpty || compositeName == nil { return "attribute '\(name)' has no parts" }
    for part in elements {
      if let reason = part.refusal { return "attribute '\(name)': \(reason)" }
    }
    return nil
  }
}

extension RelationshipDescription {
  fileprivate var refusal: String? {
    if let reason = SwiftName.refusal(ofProperty: name) {
      return "relationship '\(name)': \(reason)"
    }
    return isTransient ? "relationship '\(name)' is transient" : nil
  }
}
