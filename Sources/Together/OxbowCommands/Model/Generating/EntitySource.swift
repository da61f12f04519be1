internal import OxbowModel

struct EntitySource {
  let entity: EntityDescription
  let model: ManagedObjectModel
  let classes: ClassNames
  let types: AttributeTypes

  /// `public `, or nothing.
  let access: String

  /// What the class cannot say, in sentences.
  private(set) var notes: [String] = []

  /// The properties of any entity that no class declares.
  private let dropped: Dropped

  init(
    _ entity: EntityDescription, _ model: ManagedObjectModel, _ classes: ClassNames,
    _ types: AttributeTypes, _ dropped: Dropped, access: String
  ) {
    (self.entity, self.model, self.classes) = (entity, model, classes)
    (self.types, self.dropped, self.access) = (types, dropped, access)
    notes = dropped.reasons(of: entity) + lostLists
  }

  /// The constraints and indexes that name what no class declares.
  private var lostLists: [String] {
    let constraints = entity.uniquenessConstraints.filter { dropped.touches($0, entity) }
    let indexes = entity.fetchIndexes.filter {
      dropped.touches($0.elements.map(\.property), entity)
    }
    return constraints.map { "uniqueness of \($0.joined(separator: ", "))" }
      + indexes.map { "fetch index '\($0.name)'" }
  }

  /// The declaration, without an end of line behind it.
  func text() -> String {
    let lines =
      notes.map { "// Not supported: \($0)." } + attributeLines("@Entity", entityArguments)
      + [introducer + (members.isEmpty ? " {}" : " {")]
    return (lines + (members.isEmpty ? [] : members.map { "  \($0)" } + ["}"]))
      .joined(separator: "\n")
  }

  private var introducer: String {
    let isFinal = !model.entities.contains { $0.parent == entity.name }
    let parent = entity.parent.map { classes[$0] } ?? "ManagedObject"
    return "\(access)\(isFinal ? "final " : "")class \(classes[entity.name]): \(parent)"
  }

  private var entityArguments: [String] {
    let unique = entity.uniquenessConstraints.filter { !dropped.touches($0, entity) }
    let indexes = entity.fetchIndexes.filter {
      !dropped.touches($0.elements.map(\.property), entity)
    }
    return [
      classes[entity.name] == SwiftName.spelled(entity.name) ? nil : entity.name.swiftLiteral,
      entity.isAbstract ? "abstract: true" : nil,
      entity.renamingIdentifier.map { "renamedFrom: \($0.swiftLiteral)" },
      unique.isEmpty ? nil : "unique: [\(unique.map(swiftLiteral).joined(separator: ", "))]",
      indexes.isEmpty ? nil : "indexes: [\(indexes.map(\.swiftLiteral).joined(separator: ", "))]",
    ].compactMap(\.self) + common(entity.versionHashModifier, entity.userInfo)
  }

  private func common(_ modifier: String?, _ userInfo: [String: String]) -> [String] {
    [
      modifier.map { "hashModifier: \($0.swiftLiteral)" },
      userInfo.isEmpty ? nil : "userInfo: \(swiftLiteral(userInfo))",
    ].compactMap(\.self)
  }

  /// An attribute with its arguments: on one line, or one argument on each.
  private func attributeLines(_ name: String, _ arguments: [String]) -> [String] {
    if arguments.isEmpty { return [name] }
    let line = "\(name)(\(arguments.joined(separator: ", ")))"
    if line.count <= 96 { return [line] }
    let list = arguments.enumerated().map { index, argument in
      "  \(argument)" + (index == arguments.count - 1 ? ")" : ",")
    }
    return ["\(name)("] + list
  }
}

// MARK: - Properties

extension EntitySource {
  var declared: [AttributeDescription] {
    entity.attributes.filter { !dropped.contains($0.name, entity) }
  }

  private var members: [String] {
    declared.flatMap(lines)
      + entity.relationships.filter { !dropped.contains($0.name, entity) }.flatMap(lines)
  }

  private func lines(for attribute: AttributeDescription) -> [String] {
    let type = types.swiftType(of: attribute) ?? ""
    let value = attribute.initialValue.map { " = \($0)" } ?? ""
    let nilValue = types.scalars ? attribute.scalarOfNil : nil
    let mark = attribute.isOptional && nilValue == nil ? "?" : ""
    let arguments =
      [
        attribute.renamingIdentifier.map { "renamedFrom: \($0.swiftLiteral)" },
        attribute.isTransient ? "transient: true" : nil, nilValue.map { "nilAs: \($0)" },
        attribute.rules.swiftLiteral.map { "rules: \($0)" },
        attribute.derivation.map { "derivation: \($0.swiftLiteral)" },
        attribute.allowsExternalStorage ? "externalStorage: true" : nil,
        attribute.preservesValueInHistoryOnDeletion ? "preservedAfterDeletion: true" : nil,
        attribute.search.swiftLiteral.map { "search: \($0)" },
      ].compactMap(\.self) + common(attribute.versionHashModifier, attribute.userInfo)
    let annotation = arguments.isEmpty ? [] : attributeLines("@Attribute", arguments)
    return annotation + [
      "\(access)var \(SwiftName.spelled(attribute.name)): \(type)\(mark)\(value)"
    ]
  }

  private func lines(for relationship: RelationshipDescription) -> [String] {
    let inverse = relationship.inverse.flatMap {
      dropped.contains($0, inTreeOf: relationship.destination, model) ? nil : $0
    }
    let (minimum, maximum) = (relationship.minimumCount, relationship.maximumCount)
    let arguments =
      [
        relationship.deleteRule == .nullify ? nil : ".\(relationship.deleteRule)",
        inverse.map { "inverse: \\.\(SwiftName.spelled($0))" },
        relationship.isOptional ? nil : "optional: false",
        relationship.renamingIdentifier.map { "renamedFrom: \($0.swiftLiteral)" },
        minimum > 0 ? "minimumCount: \(minimum)" : nil,
        maximum > 0 ? "maximumCount: \(maximum)" : nil,
      ].compactMap(\.self) + common(relationship.versionHashModifier, relationship.userInfo)
    return attributeLines("@Relationship", arguments) + [declaration(of: relationship)]
  }

  private func declaration(of relationship: RelationshipDescription) -> String {
    let destination = classes[relationship.destination]
    let type =
      switch (relationship.isToMany, relationship.isOrdered) {
      case (false, _): "\(destination)?"
      case (true, false): "Set<\(destination)> = []"
      case (true, true): "[\(destination)] = []"
      }
    return "\(access)var \(SwiftName.spelled(relationship.name)): \(type)"
  }
}

extension AttributeDescription {
  /// What Core Data's class reads where an optional scalar has no value; `nil` for others.
  fileprivate var scalarOfNil: String? {
    guard isOptional, isScalar else { return nil }
    return switch type {
    case .integer16, .integer32, .integer64, .double, .float: "0"
    case .boolean: "false"
    default: nil
    }
  }

  var initialValue: String? {
    if type == .float, case .double(let number) = defaultValue { return "\(Float(number))" }
    guard let literal = defaultValue?.swiftLiteral else { return nil }
    if type == .transformable { return "TransformedData(\(literal))" }
    return isOptional && literal.hasSuffix("!") ? String(literal.dropLast()) : literal
  }
}

extension AttributeRules {
  var swiftLiteral: String? {
    let arguments = [
      minimum.map { "minimum: \($0.swiftCase)" }, maximum.map { "maximum: \($0.swiftCase)" },
      minimumLength.map { "minimumLength: \($0)" }, maximumLength.map { "maximumLength: \($0)" },
      pattern.map { "pattern: \($0.swiftLiteral)" },
    ].compactMap { $0 }
    return arguments.isEmpty ? nil : "AttributeRules(\(arguments.joined(separator: ", ")))"
  }
}

extension FetchIndexDescription {
  fileprivate var swiftLiteral: String {
    if isRTree {
      let names = elements.map(\.property.swiftLiteral).joined(separator: ", ")
      return "FetchIndexDescription(\(name.swiftLiteral), rTree: \(names))"
    }
    let parts = elements.map {
      ".init(\($0.property.swiftLiteral)\($0.isAscending ? "" : ", isAscending: false"))"
    }
    return "FetchIndexDescription(\(name.swiftLiteral), elements: "
      + "[\(parts.joined(separator: ", "))])"
  }
}

extension AttributeSearch {
  /// The options as an argument; `nil` for none.
  fileprivate var swiftLiteral: String? {
    let options = names.map { "." + $0 }.joined(separator: ", ")
    return names.count > 1 ? "[\(options)]" : names.isEmpty ? nil : options
  }
}
