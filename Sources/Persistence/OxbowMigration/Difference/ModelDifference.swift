public import OxbowModel

/// All points in which a model differs from the one before, sorted by entity.
public struct ModelDifference: Sendable, Hashable {
  /// The points.
  public private(set) var changes: [ModelChange] = []

  /// Whether the two models say the same.
  public var isEmpty: Bool { changes.isEmpty }

  /// The difference of two models that say the same.
  static let none = ModelDifference()

  private init() {}

  /// Compares two models.
  public init(from before: ManagedObjectModel, to after: ManagedObjectModel) {
    var reader = DifferenceReader(before: before.flattened, after: after.flattened)
    reader.compareEntities()
    changes = reader.changes
  }
}

/// Finds the points in which two models differ.
private struct DifferenceReader {
  let before: ManagedObjectModel
  let after: ManagedObjectModel
  let match: ModelMatch
  let oldEntities: [String: EntityDescription]
  let newChildren: [String: [String]]
  let oldChildren: [String: [String]]
  var changes: [ModelChange] = []

  init(before: ManagedObjectModel, after: ManagedObjectModel) {
    self.before = before
    self.after = after
    match = ModelMatch(from: before, to: after)
    oldEntities = Dictionary(before.entities.map { ($0.name, $0) }) { first, _ in first }
    newChildren = Self.children(after)
    oldChildren = Self.children(before)
  }

  private static func children(_ model: ManagedObjectModel) -> [String: [String]] {
    Dictionary(grouping: model.entities.filter { $0.parent != nil }) { $0.parent ?? "" }
      .mapValues { $0.map(\.name).sorted() }
  }

  mutating func compareEntities() {
    for entity in after.entities {
      guard let name = match.entities[entity.name], let old = oldEntities[name] else {
        add(.added, .entity, entity.name)
        reportMovesInto(entity)
        continue
      }
      compare(old, entity)
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

  private mutating func compare(_ old: EntityDescription, _ new: EntityDescription) {
    if old.name != new.name { add(.renamed, .entity, new.name, before: old.name) }
    var aspects = Aspects(.entity, entity: new.name)
    let parent = new.parent.flatMap { match.entities[$0] ?? $0 }
    if old.parent != parent { aspects.compare("parent", old.parent, new.parent) }
    aspects.compare("abstract", yes(old.isAbstract), yes(new.isAbstract))
    aspects.compare("hash modifier", old.versionHashModifier, new.versionHashModifier)
    changes += aspects.changes
    compareAttributes(old, new)
    compareRelationships(old, new)
    compareConstraints(old, new)
  }

  private func yes(_ flag: Bool) -> String { flag ? "yes" : "no" }
}

// MARK: - Where a property was declared

extension DifferenceReader {
  /// A property before, by the entity that declared it.
  struct Origin: Hashable {
    let entity: String
    let name: String
  }

  typealias Names = (EntityDescription) -> [String]
  typealias Pairs = (String) -> [String: String]

  /// The properties before that one after was, in any of the entities that have it.
  private func origins(
    _ property: String, of entity: String, _ names: Names, _ pairs: Pairs
  ) -> [Origin] {
    var result: [Origin] = []
    for name in subtree(of: entity, newChildren) {
      guard let was = pairs(name)[property], let old = match.entities[name],
        let origin = declaration(of: was, from: old, names), !result.contains(origin)
      else { continue }
      result.append(origin)
    }
    return result
  }

  private func declaration(of property: String, from entity: String, _ names: Names) -> Origin? {
    var seen: Set<String> = []
    var next = oldEntities[entity]
    while let current = next, seen.insert(current.name).inserted {
      if names(current).contains(property) { return Origin(entity: current.name, name: property) }
      next = current.parent.flatMap { oldEntities[$0] }
    }
    return nil
  }

  private func subtree(of entity: String, _ children: [String: [String]]) -> [String] {
    var result: [String] = []
    var rest = [entity]
    while let next = rest.popLast(), result.count < 100_000 {
      result.append(next)
      rest += (children[next] ?? []).reversed()
    }
    return result
  }

  /// Whether an entity after has the property that an entity before declared.
  private func goesOn(_ property: String, of entity: String, _ pairs: Pairs) -> Bool {
    subtree(of: entity, oldChildren).contains { name in
      match.successors[name].map { pairs($0).values.contains(property) } ?? false
    }
  }

  /// Reports where an own property after comes from; returns the one before.
  private mutating func report(
    _ property: String, of entity: String, was old: String, _ subject: ModelChange.Subject,
    _ summary: String, _ names: Names, _ pairs: Pairs
  ) -> Origin? {
    let origins = origins(property, of: entity, names, pairs)
    guard let first = origins.first else {
      add(.added, subject, entity, property, after: summary)
      return nil
    }
    if origins != [Origin(entity: old, name: first.name)] {
      let before = origins.map { "'\($0.entity).\($0.name)'" }.joined(separator: ", ")
      add(.moved, subject, entity, property, before: before)
    } else if first.name != property {
      add(.renamed, subject, entity, property, before: first.name)
    }
    return first
  }

  /// What an entity that is new takes over from those below it.
  private mutating func reportMovesInto(_ entity: EntityDescription) {
    for attribute in entity.attributes.sorted(by: { $0.name < $1.name })
    where !origins(attribute.name, of: entity.name, Self.attributes, match.attributes).isEmpty {
      compare(attribute, of: entity.name, was: "")
    }
    for relationship in entity.relationships.sorted(by: { $0.name < $1.name })
    where !origins(relationship.name, of: entity.name, Self.relationships, match.relationships)
      .isEmpty
    {
      compare(relationship, of: entity.name, was: "")
    }
  }

  private static let attributes: @Sendable (EntityDescription) -> [String] = {
    $0.attributes.map(\.name)
  }
  private static let relationships: @Sendable (EntityDescription) -> [String] = {
    $0.relationships.map(\.name)
  }
}

// MARK: - Properties

extension DifferenceReader {
  private mutating func compareAttributes(_ old: EntityDescription, _ new: EntityDescription) {
    for attribute in new.attributes.sorted(by: { $0.name < $1.name }) {
      compare(attribute, of: new.name, was: old.name)
    }
    for attribute in old.attributes where !goesOn(attribute.name, of: old.name, match.attributes) {
      add(.removed, .attribute, new.name, attribute.name)
    }
  }

  private mutating func compare(
    _ attribute: AttributeDescription, of entity: String, was old: String
  ) {
    let origin = report(
      attribute.name, of: entity, was: old, .attribute, attribute.summary, Self.attributes,
      match.attributes)
    let before = origin.flatMap { origin in
      oldEntities[origin.entity]?.attributes.first { $0.name == origin.name }
    }
    if let before { compare(before, attribute, entity) }
  }

  private mutating func compare(
    _ old: AttributeDescription, _ new: AttributeDescription, _ entity: String
  ) {
    var aspects = Aspects(.attribute, entity: entity, property: new.name)
    aspects.compare("type", old.type.rawValue, new.type.rawValue)
    aspects.compare("optional", yes(old.isOptional), yes(new.isOptional))
    aspects.compare("transient", yes(old.isTransient), yes(new.isTransient))
    aspects.compare("derivation", old.derivation, new.derivation)
    aspects.compare("hash modifier", old.versionHashModifier, new.versionHashModifier)
    aspects.isStored = false
    aspects.compare(
      "default", old.defaultValue?.description, new.defaultValue?.description)
    aspects.compare("rules", old.rules.summary, new.rules.summary)
    changes += aspects.changes
  }

  private mutating func compareRelationships(_ old: EntityDescription, _ new: EntityDescription) {
    for relationship in new.relationships.sorted(by: { $0.name < $1.name }) {
      compare(relationship, of: new.name, was: old.name)
    }
    for relationship in old.relationships
    where !goesOn(relationship.name, of: old.name, match.relationships) {
      add(.removed, .relationship, new.name, relationship.name)
    }
  }

  private mutating func compare(
    _ relationship: RelationshipDescription, of entity: String, was old: String
  ) {
    let origin = report(
      relationship.name, of: entity, was: old, .relationship, relationship.summary,
      Self.relationships, match.relationships)
    let before = origin.flatMap { origin in
      oldEntities[origin.entity]?.relationships.first { $0.name == origin.name }
    }
    if let before { compare(before, relationship, entity) }
  }

  private mutating func compare(
    _ old: RelationshipDescription, _ new: RelationshipDescription, _ entity: String
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

  private mutating func compareConstraints(_ old: EntityDescription, _ new: EntityDescription) {
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
      + (derivation.map { ", derived from '\($0)'" } ?? "") + value
  }
}

extension AttributeRules {
  /// The rules in words, or `nil` for none.
  fileprivate var summary: String? {
    let parts = [
      minimum.map { "at least \($0)" }, maximum.map { "at most \($0)" },
      minimumLength.map { "at least \($0) characters" },
      maximumLength.map { "at most \($0) characters" }, pattern.map { "matching '\($0)'" },
    ].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
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
