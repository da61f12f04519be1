internal import SwiftDiagnostics
internal import SwiftSyntax
internal import SwiftSyntaxMacros

/// Reads a class declaration; collects the mistakes that prevent a description.
struct ComponentParser: DeclarationParser {
  var diagnostics: [Diagnostic] = []
  private let context: any MacroExpansionContext

  init(in context: some MacroExpansionContext) { self.context = context }

  mutating func parse(_ declaration: some DeclGroupSyntax, _ attribute: AttributeSyntax)
    -> ComponentClass?
  {
    guard let declaration = declaration.as(ClassDeclSyntax.self) else {
      return refuse(
        "files name classes, and '\(declaration.nameText)' is \(declaration.kindName); define its "
          + "objects in code, on the builder", at: attribute)
    }
    guard accepts(declaration) else { return nil }
    var component = ComponentClass(
      name: declaration.name.text, access: context.classAccess(declaration.modifiers),
      isMainActor: isMainActor(declaration, Arguments(attribute)),
      location: context.location(forDirectiveAt: declaration.name))
    if !component.isMainActor { describeMembers(of: declaration, in: &component) }
    component.annotations = annotations(of: declaration, attribute, describedBy: component)
    return component
  }

  private func describeMembers(
    of declaration: ClassDeclSyntax, in component: inout ComponentClass
  ) {
    component.madeWith = properties(madeWith: declaration)
    component.inheritsInitializers =
      declaration.inheritanceClause != nil && component.madeWith.isEmpty
      && declaration.members(InitializerDeclSyntax.self).isEmpty
    component.isFinal = declaration.modifiers.contains("final")
    component.initializers = initializers(of: declaration, written: component.written)
    if !component.isFinal {
      component.heritable = heritableInitializers(of: declaration, written: component.written)
    }
    component.properties = properties(of: declaration)
    component.callbacks = callbacks(of: declaration)
    component.methods = factoryMethods(of: declaration)
  }

  private mutating func accepts(_ declaration: ClassDeclSyntax) -> Bool {
    let name = declaration.name.text
    let surroundings = context.lexicalContext
    let types = surroundings.compactMap { $0.asProtocol((any WithGenericParametersSyntax).self) }
    if declaration.genericParameterClause != nil
      || types.contains(where: { $0.genericParameterClause != nil })
      || surroundings.contains(where: \.extendsGenericType)
    {
      report(
        "'\(name)' is generic, so one name in a file would mean many types; register the "
          + "types that are needed on the builder", at: declaration.name)
      return false
    }
    if let actor = declaration.attributes.actor, actor.attributeName.lastName != "MainActor" {
      report(
        "objects of '\(name)' belong to '@\(actor.attributeName.lastName)', and a container "
          + "constructs on no actor; make them in code on that actor", at: actor)
      return false
    }
    let isLocal = surroundings.contains { node in
      !node.isProtocol((any DeclGroupSyntax).self)
    }
    if isLocal {
      report(
        "'\(name)' is declared in a function, where files cannot name it; move it out, or register "
          + "it on the builder", at: declaration.name)
      return false
    }
    return true
  }

  private func isMainActor(_ declaration: ClassDeclSyntax, _ arguments: Arguments) -> Bool {
    if !declaration.attributes.named("MainActor").isEmpty { return true }
    return arguments["isolation"]?.hasSuffix(".mainActor") ?? false
  }
}

extension Syntax {
  /// Whether its spelling says that it is an extension of a generic type.
  fileprivate var extendsGenericType: Bool {
    guard let found = self.as(ExtensionDeclSyntax.self) else { return false }
    let known = ["Array", "ContiguousArray", "Dictionary", "Set", "Optional", "Result"]
    return found.genericWhereClause != nil || !found.extendedType.genericArguments.isEmpty
      || known.contains(found.extendedType.lastName)
  }
}

extension ClassDeclSyntax {
  /// The members of one kind, in order; those inside of `#if` cannot be described.
  func members<D: DeclSyntaxProtocol>(_ kind: D.Type) -> [D] {
    memberBlock.members.compactMap { $0.decl.as(kind) }
  }
}

/// A declaration that code beside the class may be able to use.
protocol ComponentMember: WithAttributesSyntax, WithModifiersSyntax {}

extension VariableDeclSyntax: ComponentMember {}
extension InitializerDeclSyntax: ComponentMember {}
extension FunctionDeclSyntax: ComponentMember {}

extension ComponentMember {
  /// Whether the member is private, to the class or to its file.
  var isPrivate: Bool {
    modifiers.contains(where: \.isPrivate)
  }

  var isStatic: Bool { modifiers.isStatic }

  /// Whether generated code cannot use the member because of an actor or its availability.
  var isRestricted: Bool { isIsolated || !attributes.named("available").isEmpty }

  var isIsolated: Bool { attributes.actor != nil }
}

extension DeclModifierSyntax {
  var isPrivate: Bool { ["private", "fileprivate"].contains(name.text) }
}

extension AttributeListSyntax {
  /// The attribute whose name is that of a global actor: `@MainActor`.
  var actor: AttributeSyntax? {
    lazy.compactMap { $0.as(AttributeSyntax.self) }
      .first { $0.attributeName.lastName.hasSuffix("Actor") }
  }
}
