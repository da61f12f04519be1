internal import SwiftSyntax
internal import SwiftSyntaxBuilder

extension EntityClass {
  /// The members that describe the entity to models and contexts.
  var descriptionMembers: [DeclSyntax] {
    [
      entityNameMember, entityDescriptionMember, propertyNamesMember, propertyCountMember,
      keyPathsMember, keptKeyPaths, keyPathTable,
    ]
  }

  /// A stand-in for a class with mistakes, so that the compiler reports nothing else.
  var refusedInitializer: DeclSyntax {
    """
    /// Never called: the class has mistakes.
    nonisolated \(raw: access.closed)required \
    init(_slab: RowSlab, row: Int, state: ObjectState) { fatalError() }
    """
  }

  /// `public override class`, or the part of it that applies.
  private var introducer: String {
    "nonisolated \(access)\(parent == nil ? "" : "override ")class"
  }

  private var entityNameMember: DeclSyntax {
    """
    /// The name of the entity whose objects the class makes.
    \(raw: introducer) var entityName: String { \(raw: entityName) }
    """
  }

  private var entityDescriptionMember: DeclSyntax {
    let arguments =
      [
        "\(name).entityName", "className: \"\(name)\"",
        parent.map { "parent: \($0).entityName" },
        options.first { $0.hasPrefix("isAbstract:") },
        listArgument("attributes", properties.compactMap(\.attributeDescription)),
        listArgument("relationships", properties.compactMap(\.relationshipDescription)),
      ].compactMap { $0 } + options.filter { !$0.hasPrefix("isAbstract:") }
    return """
      /// The entity as the class declares it, with its own properties only.
      \(raw: introducer) var entityDescription: EntityDescription {
        \(raw: inverses)EntityDescription(\(raw: arguments.joined(separator: ", ")))
      }
      """
  }

  /// The names of inverses, each checked where it is written, for the description that follows.
  private var inverses: String {
    let lines = properties.compactMap(\.inverseDeclaration)
    return lines.isEmpty ? "" : lines.joined(separator: "\n").indented(by: 2) + "\n  return "
  }

  private var propertyNamesMember: DeclSyntax {
    let names = "[" + properties.map { "\"\($0.plainName)\"" }.joined(separator: ", ") + "]"
    return """
      /// The names of all properties in the order of their accessors, inherited ones first.
      \(raw: introducer) var _propertyNames: [String] {
        \(raw: parent.map { "\($0)._propertyNames + " } ?? "")\(raw: names)
      }
      """
  }

  private var propertyCountMember: DeclSyntax {
    """
    /// The number of all properties, which is where the accessors of a sub-entity begin.
    \(raw: introducer) var _propertyCount: Int {
      \(raw: parent.map { "\($0)._propertyCount + " } ?? "")\(raw: properties.count)
    }
    """
  }
}

extension EntityProperty {
  fileprivate var attributeDescription: String? {
    guard case .attribute(let attribute) = kind else { return nil }
    let type = attribute.type
    let value = attribute.initialValue.map { value in
      attribute.isOptional
        ? "_optionalAttributeValue((\(value)) as \(type)?)"
        : "_attributeValue((\(value)) as \(type))"
    }
    let arguments =
      [
        "\"\(plainName)\"", "_attributeType(of: \(type).self)",
        attribute.isOptional ? "isOptional: true" : nil,
        attribute.isTransient ? "isTransient: true" : nil,
        value.map { "defaultValue: \($0)" },
      ].compactMap { $0 } + attribute.others
    return "AttributeDescription(" + arguments.joined(separator: ", ") + ")"
  }

  fileprivate var relationshipDescription: String? {
    guard case .relationship(let relationship) = kind else { return nil }
    let arguments =
      [
        "\"\(plainName)\"", "to: \(relationship.destination).entityName",
        relationship.inverse.map { _ in "inverse: \(inverseVariable)" },
        relationship.cardinality == .one ? nil : "isToMany: true",
        relationship.cardinality == .ordered ? "isOrdered: true" : nil,
        relationship.isOptional.map { "isOptional: \($0)" },
        relationship.deleteRule.map { "deleteRule: \($0)" },
      ].compactMap { $0 } + relationship.others
    return "RelationshipDescription(" + arguments.joined(separator: ", ") + ")"
  }

  private var inverseVariable: String { "inverseOf_\(plainName)" }

  /// The name of the inverse as a variable; the key path has the compiler check it.
  fileprivate var inverseDeclaration: String? {
    guard case .relationship(let relationship) = kind, let name = relationship.inverse else {
      return nil
    }
    return located(
      "let \(inverseVariable) = _inverseName(\"\(name.plainName)\", "
        + "\\\(relationship.destination).\(name))", at: relationship.inverseLocation)
  }
}
