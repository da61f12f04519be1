internal import SwiftDiagnostics
internal import SwiftSyntax

/// Reads the stored properties of an entity; collects what cannot be a property of a model.
struct EntityPropertyParser: DeclarationParser {
  var diagnostics: [Diagnostic] = []

  /// The file and the line of a node as arguments of `#sourceLocation`.
  private let locate: (Syntax) -> String

  init(locate: @escaping (Syntax) -> String = { _ in "" }) { self.locate = locate }

  /// Names that every managed object has already.
  private static let reserved: Set<String> = [
    "objectID", "context", "isFault", "isInserted", "isUpdated", "isDeleted", "hasChanges",
    "faultError", "entityName", "entity", "description", "hashValue",
  ]

  /// The types whose values are attributes, so that none of them is an entity.
  private static let values: Set<String> = [
    "String", "Int", "Int16", "Int32", "Int64", "Double", "Float", "Bool", "Date", "Data", "UUID",
    "URL", "Decimal",
  ]

  /// Reads a member; `nil` when it is not a stored property, or one that had to be refused.
  mutating func parse(_ member: DeclSyntax) -> EntityProperty? {
    guard let variable = member.as(VariableDeclSyntax.self), variable.isStoredOnInstance,
      let binding = singleBinding(variable), accepts(variable, binding),
      let pattern = binding.pattern.as(IdentifierPatternSyntax.self),
      let type = annotatedType(binding, pattern)
    else { return nil }
    let name = pattern.identifier
    if Self.reserved.contains(name.plainName) {
      return refuse(EntityDiagnostics.reserved(name.plainName).at(name))
    }
    let attribute = variable.attributes.named("Attribute").first
    let relationship = variable.attributes.named("Relationship").first
    if let attribute, relationship != nil {
      return refuse(EntityDiagnostics.both(name.plainName).at(attribute))
    }
    let kind =
      if let relationship {
        self.relationship(relationship, type, name: name.plainName, binding)
      } else {
        self.attribute(attribute, type, variable, binding, name: name.plainName)
      }
    guard let kind else { return nil }
    return EntityProperty(name: name.text, plainName: name.plainName, kind: kind)
  }

  private mutating func singleBinding(_ variable: VariableDeclSyntax) -> PatternBindingSyntax? {
    guard let first = variable.bindings.first else { return nil }
    guard variable.bindings.count == 1 else {
      return refuse(EntityDiagnostics.severalNames.at(variable.bindingSpecifier))
    }
    return first
  }

  private mutating func accepts(_ variable: VariableDeclSyntax, _ binding: PatternBindingSyntax)
    -> Bool
  {
    let name = binding.pattern.trimmedDescription
    if let managed = variable.attributes.named("NSManaged").first {
      return refuse(EntityDiagnostics.managed(name).at(managed))
    }
    if variable.bindingSpecifier.text == "let" {
      return refuse(
        EntityDiagnostics.constant(name).at(
          variable.bindingSpecifier, fixIts: [variable.useVar]))
    }
    for modifier in variable.modifiers
    where ["lazy", "weak", "unowned"].contains(modifier.name.text) {
      return refuse(EntityDiagnostics.modifier(name, modifier.name.text).at(modifier))
    }
    if let block = binding.accessorBlock {
      return refuse(EntityDiagnostics.observer(name).at(block))
    }
    guard binding.pattern.is(IdentifierPatternSyntax.self) else {
      return refuse(EntityDiagnostics.severalNames.at(variable.bindingSpecifier))
    }
    return true
  }

  private mutating func annotatedType(
    _ binding: PatternBindingSyntax, _ pattern: IdentifierPatternSyntax
  ) -> TypeSyntax? {
    if let type = binding.typeAnnotation?.type { return type }
    let name = pattern.identifier.plainName
    return refuse(EntityDiagnostics.noType(name).at(pattern, fixIts: [binding.addType]))
  }
}

// MARK: - Attributes

extension EntityPropertyParser {
  private mutating func attribute(
    _ attribute: AttributeSyntax?, _ type: TypeSyntax, _ variable: VariableDeclSyntax,
    _ binding: PatternBindingSyntax, name: String
  ) -> EntityProperty.Kind? {
    let spelled = SpelledType(type)
    if let collection = spelled.collection {
      return refuse(collectionDiagnostic(variable, collection, name: name, type))
    }
    guard spelled.canBeAttribute else {
      return refuse(EntityDiagnostics.unsupported(name, type.trimmedDescription).at(type))
    }
    let value = binding.initializer?.value
    if let value, value.variesByMoment {
      diagnostics.append(EntityDiagnostics.variesByMoment(name, value.trimmedDescription).at(value))
    }
    let arguments = attribute.map(Arguments.init)
    let nilValue = nilValue(arguments, spelled, name: name)
    return .attribute(
      EntityProperty.Attribute(
        type: spelled.base.trimmedDescription, isOptional: spelled.isOptional || nilValue != nil,
        isTransient: isTransient(arguments), nilValue: nilValue,
        initialValue: value.flatMap {
          $0.is(NilLiteralExprSyntax.self) ? nil : $0.trimmedDescription
        },
        others: arguments?.renamed([
          "renamedFrom": "renamingIdentifier", "hashModifier": "versionHashModifier",
          "rules": "rules", "derivation": "derivation",
          "externalStorage": "allowsExternalStorage",
          "preservedAfterDeletion": "preservesValueInHistoryOnDeletion", "userInfo": "userInfo",
        ]) ?? []))
  }

  private mutating func isTransient(_ arguments: Arguments?) -> Bool {
    guard let expression = arguments?.expression("transient") else { return false }
    guard let literal = expression.as(BooleanLiteralExprSyntax.self) else {
      return refuse(EntityDiagnostics.transientLiteral.at(expression))
    }
    return literal.literal.text == "true"
  }

  private mutating func nilValue(
    _ arguments: Arguments?, _ type: SpelledType, name: String
  ) -> String? {
    guard let value = arguments?.expression("nilAs"), !value.is(NilLiteralExprSyntax.self) else {
      return nil
    }
    guard !type.isOptional else {
      return refuse(EntityDiagnostics.nilAsOfOptional(name).at(value))
    }
    return value.trimmedDescription
  }

  private func collectionDiagnostic(
    _ variable: VariableDeclSyntax, _ element: TypeSyntax, name: String, _ type: TypeSyntax
  ) -> Diagnostic {
    if Self.values.contains(element.lastName) {
      return EntityDiagnostics.values(name, type.trimmedDescription).at(type)
    }
    var fixed = variable
    fixed.leadingTrivia = []
    let relationship = AttributeSyntax(
      attributeName: IdentifierTypeSyntax(name: .identifier("Relationship")))
    fixed.attributes =
      [
        .attribute(
          relationship.with(\.leadingTrivia, variable.leadingTrivia)
            .with(\.trailingTrivia, .space))
      ] + fixed.attributes
    let fixIt = FixIt.replace("add '@Relationship'", variable, with: fixed)
    return EntityDiagnostics.collection(name, type.trimmedDescription).at(type, fixIts: [fixIt])
  }
}

extension ExprSyntax {
  /// Whether the expression plainly gives another value each time: `Date()`, `UUID()`, `.now`.
  fileprivate var variesByMoment: Bool {
    let text = trimmedDescription
    return ["Date()", "Date.now", ".now", "UUID()", "Date.init()", "UUID.init()", ".init()"]
      .contains(text) || text.contains(".random(")
  }
}

// MARK: - Relationships

extension EntityPropertyParser {
  private mutating func relationship(
    _ attribute: AttributeSyntax, _ type: TypeSyntax, name: String,
    _ binding: PatternBindingSyntax
  ) -> EntityProperty.Kind? {
    let spelled = SpelledType(type)
    guard let (destination, cardinality) = destination(spelled, type, name: name),
      acceptsInitialValue(binding, cardinality, name: name)
    else { return nil }
    let arguments = Arguments(attribute)
    var relationship = EntityProperty.Relationship(
      destination: destination, cardinality: cardinality, deleteRule: arguments.first)
    relationship.inverse = inverse(arguments, name: name)
    relationship.inverseLocation = arguments.expression("inverse").map { locate(Syntax($0)) } ?? ""
    relationship.isOptional = arguments["optional"]
    relationship.others = arguments.renamed([
      "minimumCount": "minimumCount", "maximumCount": "maximumCount",
      "renamedFrom": "renamingIdentifier", "hashModifier": "versionHashModifier",
      "userInfo": "userInfo",
    ])
    return .relationship(relationship)
  }

  private mutating func destination(_ spelled: SpelledType, _ type: TypeSyntax, name: String)
    -> (String, EntityProperty.Relationship.Cardinality)?
  {
    if let element = spelled.collection {
      if spelled.isOptional {
        return refuse(EntityDiagnostics.optionalCollection(name).at(type))
      }
      return (element.trimmedDescription, spelled.isOrdered ? .ordered : .set)
    }
    guard spelled.canBeAttribute else {
      return refuse(EntityDiagnostics.noDestination(name, type.trimmedDescription).at(type))
    }
    guard spelled.isOptional else {
      let optional = OptionalTypeSyntax(wrappedType: type.trimmed)
      let fixIt = FixIt.replace(
        "make it optional", type, with: optional.with(\.trailingTrivia, type.trailingTrivia))
      return refuse(EntityDiagnostics.requiredToOne(name).at(type, fixIts: [fixIt]))
    }
    return (spelled.base.trimmedDescription, .one)
  }

  private mutating func acceptsInitialValue(
    _ binding: PatternBindingSyntax, _ cardinality: EntityProperty.Relationship.Cardinality,
    name: String
  ) -> Bool {
    guard let value = binding.initializer?.value else { return true }
    let expected = cardinality == .one ? "nil" : "[]"
    if value.trimmedDescription == expected { return true }
    return refuse(EntityDiagnostics.relationshipValue(name, expected).at(value))
  }

  /// The name in `inverse: \.name`.
  private mutating func inverse(_ arguments: Arguments, name: String) -> String? {
    guard let expression = arguments.expression("inverse") else { return nil }
    guard let path = expression.as(KeyPathExprSyntax.self), path.components.count == 1,
      let component = path.components.first?.component.as(KeyPathPropertyComponentSyntax.self)
    else {
      return refuse(EntityDiagnostics.inverseForm(name).at(expression))
    }
    if path.root != nil {
      let fixIt = FixIt.replace("leave the class out", path, with: path.with(\.root, nil))
      diagnostics.append(
        EntityDiagnostics.inverseRoot(component.declName.baseName.text)
          .at(expression, fixIts: [fixIt]))
    }
    return component.declName.baseName.text
  }
}
