internal import SwiftDiagnostics
internal import SwiftSyntax
internal import SwiftSyntaxBuilder
internal import SwiftSyntaxMacros

/// `@Woven` on a class: what its objects need for aspects, and `@_WovenBody` on its methods.
struct WovenMacro: MemberMacro, MemberAttributeMacro, ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    if let message = obstacle(declaration) {
      context.diagnose(message.at(node))
      return []
    }
    guard let declaration = declaration.as(ClassDeclSyntax.self) else { return [] }
    reportConditions(of: declaration, in: context)
    let woven = WovenClass(
      name: declaration.name.text, access: context.accessLevel(declaration.modifiers),
      methods: methods(of: declaration).map { WovenMethod($0, of: declaration.name.text) })
    return woven.members(overrides: protocols.isEmpty)
  }

  /// Reports methods that would be woven, were they not in a branch of `#if`.
  private static func reportConditions(
    of declaration: ClassDeclSyntax, in context: some MacroExpansionContext
  ) {
    let marksAreRead = methods(of: declaration).contains(where: \.isMarked)
    for member in declaration.memberBlock.members {
      guard let condition = member.decl.as(IfConfigDeclSyntax.self),
        condition.declares({ member in
          guard let function = member.as(FunctionDeclSyntax.self) else { return false }
          return function.isMarked || !marksAreRead && !function.modifiers.isStatic
        })
      else { continue }
      context.report(
        "'@Woven' cannot see which branch of '#if' is compiled; declare the method outside of it, "
          + "or in an extension if no aspects are to run around it", at: condition.poundKeyword)
    }
  }

  /// The marked methods, or all methods of objects where none is marked.
  private static func methods(of declaration: ClassDeclSyntax) -> [FunctionDeclSyntax] {
    let all = declaration.memberBlock.members.compactMap { $0.decl.as(FunctionDeclSyntax.self) }
    let marked = all.filter(\.isMarked)
    if !marked.isEmpty { return marked }
    return all.filter { !$0.modifiers.isStatic }
  }

  /// Why a type cannot be woven.
  private static func obstacle(_ declaration: some DeclGroupSyntax) -> String? {
    let name = declaration.nameText
    if declaration.is(ProtocolDeclSyntax.self) {
      return "'\(name)' is a protocol, which has no code to weave; write '@Proxied(aspects: true)'"
    }
    guard let declaration = declaration.as(ClassDeclSyntax.self) else {
      let advice =
        declaration.is(ExtensionDeclSyntax.self)
        ? "mark the class itself" : "make it a class, or mark a protocol '@Proxied(aspects: true)'"
      return "a container gives aspects to the objects of a class, and '\(name)' is "
        + "\(declaration.kindName); \(advice)"
    }
    if let actor = declaration.attributes.actor {
      return "aspects run on the thread that calls, and '\(name)' is isolated to "
        + "'\(actor.attributeName.lastName)'; make the class 'nonisolated'"
    }
    return declaration.synthesizedCoding.map {
      "the aspects of '\(name)' cannot be coded, and '\($0)' that the compiler writes would "
        + "include them; list what is coded in an 'enum CodingKeys'"
    }
  }

  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingAttributesFor member: some DeclSyntaxProtocol, in context: some MacroExpansionContext
  ) throws -> [AttributeSyntax] {
    guard let declaration = declaration.as(ClassDeclSyntax.self), obstacle(declaration) == nil,
      let function = member.as(FunctionDeclSyntax.self),
      methods(of: declaration).contains(where: { $0.isSame(as: function) }),
      WovenMethod(function, of: declaration.name.text).obstacle == nil
    else { return [] }
    return ["@_WovenBody"]
  }

  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    guard !protocols.isEmpty, obstacle(declaration) == nil else { return [] }
    return [
      try ExtensionDeclSyntax(
        "extension \(type.trimmed): nonisolated WovenObject {}")
    ]
  }
}

extension ClassDeclSyntax {
  /// The requirement of `Codable` that the compiler would write for all stored properties.
  fileprivate var synthesizedCoding: String? {
    let parents = Set(inheritanceClause?.inheritedTypes.map(\.type.lastName) ?? [])
    let members = memberBlock.members.map(\.decl)
    let lists = members.contains { member in
      member.as(EnumDeclSyntax.self)?.name.text == "CodingKeys"
        || member.as(TypeAliasDeclSyntax.self)?.name.text == "CodingKeys"
    }
    if lists { return nil }
    let decodes = !parents.isDisjoint(with: ["Codable", "Decodable"])
    let encodes = !parents.isDisjoint(with: ["Codable", "Encodable"])
    let isDecoded = members.contains { member in
      member.as(InitializerDeclSyntax.self)?.signature.firstLabel == "from"
    }
    let isEncoded = members.contains { member in
      guard let function = member.as(FunctionDeclSyntax.self) else { return false }
      return function.name.text == "encode" && function.signature.firstLabel == "to"
    }
    if decodes, !isDecoded { return "init(from:)" }
    return encodes && !isEncoded ? "encode(to:)" : nil
  }
}

extension FunctionSignatureSyntax {
  /// The label of the first argument.
  fileprivate var firstLabel: String? { parameterClause.parameters.first?.firstName.text }
}

extension FunctionDeclSyntax {
  fileprivate var isMarked: Bool { !attributes.named("Weave").isEmpty }

  /// Whether it is the same declaration, perhaps without its body or in another tree.
  fileprivate func isSame(as other: FunctionDeclSyntax) -> Bool {
    name.text == other.name.text
      && modifiers.trimmedDescription == other.modifiers.trimmedDescription
      && signature.trimmedDescription == other.signature.trimmedDescription
      && generics == other.generics
  }
}

/// `@Weave` on a method: a mark for `@Woven` on the class, and a check that it is read.
struct WeaveMarkerMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let function = declaration.as(FunctionDeclSyntax.self) else {
      return context.refuse(
        "aspects run around methods, and this is \(kind(declaration)); put the code into a method "
          + "and mark that", at: node)
    }
    let surroundings = context.lexicalContext.first
    guard let owner = surroundings?.as(ClassDeclSyntax.self) else {
      let name = function.name.text
      return context.refuse(
        surroundings?.is(ExtensionDeclSyntax.self) ?? false
          ? "the macro on the class does not see '\(name)', because an extension declares it; move "
            + "it into the class"
          : "'\(name)' is not a method of a class, and a container gives aspects to the objects of "
            + "classes; remove '@Weave'", at: node)
    }
    guard !owner.attributes.named("Woven").isEmpty else {
      return context.refuse(
        "objects of '\(owner.name.text)' have no place for aspects; mark the class '@Woven', which "
          + "then weaves the marked methods alone", at: node)
    }
    let method = WovenMethod(function, of: owner.name.text)
    if let obstacle = method.obstacle {
      context.report(
        "aspects cannot run around '\(method.name)': \(obstacle.why); \(obstacle.next), or remove "
          + "'@Weave'", at: obstacle.node)
    }
    return []
  }

  private static func kind(_ declaration: some DeclSyntaxProtocol) -> String {
    if declaration.is(InitializerDeclSyntax.self) { return "an initializer" }
    if declaration.is(DeinitializerDeclSyntax.self) { return "a deinitializer" }
    if declaration.is(SubscriptDeclSyntax.self) { return "a subscript" }
    return declaration.is(VariableDeclSyntax.self) ? "a property" : "a type"
  }
}

/// `@_WovenBody`, which `@Woven` puts on the methods of a class: a body that asks for aspects.
struct WovenBodyMacro: BodyMacro {
  /// Bodies stay as they are written, because errors name their lines.
  static var formatMode: FormatMode { .disabled }

  static func expansion(
    of node: AttributeSyntax,
    providingBodyFor declaration: some DeclSyntaxProtocol & WithOptionalCodeBlockSyntax,
    in context: some MacroExpansionContext
  ) throws -> [CodeBlockItemSyntax] {
    let statements = declaration.body?.statements ?? []
    guard let function = declaration.as(FunctionDeclSyntax.self),
      let owner = context.lexicalContext.first?.as(ClassDeclSyntax.self)
    else { return Array(statements) }
    let method = WovenMethod(function, of: owner.name.text)
    let code = FunctionNames(method.name).rewrite(statements).trimmedDescription
    let margin = statements.first.map { context.margin(of: Syntax($0)) } ?? ""
    let location = statements.first.map { context.location(forDirectiveAt: Syntax($0)) } ?? ""
    let text = method.body(margin + code, at: location)
    return Array(CodeBlockItemListSyntax("\(raw: text)"))
  }
}

/// Replaces `#function`, which would name a local function, by the name of the method.
private final class FunctionNames: SyntaxRewriter {
  private let name: String

  init(_ name: String) { self.name = name }

  override func visit(_ node: MacroExpansionExprSyntax) -> ExprSyntax {
    guard node.macroName.text == "function", node.arguments.isEmpty else {
      return super.visit(node)
    }
    return ExprSyntax(StringLiteralExprSyntax(content: name))
      .with(\.leadingTrivia, node.leadingTrivia).with(\.trailingTrivia, node.trailingTrivia)
  }
}
