internal import SwiftDiagnostics
internal import SwiftSyntax
internal import SwiftSyntaxMacros

/// Reads the stored properties of an entity; collects those that cannot be in a model.
struct EntityPropertyParser: DeclarationParser {
  var diagnostics: [Diagnostic] = []
  private let context: any MacroExpansionContext

  init(in context: any MacroExpansionContext) { self.context = context }

  /// Names that every managed object has already.
  private static let reserved: Set<String> = [
    "objectID", "context", "isFault", "isInserted", "isUpdated", "isDeleted", "hasChanges",
    "hasPersistentChangedValues", "faultError", "entityName", "entityDescription", "entity",
    "description", "hashValue", "customMirror", "fetchValue",
  ]

  /// The types of attributes, which are not entities.
  private static let values: Set<String> = [
    "String", "Int", "Int16", "Int32", "Int64", "Double", "Float", "Bool", "Date", "Data", "UUID",
    "URL", "Decimal",
  ]

  /// Reads a member; `nil` when it is not a stored property, or is refused.
  mutating func parse(_ member: DeclSyntax) -> EntityProperty? {
    guard let variable = member.as(VariableDeclSyntax.self), variable.isStoredOnInstance,
      let (binding, pattern) = single(
        variable, else: "an entity's properties are declared one by one, each with its type"),
      accepts(variable, binding),
      let type = binding.typeAnnotation?.type
        ?? refuse(
          "'\(pattern.identifier.plainName)' needs a type annotation: a macro sees what is "
            + "written, not what is inferred", at: pattern, fixIts: [binding.addType])
    else { return nil }
    let name = pattern.identifier
    if Self.reserved.contains(name.plainName) {
      return refuse(
        "every managed object has a property '\(name.plainName)' already; choose another name",
        at: name)
    }
    let attribute = variable.attributes.named("Attribute").first
    let relationship = variable.attributes.named("Relationship").first
    if let attribute, relationship != nil {
      return refuse(
        "'\(name.plainName)' is either an attribute or a relationship; remove one of the two",
        at: attribute)
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

  private mutating func accepts(_ variable: VariableDeclSyntax, _ binding: PatternBindingSyntax)
    -> Bool
  {
    let name = binding.pattern.trimmedDescription
    if let managed = variable.attributes.named("NSManaged").first {
      return refuse(
        "'@Entity' writes the accessors of '\(name)'; remove '@NSManaged'", at: managed)
    }
    if variable.bindingSpecifier.text == "let" {
      return refuse(
        "'\(name)' is read from the store whenever its object is, so it cannot be a 'let'",
        at: variable.bindingSpecifier, fixIts: [variable.useVar])
    }
    for modifier in variable.modifiers
    where ["lazy", "weak", "unowned"].contains(modifier.name.text) {
      return refuse(
        "'\(name)' has no storage in the object that '\(modifier.name.text)' could apply to",
        at: modifier)
    }
    if let block = binding.accessorBlock {
      return refuse(
        "'\(name)' has no storage in the object that could be observed; add a computed property "
          + "that changes both", at: block)
    }
    return true
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
      return refuse(collection, of: variable, name: name, type)
    }
    guard spelled.canBeAttribute else {
      return refuse(
        "'\(name)' of type '\(type.trimmedDescription)' cannot be kept in a store; an attribute is "
          + "a number, Bool, String, Date, Data, UUID, URL or Decimal, an 'AttributeConvertible' "
          + "type, or an optional of one (type aliases of other spellings are not seen)", at: type)
    }
    let value = binding.initializer?.value
    if let value, value.variesByMoment {
      report(
        "the default of '\(name)' is evaluated once for the model, so every object would get the "
          + "same '\(value.trimmedDescription)'; make the attribute optional, or set it where the "
          + "object is inserted", at: value)
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
          "preservedAfterDeletion": "preservesValueInHistoryOnDeletion", "search": "search",
          "userInfo": "userInfo",
        ]) ?? []))
  }

  private mutating func isTransient(_ arguments: Arguments?) -> Bool {
    guard let expression = arguments?.expression("transient") else { return false }
    guard let literal = expression.as(BooleanLiteralExprSyntax.self) else {
      return refuse(
        "'transient' must be 'true' or 'false', spelled here", at: expression)
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
      return refuse(
        "'\(name)' can be nil itself, so 'nilAs' has no use; remove it, or the '?' of the type",
        at: value)
    }
    return value.trimmedDescription
  }

  private mutating func refuse(
    _ element: TypeSyntax, of variable: VariableDeclSyntax, name: String, _ type: TypeSyntax
  ) -> EntityProperty.Kind? {
    if Self.values.contains(element.lastName) {
      return refuse(
        "'\(name)' of type '\(type.trimmedDescription)' is many values, and an attribute is one; "
          + "write an entity for them and a '@Relationship' to it, or an 'AttributeConvertible' "
          + "type that holds them all", at: type)
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
    return refuse(
      "'\(name)' of type '\(type.trimmedDescription)' is a relationship to many objects; mark it "
        + "'@Relationship'", at: type, fixIts: [fixIt])
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
    relationship.inverseLocation =
      arguments.expression("inverse").map { context.location(forDirectiveAt: $0) } ?? ""
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
        return refuse(
          "'\(name)' leads to no object when it is empty; remove the '?'", at: type)
      }
      return (element.trimmedDescription, spelled.isOrdered ? .ordered : .set)
    }
    guard spelled.canBeAttribute else {
      return refuse(
        "'\(name)' of type '\(type.trimmedDescription)' is not a relationship; spell 'T?' for one "
          + "object, 'Set<T>' for many, '[T]' for many in order (type aliases are not seen)",
        at: type)
    }
    guard spelled.isOptional else {
      let optional = OptionalTypeSyntax(wrappedType: type.trimmed)
      let fixIt = FixIt.replace(
        "make it optional", type, with: optional.with(\.trailingTrivia, type.trailingTrivia))
      return refuse(
        "'\(name)' has no object before it is set and after its object is deleted, so its type "
          + "must be optional", at: type, fixIts: [fixIt])
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
    return refuse(
      "a new object has no related objects yet, so '\(name)' can only start as '\(expected)'",
      at: value)
  }

  /// The name in `inverse: \.name`.
  private mutating func inverse(_ arguments: Arguments, name: String) -> String? {
    guard let expression = arguments.expression("inverse") else { return nil }
    guard let path = expression.as(KeyPathExprSyntax.self), path.components.count == 1,
      let component = path.components.first?.component.as(KeyPathPropertyComponentSyntax.self)
    else {
      return refuse(
        "the inverse of '\(name)' is spelled as '\\.property', one property of the destination",
        at: expression)
    }
    if path.root != nil {
      let fixIt = FixIt.replace("leave the class out", path, with: path.with(\.root, nil))
      report(
        "spell the inverse '\\.\(component.declName.baseName.text)': with the class in front, the "
          + "two ends would refer to each other in a circle", at: expression, fixIts: [fixIt])
    }
    return component.declName.baseName.text
  }
}
