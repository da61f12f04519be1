public import OxbowModel

/// All points in which a model differs from the one before, sorted by entity.
public struct ModelDifference: Sendable, Hashable {
  /// The points.
  public private(set) var changes: [ModelChange] = []

  /// Whether the two models say the same.
  public var isEmpty: Bool { changes.isEmpty }

  /// Compares two models.
  public init(from before: ManagedObjectModel, to after: ManagedObjectModel) {
    let match = ModelMatch(from: before, to: after)
    for entity in after.entities {
      guard let name = match.entities[entity.name], let old = before.entity(named: name) else {
        add(.added, .entity, entity.name)
        continue
      }
      compare(old, entity, match)
    }
    for entity in before.entities where match.successors[entity.name] == nil {
      add(.removed, .entity, entity.name)
    }
  }

  private mutating func add(
    _ kind: ModelChange.Kind, _ subject: ModelChange.Subject, _ entity: String,
    _ property: String? = nil, before: String? = nil, after: String? = nil
  ) {
    changes.append(
      ModelChange(
        kind, subject, entity: entity, property: property, before: before, after: after))
  }

  private mutating func compare(
    _ old: EntityDescription, _ new: EntityDescription, _ match: ModelMatch
  ) {
    if old.name != new.name { add(.renamed, .entity, new.name, before: old.name) }
    var aspects = Aspects(.entity, entity: new.name)
    let parent = new.parent.flatMap { match.entities[$0] ?? $0 }
    if old.parent != parent { aspects.compare("parent", old.parent, new.parent) }
    aspects.compare("abstract", yes(old.isAbstract), yes(new.isAbstract))
    aspects.compare("hash modifier", old.versionHashModifier, new.versionHashModifier)
    changes += aspects.changes
    compareAttributes(old, new, match.attributes(of: new.name))
    compareRelationships(old, new, match)
    compareConstraints(old, new, match)
  }

  private func yes(_ flag: Bool) -> String { flag ? "yes" : "no" }
}

// MARK: - Properties

extension ModelDifference {
  private mutating func compareAttributes(
    _ old: EntityDescription, _ new: EntityDescription, _ pairs: [String: String]
  ) {
    for attribute in new.attributes.sorted(by: { $0.name < $1.name }) {
      guard let name = pairs[attribute.name] else {
        add(.added, .attribute, new.name, attribute.name, after: attribute.summary)
        continue
      }
      if name != attribute.name {
        add(.renamed, .attribute, new.name, attribute.name, before: name)
      }
      guard let before = old.attributes.first(where: { $0.name == name }) else { continue }
      compare(before, attribute, new.name)
    }
    for attribute in old.attributes where !pairs.values.contains(attribute.name) {
      add(.removed, .attribute, new.name, attribute.name)
    }
  }

  private mutating func compare(
    _ old: AttributeDescription, _ new: AttributeDescription, _ entity: String
  ) {
    var aspects = Aspects(.attribute, entity: entity, property: new.name)
    aspects.compare("type", old.type.rawValue, new.type.rawValue)
    aspects.compare("optional", yes(old.isOptional), yes(new.isOptional))
    aspects.compare("transient", yes(old.isTransient), yes(new.isTransient))
    aspects.compare("hash modifier", old.versionHashModifier, new.versionHashModifier)
    aspects.isStored = false
    aspects.compare(
      "default", old.defaultValue?.description, new.defaultValue?.description)
    if old.rules != new.rules { aspects.compare("rules", "before", "after") }
    changes += aspects.changes
  }

  private mutating func compareRelationships(
    _ old: EntityDescription, _ new: EntityDescription, _ match: ModelMatch
  ) {
    let pairs = match.relationships(of: new.name)
    for relationship in new.relationships.sorted(by: { $0.name < $1.name }) {
      guard let name = pairs[relationship.name] else {
        add(.added, .relationship, new.name, relationship.name, after: relationship.summary)
        continue
      }
      if name != relationship.name {
        add(.renamed, .relationship, new.name, relationship.name, before: name)
      }
      guard let before = old.relationships.first(where: { $0.name == name }) else { continue }
      compare(before, relationship, new.name, match)
    }
    for relationship in old.relationships where !pairs.values.contains(relationship.name) {
      add(.removed, .relationship, new.name, relationship.name)
    }
  }

  private mutating func compare(
    _ old: RelationshipDescription, _ new: RelationshipDescription, _ entity: String,
    _ match: ModelMatch
  ) {
    var aspects = Aspects(.relationship, entity: entity, property: new.name)
    if match.entities[new.destination] != old.destination {
      aspects.compare("destination", old.destination, new.destination)
    }
    let inverse = new.inverse.map { match.relationships(of: new.destination)[$0] ?? $0 }
    if inverse != old.inverse { aspects.compare("inverse", old.inverse, new.inverse) }
    aspects.compare("to-many", yes(old.isToMany), yes(new.isToMany))
    aspects.compare("ordered", yes(old.isOrdered), yes(new.isOrdered))
    aspects.isStored = !new.isToMany
    aspects.compare("optional", yes(old.isOptional), yes(new.isOptional))
    aspects.isStored = false
    aspects.compare("delete rule", old.deleteRule.rawValue, new.deleteRule.rawValue)
    aspects.compare("smallest count", "\(old.minimumCount)", "\(new.minimumCount)")
    aspects.compare("largest count", "\(old.maximumCount)", "\(new.maximumCount)")
    changes += aspects.changes
  }

  private mutating func compareConstraints(
    _ old: EntityDescription, _ new: EntityDescription, _ match: ModelMatch
  ) {
    let names = match.attributes(of: new.name).merging(match.relationships(of: new.name)) { a, _ in
      a
    }
    func before(_ name: String) -> String { names[name] ?? name }
    let constraints = new.uniquenessConstraints.map { $0.map(before) }
    for (constraint, was) in zip(new.uniquenessConstraints, constraints)
    where !old.uniquenessConstraints.contains(was) {
      add(.added, .uniquenessConstraint, new.name, constraint.joined(separator: "+"))
    }
    for constraint in old.uniquenessConstraints where !constraints.contains(constraint) {
      add(.removed, .uniquenessConstraint, new.name, constraint.joined(separator: "+"))
    }
    let indexes = new.fetchIndexes.map { index in
      FetchIndexDescription(
        index.name,
        elements: index.elements.map { .init(before($0.property), isAscending: $0.isAscending) })
    }
    for index in indexes where !old.fetchIndexes.contains(index) {
      add(.added, .fetchIndex, new.name, index.name)
    }
    for index in old.fetchIndexes where !indexes.contains(index) {
      add(.removed, .fetchIndex, new.name, index.name)
    }
  }
}

/// The changes of one entity or property.
private struct Aspects {
  let subject: ModelChange.Subject
  let entity: String
  let property: String?
  var isStored = true
  var changes: [ModelChange] = []

  init(_ subject: ModelChange.Subject, entity: String, property: String? = nil) {
    self.subject = subject
    self.entity = entity
    self.property = property
  }

  mutating func compare(_ aspect: String, _ before: String?, _ after: String?) {
    guard before != after else { return }
    changes.append(
      ModelChange(
        .changed, subject, entity: entity, property: property, aspect: aspect, before: before,
        after: after, isStored: isStored))
  }
}

extension AttributeDescription {
  /// Type, optionality and default in words.
  package var summary: String {
    let value = defaultValue.map { ", default \($0)" } ?? ""
    return type.rawValue + (isOptional ? ", optional" : "") + (isTransient ? ", transient" : "")
      + value
  }
}

extension RelationshipDescription {
  /// Cardinality, destination and inverse in words.
  package var summary: String {
    let cardinality = isToMany ? (isOrdered ? "ordered to-many" : "to-many") : "to-one"
    let back = inverse.map { ", inverse '\($0)'" } ?? ""
    return "\(cardinality) '\(destination)'\(back)" + (isOptional ? ", optional" : "")
  }
}
