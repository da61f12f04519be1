public import OxbowModel

/// All points in which a model differs from the one before, sorted by entity.
public struct ModelDifference: Sendable, Hashable {
  /// The points.
  public private(set) var changes: [ModelChange] = []

  /// Whether the two models say the same.
  public var isEmpty: Bool { changes.isEmpty }

  static let none = ModelDifference()

  private init() {}

  /// Compares two models.
  public init(from before: ManagedObjectModel, to after: ManagedObjectModel) {
    var reader = DifferenceReader(before: before.flattened, after: after.flattened)
    reader.compareEntities()
    changes = reader.changes
  }
}

private struct DifferenceReader {
  private let before: ManagedObjectModel
  private let after: ManagedObjectModel
  private let match: ModelMatch
  private let oldEntities: [String: EntityDescription]
  private let newChildren: [String: [String]]
  private let oldChildren: [String: [String]]
  private(set) var changes: [ModelChange] = []

  init(before: ManagedObjectModel, after: ManagedObjectModel) {
    (self.before, self.after) = (before, after)
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
        reportMoves(of: AttributeDescription.self, into: entity)
        reportMoves(of: RelationshipDescription.self, into: entity)
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
    aspects.compare("abstract", old.isAbstract, new.isAbstract)
    aspects.compare("hash modifier", old.versionHashModifier, new.versionHashModifier)
    changes += aspects.changes
    compare(AttributeDescription.self, old, new)
    compare(RelationshipDescription.self, old, new)
    compareConstraints(old, new)
  }
}

// MARK: - Where a property was declared

extension DifferenceReader {
  /// A property before, by the entity that declared it.
  struct Origin: Hashable {
    let entity: String
    let name: String
  }

  /// The properties before that one after was, in any of the entities that have it.
  private func origins<P: ComparedProperty>(_ property: P, of entity: String) -> [Origin] {
    subtree(of: entity, newChildren).reduce(into: []) { result, name in
      guard let was = P.pairs(match, name)[property.name], let old = match.entities[name],
        let origin = declaration(of: was, P.self, from: old), !result.contains(origin)
      else { return }
      result.append(origin)
    }
  }

  private func declaration<P: ComparedProperty>(
    of property: String, _ kind: P.Type, from entity: String
  ) -> Origin? {
    let line = oldEntities[entity].map(oldEntities.line) ?? []
    return line.first { P.all(of: $0).contains { $0.name == property } }
      .map { Origin(entity: $0.name, name: property) }
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
  private func goesOn<P: ComparedProperty>(_ property: P, of entity: String) -> Bool {
    subtree(of: entity, oldChildren).contains { name in
      match.successors[name].map { P.pairs(match, $0).values.contains(property.name) } ?? false
    }
  }

  /// What an entity that is new takes over from those below it.
  private mutating func reportMoves<P: ComparedProperty>(
    of kind: P.Type, into entity: EntityDescription
  ) {
    for property in P.sorted(entity) where !origins(property, of: entity.name).isEmpty {
      compare(property, of: entity.name, was: "")
    }
  }
}

// MARK: - Properties

extension DifferenceReader {
  private mutating func compare<P: ComparedProperty>(
    _ kind: P.Type, _ old: EntityDescription, _ new: EntityDescription
  ) {
    for property in P.sorted(new) { compare(property, of: new.name, was: old.name) }
    for property in P.all(of: old) where !goesOn(property, of: old.name) {
      add(.removed, P.subject, new.name, property.name)
    }
  }

  /// Reports where an own property after comes from, and in what it differs from the one before.
  private mutating func compare<P: ComparedProperty>(
    _ property: P, of entity: String, was old: String
  ) {
    let origins = origins(property, of: entity)
    guard let first = origins.first else {
      return add(.added, P.subject, entity, property.name, after: property.summary)
    }
    if origins != [Origin(entity: old, name: first.name)] {
      let before = origins.map { "'\($0.entity).\($0.name)'" }.joined(separator: ", ")
      add(.moved, P.subject, entity, property.name, before: before)
    } else if first.name != property.name {
      add(.renamed, P.subject, entity, property.name, before: first.name)
    }
    guard let declaring = oldEntities[first.entity],
      let before = P.all(of: declaring).first(where: { $0.name == first.name })
    else { return }
    var aspects = Aspects(P.subject, entity: entity, property: property.name)
    property.compare(with: before, &aspects, match)
    changes += aspects.changes
  }

  private mutating func compareConstraints(_ old: EntityDescription, _ new: EntityDescription) {
    let names = match.attributes(of: new.name)
      .merging(match.relationships(of: new.name)) { first, _ in first }
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
        elements: index.elements.map {
          .init(before($0.property), isAscending: $0.isAscending, type: $0.type)
        })
    }
    for index in indexes where !old.fetchIndexes.contains(index) {
      add(.added, .fetchIndex, new.name, index.name)
    }
    for index in old.fetchIndexes where !indexes.contains(index) {
      add(.removed, .fetchIndex, new.name, index.name)
    }
  }
}

struct Aspects {
  let subject: ModelChange.Subject
  let entity: String
  var property: String?
  var isStored = true
  private(set) var changes: [ModelChange] = []

  init(
    _ subject: ModelChange.Subject, entity: String, property: String? = nil, isStored: Bool = true
  ) {
    (self.subject, self.entity) = (subject, entity)
    (self.property, self.isStored) = (property, isStored)
  }

  mutating func compare(_ aspect: String, _ before: String?, _ after: String?) {
    guard before != after else { return }
    changes.append(
      ModelChange(
        .changed, subject, entity: entity, property: property, aspect: aspect, before: before,
        after: after, isStored: isStored))
  }

  mutating func compare(_ aspect: String, _ before: Bool, _ after: Bool) {
    compare(aspect, before ? "yes" : "no", after ? "yes" : "no")
  }
}

/// An attribute or a relationship, as models are compared.
protocol ComparedProperty {
  static var subject: ModelChange.Subject { get }
  var name: String { get }
  var summary: String { get }

  static func all(of entity: EntityDescription) -> [Self]

  /// Those of an entity after, own and inherited, each with the one that it was before.
  static func pairs(_ match: ModelMatch, _ entity: String) -> [String: String]

  /// Adds the points in which it differs from the one before.
  func compare(with old: Self, _ aspects: inout Aspects, _ match: ModelMatch)

  /// Adds those that no store and no context acts on.
  func compareRemarks(with old: Self, _ aspects: inout Aspects)
}

extension ComparedProperty {
  static func sorted(_ entity: EntityDescription) -> [Self] {
    all(of: entity).sorted { $0.name < $1.name }
  }
}

extension AttributeDescription: ComparedProperty {
  static var subject: ModelChange.Subject { .attribute }

  static func all(of entity: EntityDescription) -> [Self] { entity.attributes }

  static func pairs(_ match: ModelMatch, _ entity: String) -> [String: String] {
    match.attributes(of: entity)
  }

  func compare(with old: Self, _ aspects: inout Aspects, _ match: ModelMatch) {
    aspects.compare("type", old.type.rawValue, type.rawValue)
    aspects.compare("optional", old.isOptional, isOptional)
    aspects.compare("transient", old.isTransient, isTransient)
    aspects.compare("derivation", old.derivation, derivation)
    aspects.compare("hash modifier", old.versionHashModifier, versionHashModifier)
    aspects.isStored = false
    aspects.compare("default", old.defaultValue?.description, defaultValue?.description)
    aspects.compare("rules", old.rules.summary, rules.summary)
    aspects.compare("search", old.search.documentText, search.documentText)
  }

  /// Describes type, optionality and default.
  package var summary: String {
    let value = defaultValue.map { ", default \($0)" } ?? ""
    return type.rawValue + (isOptional ? ", optional" : "") + (isTransient ? ", transient" : "")
      + (derivation.map { ", derived from '\($0)'" } ?? "") + value
  }
}

extension AttributeRules {
  fileprivate var summary: String? {
    let parts = [
      minimum.map { "at least \($0)" }, maximum.map { "at most \($0)" },
      minimumLength.map { "at least \($0) characters" },
      maximumLength.map { "at most \($0) characters" }, pattern.map { "matching '\($0)'" },
    ].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}

extension RelationshipDescription: ComparedProperty {
  static var subject: ModelChange.Subject { .relationship }

  static func all(of entity: EntityDescription) -> [Self] { entity.relationships }

  static func pairs(_ match: ModelMatch, _ entity: String) -> [String: String] {
    match.relationships(of: entity)
  }

  func compare(with old: Self, _ aspects: inout Aspects, _ match: ModelMatch) {
    if match.entities[destination] != old.destination {
      aspects.compare("destination", old.destination, destination)
    }
    let inverse = inverse.map { match.relationships(of: destination)[$0] ?? $0 }
    if inverse != old.inverse { aspects.compare("inverse", old.inverse, self.inverse) }
    aspects.compare("to-many", old.isToMany, isToMany)
    aspects.compare("ordered", old.isOrdered, isOrdered)
    aspects.isStored = !isToMany
    aspects.compare("optional", old.isOptional, isOptional)
    aspects.isStored = false
    aspects.compare("delete rule", old.deleteRule.rawValue, deleteRule.rawValue)
    aspects.compare("smallest count", "\(old.minimumCount)", "\(minimumCount)")
    aspects.compare("largest count", "\(old.maximumCount)", "\(maximumCount)")
  }

  /// Describes cardinality, destination and inverse.
  package var summary: String {
    let cardinality = isToMany ? (isOrdered ? "ordered to-many" : "to-many") : "to-one"
    let back = inverse.map { ", inverse '\($0)'" } ?? ""
    return "\(cardinality) '\(destination)'\(back)" + (isOptional ? ", optional" : "")
  }
}
