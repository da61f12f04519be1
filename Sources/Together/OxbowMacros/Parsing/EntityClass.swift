internal import SwiftDiagnostics
internal import SwiftSyntax
internal import SwiftSyntaxBuilder
internal import SwiftSyntaxMacros

/// A class as `@Entity` reads it.
struct EntityClass {
  let name: String

  /// The access of generated members: `public `, `open `, or empty.
  let access: String

  /// The entity's name in the model, as an expression.
  let entityName: String

  /// The superclass as it is spelled, when that is an entity too.
  let parent: String?

  /// The arguments of `@Entity` that are passed on to the description: `isAbstract: true`.
  let options: [String]
  let properties: [EntityProperty]
}

/// Reads a class declaration; collects the mistakes that prevent an entity.
struct EntityParser: DeclarationParser {
  var diagnostics: [Diagnostic] = []
  private let context: any MacroExpansionContext

  init(in context: some MacroExpansionContext) { self.context = context }

  /// Protocols that are often written first where a superclass is missing.
  private static let protocols: Set<String> = [
    "Sendable", "Hashable", "Equatable", "Codable", "Encodable", "Decodable", "Identifiable",
    "CustomStringConvertible", "AnyObject", "Comparable", "ModelObject",
  ]

  /// Reads the class, or returns `nil` when nothing useful could be generated.
  mutating func parse(_ declaration: some DeclGroupSyntax, _ attribute: AttributeSyntax)
    -> EntityClass?
  {
    guard let declaration = declaration.as(ClassDeclSyntax.self) else {
      let name = declaration.nameText
      return refuse(
        "an entity's objects have identity, and '\(name)' is \(declaration.kindName); declare "
          + "'final class \(name): ManagedObject'", at: attribute)
    }
    if let generics = declaration.genericParameterClause {
      return refuse(
        "an entity has one set of properties, so '\(declaration.name.text)' cannot be generic",
        at: generics)
    }
    guard let superclass = superclass(of: declaration) else { return nil }
    diagnoseSendable(declaration)
    diagnoseMembers(declaration)
    if superclass.lastName == "ManagedObject" { diagnoseHooks(declaration) }
    var reader = EntityPropertyParser(in: context)
    let properties = declaration.memberBlock.members.compactMap { reader.parse($0.decl) }
    diagnostics += reader.diagnostics
    let arguments = Arguments(attribute)
    return EntityClass(
      name: declaration.name.text, access: context.classAccess(declaration.modifiers),
      entityName: arguments.first ?? "\"\(declaration.name.plainName)\"",
      parent: superclass.lastName == "ManagedObject" ? nil : superclass.trimmedDescription,
      options: arguments.renamed(Self.labels), properties: properties)
  }

  /// Stand-ins for a class that is not an entity, so that the compiler only reports why.
  func standIns(for declaration: some DeclGroupSyntax) -> [DeclSyntax] {
    guard let declaration = declaration.as(ClassDeclSyntax.self),
      declaration.genericParameterClause == nil,
      !declaration.memberBlock.members.contains(where: { $0.decl.is(InitializerDeclSyntax.self) })
    else { return [] }
    return ["init() { fatalError() }"]
  }

  /// The labels of `@Entity`, and the labels of the description in its order.
  private static let labels: KeyValuePairs = [
    "abstract": "isAbstract", "unique": "uniquenessConstraints", "indexes": "fetchIndexes",
    "renamedFrom": "renamingIdentifier", "hashModifier": "versionHashModifier",
    "userInfo": "userInfo",
  ]

  private mutating func superclass(of declaration: ClassDeclSyntax) -> TypeSyntax? {
    let first = declaration.inheritanceClause?.inheritedTypes.first?.type
    if let first, !first.is(AttributedTypeSyntax.self), !Self.protocols.contains(first.lastName) {
      return first
    }
    let fixIt = inheriting(declaration)
    return refuse(
      "'\(declaration.name.text)' must inherit from 'ManagedObject' or from another entity",
      at: declaration.name, fixIts: [fixIt])
  }

  private func inheriting(_ declaration: ClassDeclSyntax) -> FixIt {
    let managedObject = TypeSyntax(IdentifierTypeSyntax(name: .identifier("ManagedObject")))
    var fixed = declaration
    if var clause = declaration.inheritanceClause {
      let first = InheritedTypeSyntax(
        type: managedObject, trailingComma: .commaToken(trailingTrivia: .space))
      clause.inheritedTypes = [first] + clause.inheritedTypes
      fixed.inheritanceClause = clause
    } else {
      fixed.name.trailingTrivia = []
      fixed.inheritanceClause = InheritanceClauseSyntax(
        colon: .colonToken(trailingTrivia: .space),
        inheritedTypes: [InheritedTypeSyntax(type: managedObject)],
        trailingTrivia: declaration.name.trailingTrivia)
    }
    return .replace("inherit from 'ManagedObject'", declaration, with: fixed)
  }
}

// MARK: - Members that an entity must not have

extension EntityParser {
  private mutating func diagnoseSendable(_ declaration: ClassDeclSyntax) {
    guard let clause = declaration.inheritanceClause,
      let found = clause.inheritedTypes.first(where: { isSendable($0.type) })
    else { return }
    let others = clause.inheritedTypes.filter { $0.id != found.id }
    var fixed = clause
    fixed.inheritedTypes = InheritedTypeListSyntax(
      others.enumerated().map { index, type in
        var type = type
        if index == others.count - 1 {
          type.trailingComma = nil
          type.trailingTrivia = clause.trailingTrivia
        }
        return type
      })
    let fixIt = FixIt.replace("remove 'Sendable'", clause, with: fixed)
    report(
      "'\(declaration.name.text)' cannot be Sendable: a managed object belongs to its context; "
        + "send its 'objectID' and fetch it there", at: found.type, fixIts: [fixIt])
  }

  private func isSendable(_ type: TypeSyntax) -> Bool {
    (type.as(AttributedTypeSyntax.self)?.baseType ?? type).lastName == "Sendable"
  }

  /// The methods that Core Data's classes override, and the protocols that have them.
  private static let hooks: [String: String] = [
    "awakeFromInsert": "AwakeFromInsertHook", "awakeFromFetch": "AwakeFromFetchHook",
    "willSave": "WillSaveHook", "didSave": "DidSaveHook",
    "prepareForDeletion": "PrepareForDeletionHook", "willTurnIntoFault": "WillTurnIntoFaultHook",
    "validateForInsert": "ValidationRulesHook", "validateForUpdate": "ValidationRulesHook",
    "validateForDelete": "PrepareForDeletionHook",
  ]

  /// `ManagedObject` has no method that could be overridden; the class of another entity may.
  private mutating func diagnoseHooks(_ declaration: ClassDeclSyntax) {
    for method in declaration.memberBlock.members.compactMap({
      $0.decl.as(FunctionDeclSyntax.self)
    }) {
      guard let override = method.modifiers.first(where: { $0.name.text == "override" }),
        let hook = Self.hooks[method.name.text]
      else { continue }
      report(
        "'\(method.name.text)' overrides nothing: a class conforms to the protocol of each moment "
          + "that it wants to hear of; write '\(hook)' after the superclass, and leave out "
          + "'override' and the call of 'super'", at: override)
    }
  }

  private mutating func diagnoseMembers(_ declaration: ClassDeclSyntax) {
    for member in declaration.memberBlock.members {
      if let deinitializer = member.decl.as(DeinitializerDeclSyntax.self) {
        report(
          "'\(declaration.name.text)' cannot have a deinitializer: the context drops objects that "
            + "are not held anywhere and brings them back as it likes; release what an object uses "
            + "where the unit of work ends", at: deinitializer.deinitKeyword)
      } else if let initializer = member.decl.as(InitializerDeclSyntax.self),
        !initializer.modifiers.contains("convenience")
      {
        report(
          "'\(declaration.name.text)' cannot declare a designated initializer: contexts create "
            + "objects; write a convenience function that inserts one and sets its properties",
          at: initializer.initKeyword)
      } else if let condition = member.decl.as(IfConfigDeclSyntax.self),
        condition.hasStoredProperties
      {
        report(
          "'@Entity' cannot see which branch of '#if' is compiled; declare the property outside of "
            + "it", at: condition.poundKeyword)
      }
    }
  }
}
