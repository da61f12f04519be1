import OxbowModel

/// All objects of a store, read by what the documentation says of the tables, and by nothing of
/// Oxbow but the descriptions in the model: no compiled model, no mapping, no driver.
struct StoredObjects {
  /// An entity with all that it inherits.
  struct Entity {
    let name: String
    let identifier: String?
    let isAbstract: Bool

    /// From the root to the entity itself.
    let chain: [EntityDescription]

    var root: String { chain[0].name }

    /// A property and the entity that declares it.
    typealias Declared<Property> = (property: Property, owner: String)

    var attributes: [Declared<AttributeDescription>] {
      chain.flatMap { entity in entity.attributes.map { ($0, entity.name) } }
    }

    var relationships: [Declared<RelationshipDescription>] {
      chain.flatMap { entity in entity.relationships.map { ($0, entity.name) } }
    }

    init(_ description: EntityDescription, _ model: ManagedObjectModel) {
      name = description.name
      identifier = description.renamingIdentifier
      isAbstract = description.isAbstract
      var chain = [description]
      while let parent = model.entities.first(where: { $0.name == chain[0].parent }) {
        chain.insert(parent, at: 0)
      }
      self.chain = chain
    }
  }

  let entities: [Entity]
  private(set) var keys: [String: [Int64]] = [:]

  /// By entity and attribute; the parts of a composite one by their paths.
  private(set) var values: [String: [String: [Int64: String]]] = [:]

  /// By entity and relationship.
  private(set) var links: [String: [String: [Int64: [Int64]]]] = [:]

  /// Links that lead nowhere, and other damage.
  private(set) var dangling: [String] = []

  private let file: PlainFile

  init(_ path: String, _ model: ManagedObjectModel, _ known: [String: [Int64]]? = nil) throws {
    file = try PlainFile(path)
    entities = model.entities.map { Entity($0, model) }
    dangling =
      try file.rows("PRAGMA foreign_key_check").map { $0.joined(separator: "|") }
      + file.rows("PRAGMA integrity_check").map { $0[0] }.filter { $0 != "ok" }
    for entity in entities where !entity.isAbstract { try readValues(of: entity) }
    for entity in entities where !entity.isAbstract {
      for (link, owner) in entity.relationships where !link.isTransient {
        let all = try links(of: link, owner)
        let own = Set(keys[entity.name] ?? [])
        links[entity.name, default: [:]][link.name] = all.filter { own.contains($0.key) }
      }
    }
    if let known, known != keys { dangling.append("other objects than were written") }
  }
}

// MARK: - Reading

extension StoredObjects {
  private func entity(_ name: String) -> Entity? { entities.first { $0.name == name } }

  /// The column of a property: its name, or with its entity's where others have that name.
  private func column(_ name: String, _ owner: String, in table: String) throws -> String {
    let columns = try file.columns(table)
    for candidate in [name, "\(owner)_\(name)"] where columns.contains(candidate) {
      return candidate
    }
    throw PlainFile.Failure(message: "the table \(table) has no column for \(owner).\(name)")
  }

  /// The condition that a row is of an entity itself.
  private func condition(_ entity: Entity) throws -> String {
    guard try file.columns(entity.root).contains("_type") else { return "1" }
    return "_type = (SELECT number FROM _oxbow_entities WHERE name = '\(entity.name)')"
  }

  private mutating func readValues(of entity: Entity) throws {
    let parts = entity.attributes.filter { !$0.property.isTransient }
      .flatMap { Self.parts(of: $0.property, $0.owner) }
    let columns = try parts.map { try column($0.column, $0.owner, in: entity.root) }
    let list = columns.map { ", quote(\"\($0)\")" }.joined()
    keys[entity.name] = []
    for row in try file.rows(
      "SELECT _id\(list) FROM \"\(entity.root)\" WHERE \(condition(entity)) ORDER BY 1")
    {
      guard let key = Int64(row[0]) else { continue }
      keys[entity.name]?.append(key)
      for (part, value) in zip(parts, row.dropFirst()) {
        values[entity.name, default: [:]][part.path, default: [:]][key] = value
      }
    }
  }

  private typealias Part = (path: String, column: String, owner: String)

  /// The columns of an attribute: one, or one for each part of a composite one.
  private static func parts(of attribute: AttributeDescription, _ owner: String) -> [Part] {
    guard !attribute.elements.isEmpty else { return [(attribute.name, attribute.name, owner)] }
    return attribute.elements.flatMap { parts(of: $0, owner) }.map {
      ("\(attribute.name).\($0.path)", "\(attribute.name)_\($0.column)", owner)
    }
  }

  /// The links of all objects that have a relationship, in its order.
  private func links(
    of link: RelationshipDescription, _ owner: String
  ) throws -> [Int64: [Int64]] {
    guard let own = entity(owner), let other = entity(link.destination) else { return [:] }
    let inverse = link.inverse.flatMap { name in
      other.relationships.first { $0.property.name == name && !$0.property.isTransient }
    }
    if !link.isToMany {
      let key = try column(link.name, owner, in: own.root)
      return try pairs("SELECT _id, \"\(key)\" FROM \"\(own.root)\"", of: key, order: nil)
    }
    if let inverse, !inverse.property.isToMany {
      let key = try column(inverse.property.name, inverse.owner, in: other.root)
      return try pairs(
        "SELECT \"\(key)\", _id FROM \"\(other.root)\"", of: key,
        order: link.isOrdered ? "_\(key)_position" : nil)
    }
    if try !file.columns("\(owner)_\(link.name)").isEmpty {
      return try pairs(
        "SELECT owner, member FROM \"\(owner)_\(link.name)\"", of: "owner",
        order: link.isOrdered ? "member_position" : nil)
    }
    guard let inverse else {
      throw PlainFile.Failure(message: "no table keeps \(owner).\(link.name)")
    }
    return try pairs(
      "SELECT member, owner FROM \"\(inverse.owner)_\(inverse.property.name)\"", of: "member",
      order: link.isOrdered ? "owner_position" : nil)
  }

  private func pairs(
    _ select: String, of column: String, order: String?
  ) throws -> [Int64: [Int64]] {
    let order = order.map { "\"\($0)\", " } ?? ""
    var result: [Int64: [Int64]] = [:]
    for row in try file.rows("\(select) WHERE \"\(column)\" IS NOT NULL ORDER BY 1, \(order) 2") {
      guard let from = Int64(row[0]), let to = Int64(row[1]) else { continue }
      result[from, default: []].append(to)
    }
    return result
  }
}

// MARK: - Comparing

extension StoredObjects {
  /// Compares what both models have, matched by identifiers and names and nothing else.
  func compare(
    with new: StoredObjects, _ differences: [String], _ outcome: inout HistoryPair.Outcome
  ) {
    outcome.problems += differences + new.dangling
    for entity in new.entities where !entity.isAbstract {
      guard
        let before = Self.match(
          entity.name, entity.identifier, entities, \.name, { $0.identifier }),
        !before.isAbstract
      else { continue }
      guard keys[before.name] == new.keys[entity.name] else {
        outcome.problems.append("objects of \(entity.name): \(new.keys[entity.name] ?? [])")
        continue
      }
      compareValues(entity, before, new, &outcome)
      compareLinks(entity, before, new, &outcome)
    }
  }

  private func compareValues(
    _ entity: Entity, _ before: Entity, _ new: StoredObjects,
    _ outcome: inout HistoryPair.Outcome
  ) {
    for (attribute, _) in entity.attributes where attribute.derivation == nil {
      guard
        let old = Self.match(
          attribute.name, attribute.renamingIdentifier, before.attributes.map(\.property), \.name,
          { $0.renamingIdentifier }),
        let was = values[before.name]?[old.name], let now = new.values[entity.name]?[attribute.name]
      else { continue }
      let label = "\(entity.name).\(attribute.name)"
      outcome.values += was.count
      if old.type != attribute.type { outcome.retyped += was.count }
      let expected = was.mapValues { Retyping.expected($0, from: old.type, to: attribute.type) }
      if expected != now.mapValues(Optional.some) {
        outcome.problems.append("\(label): \(now), not \(expected)")
      }
    }
  }

  private func compareLinks(
    _ entity: Entity, _ before: Entity, _ new: StoredObjects,
    _ outcome: inout HistoryPair.Outcome
  ) {
    for (link, _) in entity.relationships {
      guard
        let old = Self.match(
          link.name, link.renamingIdentifier, before.relationships.map(\.property), \.name,
          { $0.renamingIdentifier }),
        leads(link, in: new, to: old), let was = links[before.name]?[old.name],
        let now = new.links[entity.name]?[link.name]
      else { continue }
      let label = "\(entity.name).\(link.name)"
      outcome.links += was.values.reduce(0) { $0 + $1.count }
      if old.isOrdered && link.isOrdered, was != now {
        outcome.problems.append("\(label): \(now), not \(was) in order")
      } else if was.mapValues(Set.init) != now.mapValues(Set.init) {
        outcome.problems.append("\(label): \(now), not \(was)")
      }
    }
  }

  /// Whether a relationship leads to what it led to.
  private func leads(
    _ link: RelationshipDescription, in new: StoredObjects, to was: RelationshipDescription
  ) -> Bool {
    guard let destination = new.entity(link.destination) else { return false }
    return Self.match(
      destination.name, destination.identifier, entities, \.name, { $0.identifier })?.name
      == was.destination
  }

  /// The old form of something: what has the same identifier, where a name is one too.
  private static func match<Item>(
    _ name: String, _ identifier: String?, _ old: [Item], _ nameOf: (Item) -> String,
    _ identifierOf: (Item) -> String?
  ) -> Item? {
    let wanted = identifier ?? name
    return old.first { (identifierOf($0) ?? nameOf($0)) == wanted }
      ?? old.first { nameOf($0) == wanted } ?? old.first { nameOf($0) == name }
  }
}
