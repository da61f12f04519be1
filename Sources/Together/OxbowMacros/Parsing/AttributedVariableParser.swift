internal import SwiftDiagnostics
internal import SwiftSyntax
internal import SwiftSyntaxBuilder
internal import SwiftSyntaxMacros

/// Reads a property that has an attribute; collects the mistakes that prevent it.
struct AttributedVariableParser: DeclarationParser {
  var diagnostics: [Diagnostic] = []
  private let context: any MacroExpansionContext

  /// The attributes that give a property its accessors.
  private static let names = ["Lazy", "Injected", "Final", "Preference", "Attributed"]

  init(in context: any MacroExpansionContext) { self.context = context }

  /// Reads the property; nil when it is refused, or when another attribute reports the mistake.
  mutating func parse(_ declaration: some DeclSyntaxProtocol, _ node: AttributeSyntax)
    -> AttributedVariable?
  {
    let attribute = node.attributeName.lastName
    guard let variable = declaration.as(VariableDeclSyntax.self) else {
      return refuse(
        "'@\(attribute)' belongs on a property of a type", at: node)
    }
    let all = Self.attributes(of: variable)
    if all.count > 1 {
      guard Self.isLast(node, on: variable) else { return nil }
      return refuse(
        "'@\(all[0].attributeName.lastName)' and '@\(attribute)' would both read and set the "
          + "property; keep one of them", at: node)
    }
    guard
      let (binding, pattern) = single(
        variable, else: "several properties are declared at once; declare each by itself"),
      accepts(variable, binding, node),
      let owner = owner(node, attribute, pattern.identifier.plainName),
      let type = binding.typeAnnotation?.type
        ?? refuse(
          "'@\(attribute)' needs the type of '\(pattern.identifier.plainName)', and a macro sees "
            + "no inferred ones; write it", at: pattern, fixIts: [binding.addType])
    else { return nil }
    let unwrapped = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self)?.wrappedType
    let spelled = SpelledType(unwrapped.map { "\($0.trimmed)?" } ?? type)
    let value = binding.initializer?.value
    if attribute == "Preference", value == nil, !spelled.isOptional {
      return refuse(
        "'\(pattern.identifier.plainName)' has no value where its store has none; give it a "
          + "default, or make it optional", at: node)
    }
    return AttributedVariable(
      attribute: attribute, spelling: pattern.identifier.text,
      name: pattern.identifier.plainName, owner: owner,
      type: unwrapped.map { "\($0.trimmed)?" } ?? type.trimmedDescription,
      wrappedType: spelled.base, isOptional: spelled.isOptional,
      initialValue: value?.trimmedDescription,
      staticPrefix: variable.modifiers.contains("static") ? "static " : "",
      access: Self.setterAccess(variable.modifiers), arguments: Arguments(node),
      location: context.location(forDirectiveAt: Syntax(node)))
  }

  /// Stand-ins for the accessors of a refused property, so that its mistake is the only error;
  /// empty where another macro or the user writes accessors.
  static func standIns(
    for declaration: some DeclSyntaxProtocol, _ node: AttributeSyntax,
    in context: some MacroExpansionContext
  ) -> [AccessorDeclSyntax] {
    guard let variable = declaration.as(VariableDeclSyntax.self),
      variable.bindingSpecifier.text == "var",
      variable.bindings.allSatisfy({ $0.accessorBlock == nil }),
      context.lexicalContext.first?.as(ClassDeclSyntax.self)?.attributes.named("Entity").isEmpty
        ?? true,
      attributes(of: variable).count < 2 || !isLast(node, on: variable)
    else { return [] }
    return ["get { Swift.fatalError() }", "set {}"]
  }

  private static func attributes(of variable: VariableDeclSyntax) -> [AttributeSyntax] {
    variable.attributes.compactMap { $0.as(AttributeSyntax.self) }
      .filter { names.contains($0.attributeName.lastName) }
  }

  private static func isLast(_ node: AttributeSyntax, on variable: VariableDeclSyntax) -> Bool {
    attributes(of: variable).last?.trimmedDescription == node.trimmedDescription
  }

  private mutating func accepts(
    _ variable: VariableDeclSyntax, _ binding: PatternBindingSyntax, _ node: AttributeSyntax
  ) -> Bool {
    let attribute = node.attributeName.lastName
    let name = binding.pattern.trimmedDescription
    if variable.bindingSpecifier.text == "let" {
      return refuse(
        attribute == "Final"
          ? "'@Final' makes '\(name)' a constant after its first assignment, so it must be a 'var'"
          : "'@\(attribute)' gives '\(name)' a getter and a setter, so it must be a 'var'",
        at: variable.bindingSpecifier, fixIts: [variable.useVar])
    }
    let refused =
      ["lazy", "weak", "unowned", "override"]
      + (attribute == "Preference" ? [] : ["static", "class"])
    for modifier in variable.modifiers where refused.contains(modifier.name.text) {
      let advice =
        switch modifier.name.text {
        case "override": "override it with a getter and a setter of your own"
        case "static", "class": "make it a property of the objects"
        case "lazy" where attribute == "Lazy": "'@Lazy' alone says that"
        default: "leave the modifier out"
        }
      return refuse(
        "'@\(attribute)' does not fit '\(modifier.name.text) var \(name)'; \(advice)", at: modifier)
    }
    if let block = binding.accessorBlock {
      let advice = attribute == "Attributed" ? "" : ", or write your own with '@Attributed'"
      return refuse(
        "'@\(attribute)' writes the accessors of '\(name)', which has some already; remove one of "
          + "the two\(advice)", at: block)
    }
    return acceptsInitialValue(binding, name, node)
  }

  private mutating func acceptsInitialValue(
    _ binding: PatternBindingSyntax, _ name: String, _ node: AttributeSyntax
  ) -> Bool {
    let attribute = node.attributeName.lastName
    guard let value = binding.initializer?.value, !value.is(NilLiteralExprSyntax.self) else {
      return true
    }
    guard
      ["Final", "Injected"].contains(attribute) || (attribute == "Lazy" && !Arguments(node).isEmpty)
    else { return true }
    var fixed = binding
    fixed.initializer = nil
    fixed.typeAnnotation?.trailingTrivia = []
    let fixIt = FixIt.replace("remove the value", binding, with: fixed)
    let message =
      switch attribute {
      case "Final":
        "'\(name)' would be assigned from the start, and never again; remove the value, or declare "
          + "a 'let'"
      case "Lazy": "'\(name)' is made by the argument of '@Lazy'; remove one of the two"
      default: "'\(name)' is injected, so a value of its own would never be seen; remove it"
      }
    return refuse(message, at: value, fixIts: [fixIt])
  }

  /// The access of the setter, which `$name` has too.
  private static func setterAccess(_ modifiers: DeclModifierListSyntax) -> String {
    let setter = modifiers.first { $0.detail?.detail.text == "set" }?.name.text
    let level = setter ?? modifiers.accessLevel
    return level.isEmpty ? "" : (level == "open" ? "public " : level + " ")
  }
}

// MARK: - Surroundings

extension AttributedVariableParser {
  private mutating func owner(
    _ node: AttributeSyntax, _ attribute: String, _ name: String
  ) -> AttributedVariable.Owner? {
    guard let nearest = context.lexicalContext.first else {
      return refuse(
        "'\(name)' is a global variable, and '@\(attribute)' belongs on a property of a type",
        at: node)
    }
    guard let group = nearest.asProtocol((any DeclGroupSyntax).self) else {
      let advice = attribute == "Lazy" ? "; write 'lazy var'" : ""
      return refuse(
        "'\(name)' is a local variable, and '@\(attribute)' belongs on a property of a "
          + "type\(advice)", at: node)
    }
    func notStored(in kind: String) -> String {
      "'@\(attribute)' keeps something beside '\(name)', and \(kind) stores nothing; declare it in "
        + "the class, actor or struct itself"
    }
    guard let named = nearest.asProtocol((any NamedDeclSyntax).self)?.name.text,
      !group.is(ProtocolDeclSyntax.self)
    else { return refuse(notStored(in: group.kindName), at: node) }
    if !group.attributes.named("Entity").isEmpty {
      return refuse(
        "each stored property of the entity '\(named)' is one of its row, and so is '\(name)'; use "
          + "'@\(attribute)' in another class", at: node)
    }
    let isReference = group.is(ClassDeclSyntax.self) || group.is(ActorDeclSyntax.self)
    if attribute == "Injected", !isReference {
      return refuse(
        "'\(named)' is copied, and a container injects into objects; make it a class, or hand "
          + "'\(name)' to its initializer", at: node)
    }
    if attribute != "Preference", group.is(EnumDeclSyntax.self) {
      return refuse(notStored(in: "an enum"), at: node)
    }
    let path = context.lexicalContext.reversed().compactMap(\.typeName)
    return AttributedVariable.Owner(
      isReference: isReference, isActor: group.is(ActorDeclSyntax.self), name: named,
      path: path.joined(separator: "."))
  }
}
