internal import OxbowDocuments

extension ModelValidator {
  mutating func check(_ attribute: AttributeDescription, of entity: EntityDescription) {
    let subject = "attribute '\(attribute.name)' of entity '\(entity.name)'"
    if attribute.type == .undefined && !attribute.isTransient {
      problem(
        "\(subject) has no type; only a transient attribute can do without",
        at: attribute.location)
    }
    let values = [
      ("default value", attribute.defaultValue), ("minimum", attribute.rules.minimum),
      ("maximum", attribute.rules.maximum),
    ]
    for (kind, value) in values {
      guard let value, !value.fits(attribute.type) else { continue }
      problem(
        "the \(kind) \(value) of \(subject) is not a value of type \(attribute.type.rawValue)",
        at: attribute.location)
    }
    checkOrder(of: attribute.rules, subject, attribute.location)
    checkPattern(of: attribute, subject)
    checkExternalStorage(of: attribute, subject)
    checkSearch(of: attribute, subject)
    checkParts(of: attribute, entity, subject)
  }

  private mutating func checkExternalStorage(of attribute: AttributeDescription, _ subject: String)
  {
    guard attribute.allowsExternalStorage else { return }
    if attribute.isTransient {
      problem(
        "\(subject) allows external storage and is transient; a value in memory only is in no file",
        at: attribute.location)
    } else if !attribute.type.canBeExternal {
      problem(
        "\(subject) allows external storage, and has the type \(attribute.type.rawValue); only"
          + " \(AttributeType.binaryData.rawValue) and \(AttributeType.transformable.rawValue) can be"
          + " in files", at: attribute.location)
    }
  }

  private mutating func checkSearch(of attribute: AttributeDescription, _ subject: String) {
    guard !attribute.search.isEmpty else { return }
    let reason: String
    if attribute.type != .string {
      reason =
        "has the type \(attribute.type.rawValue); only a \(AttributeType.string.rawValue) has any"
    } else if attribute.isTransient {
      reason = "is transient; no store has its values"
    } else if attribute.derivation != nil {
      reason = "is derived; search what it is made of"
    } else {
      return
    }
    let parts = attribute.search.names.joined(separator: " and ")
    problem("\(subject) asks for an index of its \(parts), and \(reason)", at: attribute.location)
  }

  private mutating func checkParts(
    of attribute: AttributeDescription, _ entity: EntityDescription, _ subject: String
  ) {
    guard !attribute.elements.isEmpty else { return }
    guard attribute.type == .composite else {
      return problem(
        "\(subject) has parts, and the type \(attribute.type.rawValue); only a composite attribute"
          + " has parts", at: attribute.location)
    }
    checkNames(
      attribute.elements.map { ($0.name, $0.location) }, kind: "part", whole: subject)
    checkComposite(attribute, subject)
    for part in attribute.elements {
      if part.isTransient || part.derivation != nil {
        problem(
          "the part '\(part.name)' of \(subject) is \(part.isTransient ? "transient" : "derived");"
            + " all parts of a composite attribute are kept", at: part.location)
      }
      var named = part
      named.name = "\(attribute.name).\(part.name)"
      check(named, of: entity)
    }
  }

  private mutating func checkComposite(_ attribute: AttributeDescription, _ subject: String) {
    guard let name = attribute.compositeName, !name.isEmpty else {
      return problem(
        "\(subject) has no name for its composite type; documents need one", at: attribute.location)
    }
    let parts = attribute.elements.sorted(by: \.name)
    if let known = composites[name], known != parts {
      problem(
        "the composite type '\(name)' of \(subject) has other parts than elsewhere in the model;"
          + " rename one of the two", at: attribute.location)
    }
    composites[name] = parts
  }

  private mutating func checkPattern(of attribute: AttributeDescription, _ subject: String) {
    guard let pattern = attribute.rules.pattern else { return }
    if attribute.type != .string {
      problem(
        "\(subject) has a regular expression, which only texts can match",
        at: attribute.location)
      return
    }
    do throws(PersistenceError) { _ = try TextTest(.matches, pattern, []) } catch {
      problem(
        error.code == .unsupported
          ? error.message
          : "the pattern '\(pattern)' of \(subject) is not a regular expression; check its brackets",
        at: attribute.location)
    }
  }

  private mutating func checkOrder(
    of rules: AttributeRules, _ subject: String, _ location: SourceLocation?
  ) {
    if let minimum = rules.minimum, let maximum = rules.maximum,
      minimum.order(to: maximum) == .descending
    {
      problem("the minimum \(minimum) of \(subject) is above its maximum \(maximum)", at: location)
    }
    if let minimum = rules.minimumLength, let maximum = rules.maximumLength, minimum > maximum {
      problem(
        "the smallest length \(minimum) of \(subject) is above its largest \(maximum)",
        at: location)
    }
  }

  mutating func check(_ relationship: RelationshipDescription, of entity: EntityDescription) {
    let subject = "relationship '\(relationship.name)' of entity '\(entity.name)'"
    if relationship.isOrdered && !relationship.isToMany {
      problem("\(subject) is ordered, but leads to one object only", at: relationship.location)
    }
    if relationship.maximumCount > 0, relationship.minimumCount > relationship.maximumCount {
      problem(
        "the smallest count \(relationship.minimumCount) of \(subject) is above its largest"
          + " \(relationship.maximumCount)", at: relationship.location)
    }
    guard let destination = entities[relationship.destination] else {
      problem(
        "the destination '\(relationship.destination)' of \(subject) does not exist; where a class "
          + "is the entity's, pass the class among the types",
        at: relationship.location, near: relationship.destination, among: Array(entities.keys))
      return
    }
    checkInverse(of: relationship, in: entity, destination, subject)
  }

  private mutating func checkInverse(
    of relationship: RelationshipDescription, in entity: EntityDescription,
    _ destination: EntityDescription, _ subject: String
  ) {
    guard let name = relationship.inverse else { return }
    let candidates = line(of: destination).flatMap(\.relationships)
    guard let inverse = candidates.first(where: { $0.name == name }) else {
      problem(
        "the inverse '\(name)' of \(subject) is not a relationship of '\(destination.name)'",
        at: relationship.location, near: name, among: candidates.map(\.name))
      return
    }
    guard inverse.inverse == relationship.name else {
      let named = inverse.inverse.map { "'\($0)'" } ?? "no inverse"
      problem(
        "\(subject) has the inverse '\(name)' of '\(destination.name)', but that one has"
          + " \(named); name '\(relationship.name)' as the inverse there, or leave both out",
        at: relationship.location)
      return
    }
    // The inverse may lead to an entity below the one that declares this relationship, or above.
    guard let back = entities[inverse.destination],
      !line(of: back).contains(where: { $0.name == entity.name })
    else { return }
    problem(
      "\(subject) has the inverse '\(name)' of '\(destination.name)', but that one leads to"
        + " '\(inverse.destination)'", at: relationship.location)
  }
}

// MARK: - Constraints and indexes

extension ModelValidator {
  mutating func checkConstraints(of entity: EntityDescription) {
    for constraint in entity.uniquenessConstraints {
      if constraint.isEmpty {
        problem(
          "a uniqueness constraint of entity '\(entity.name)' names nothing",
          at: entity.location)
      }
      for name in constraint {
        checkStored(name, of: entity, "the uniqueness constraint")
        checkSettable(name, of: entity)
      }
    }
  }

  mutating func checkIndexes(of entity: EntityDescription) {
    checkNames(
      entity.fetchIndexes.map { ($0.name, entity.location) }, kind: "fetch index",
      whole: "entity '\(entity.name)'")
    for index in entity.fetchIndexes {
      if index.elements.isEmpty {
        problem(
          "fetch index '\(index.name)' of entity '\(entity.name)' covers nothing",
          at: entity.location)
      }
      for element in index.elements {
        checkStored(
          element.property, of: entity, "fetch index '\(index.name)'")
      }
      if let reason = index.boxProblem(in: line(of: entity)) {
        problem(
          "fetch index '\(index.name)' of entity '\(entity.name)' cannot be kept: \(reason)",
          at: entity.location)
      }
    }
  }

  private mutating func checkSettable(_ name: String, of entity: EntityDescription) {
    let attributes = line(of: entity).flatMap(\.attributes)
    guard attributes.contains(where: { $0.name == name && $0.derivation != nil }) else { return }
    problem(
      "the uniqueness constraint of entity '\(entity.name)' names '\(name)', which is derived; the"
        + " store computes it after the values of a save were compared: name what it is made of",
      at: entity.location)
  }

  private mutating func checkStored(
    _ name: String, of entity: EntityDescription, _ user: String
  ) {
    let chain = line(of: entity).map(\.flattened)
    if let attribute = chain.flatMap(\.attributes).first(where: { $0.name == name }) {
      if attribute.isTransient {
        problem(
          "\(user) of entity '\(entity.name)' names '\(name)', which is transient",
          at: entity.location)
      } else if attribute.allowsExternalStorage {
        problem(
          "\(user) of entity '\(entity.name)' names '\(name)', which allows external storage; values"
            + " in files are not compared: keep a digest of them in another attribute",
          at: entity.location)
      } else if attribute.type == .composite {
        problem(
          "\(user) of entity '\(entity.name)' names '\(name)', which is composite; name one of its"
            + " parts, as in '\(name).part'", at: entity.location)
      }
      return
    }
    if let relationship = chain.flatMap(\.relationships).first(where: { $0.name == name }) {
      if relationship.isToMany {
        problem(
          "\(user) of entity '\(entity.name)' names '\(name)', which is a"
            + " to-many relationship", at: entity.location)
      }
      return
    }
    problem(
      "\(user) of entity '\(entity.name)' names '\(name)', which is not a property of it",
      at: entity.location, near: name, among: chain.flatMap(\.propertyNames))
  }
}
