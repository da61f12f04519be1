internal import OxbowDocuments

struct ModelValidator {
  let model: ManagedObjectModel
  let entities: [String: EntityDescription]
  var problems: [PersistenceError] = []

  /// The parts of composite types, by name.
  var composites: [String: [AttributeDescription]] = [:]

  init(_ model: ManagedObjectModel) {
    self.model = model
    entities = model.entities.byName
  }

  mutating func run() {
    checkNames(
      model.entities.map { ($0.name, $0.location) }, kind: "entity", whole: "the model")
    checkRenaming(model.entities.map { ($0.name, $0.renamingIdentifier, $0.location) }, nil)
    for entity in model.entities {
      checkParent(of: entity)
      checkProperties(of: entity)
      for attribute in entity.attributes { check(attribute, of: entity) }
      for attribute in entity.attributes { checkDerivation(of: attribute, in: entity) }
      for relationship in entity.relationships { check(relationship, of: entity) }
      checkConstraints(of: entity)
      checkIndexes(of: entity)
      checkFetchedProperties(of: entity)
    }
    for (configuration, names) in model.configurations.sorted(by: { $0.key < $1.key }) {
      for name in names where entities[name] == nil {
        problem(
          "configuration '\(configuration)' names the entity '\(name)', which does not exist",
          at: nil, near: name, among: Array(entities.keys))
      }
    }
  }

  private mutating func checkFetchedProperties(of entity: EntityDescription) {
    for property in entity.fetchedProperties where entities[property.destination] == nil {
      problem(
        "the destination '\(property.destination)' of fetched property '\(property.name)' of entity"
          + " '\(entity.name)' does not exist", at: property.location, near: property.destination,
        among: Array(entities.keys))
    }
  }

  mutating func problem(
    _ message: String, at location: SourceLocation?, near typed: String? = nil,
    among names: [String] = []
  ) {
    problems.append(
      PersistenceError(
        .invalidModel, message, at: location,
        nearNames: typed.map { PersistenceError.nearNames(to: $0, among: names) } ?? []))
  }

  /// The entity and those that it inherits from, nearest first.
  func line(of entity: EntityDescription) -> [EntityDescription] { entities.line(from: entity) }
}

// MARK: - Names

extension ModelValidator {
  /// Checks names that must differ, also without regard to case, which SQL does not see.
  mutating func checkNames(
    _ names: [(name: String, location: SourceLocation?)], kind: String, whole: String
  ) {
    var seen: [String: (name: String, location: SourceLocation?)] = [:]
    for (name, location) in names {
      checkName(name, kind: kind, location)
      let key = name.lowercased()
      if let first = seen[key] {
        let whereFirst = first.location.map { " (first at \($0))" } ?? ""
        problem(
          first.name == name
            ? "\(kind) '\(name)' is declared twice in \(whole)\(whereFirst)"
            : "the names of \(kind) '\(first.name)' and '\(name)' in \(whole) differ only in case"
              + "; no store can keep both\(whereFirst)",
          at: location)
      } else {
        seen[key] = (name, location)
      }
    }
  }

  private mutating func checkName(_ name: String, kind: String, _ location: SourceLocation?) {
    guard !name.isPlainName else { return }
    guard let first = name.first else {
      problem("\(kind) has an empty name", at: location)
      return
    }
    let isUsable =
      first.isLetter && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    if !isUsable {
      problem(
        "the name of \(kind) '\(name)' is not usable; a name begins with a letter and goes on with"
          + " letters, digits and \"_\"", at: location)
    }
  }

  mutating func checkRenaming(
    _ items: [(name: String, identifier: String?, location: SourceLocation?)],
    _ entity: EntityDescription?
  ) {
    var seen: [String: String] = [:]
    for (name, identifier, location) in items {
      guard let identifier else { continue }
      if let first = seen[identifier] {
        let whole = entity.map { " of entity '\($0.name)'" } ?? ""
        problem(
          "'\(first)' and '\(name)'\(whole) have the same renaming identifier '\(identifier)'; one"
            + " name before can become only one name after", at: location)
      }
      seen[identifier] = name
    }
  }
}

extension String {
  /// Whether it is a letter of ASCII and then letters, digits and "_", as nearly all names are: to
  /// ask characters takes longer (`S/open`).
  fileprivate var isPlainName: Bool {
    guard let first = utf8.first, first | 0x20 >= 0x61, first | 0x20 <= 0x7A else { return false }
    return utf8.allSatisfy {
      0x61...0x7A ~= $0 | 0x20 || 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "_")
    }
  }
}

// MARK: - Inheritance

extension ModelValidator {
  mutating func checkParent(of entity: EntityDescription) {
    guard let parent = entity.parent else { return }
    guard entities[parent] != nil else {
      problem(
        "the parent '\(parent)' of entity '\(entity.name)' does not exist", at: entity.location,
        near: parent, among: Array(entities.keys))
      return
    }
    let chain = line(of: entity)
    if let last = chain.last?.parent, last == entity.name {
      let path = (chain.map(\.name) + [entity.name]).map { "'\($0)'" }
      problem(
        "entity '\(entity.name)' inherits from itself: \(path.joined(separator: " → "))",
        at: entity.location)
    }
  }

  mutating func checkProperties(of entity: EntityDescription) {
    checkNames(
      entity.attributes.map { ($0.name, $0.location) }
        + entity.relationships.map { ($0.name, $0.location) }
        + entity.fetchedProperties.map { ($0.name, $0.location) },
      kind: "property", whole: "entity '\(entity.name)'")
    checkRenaming(
      entity.attributes.map { ($0.name, $0.renamingIdentifier, $0.location) }
        + entity.relationships.map { ($0.name, $0.renamingIdentifier, $0.location) }, entity)
    let own =
      entity.attributes.map { ($0.name, $0.location) }
      + entity.relationships.map { ($0.name, $0.location) }
    for ancestor in line(of: entity).dropFirst() {
      let inherited = Set(ancestor.propertyNames.map { $0.lowercased() })
      for (name, location) in own where inherited.contains(name.lowercased()) {
        problem(
          "property '\(name)' of entity '\(entity.name)' is declared by its parent"
            + " '\(ancestor.name)' already", at: location)
      }
    }
  }
}

extension EntityDescription {
  /// The names of its own properties.
  var propertyNames: [String] { attributes.map(\.name) + relationships.map(\.name) }
}
