internal import SwiftDiagnostics
internal import SwiftParser
internal import SwiftSyntax
internal import SwiftSyntaxMacros

extension DeclModifierListSyntax {
  /// The written access level, without a trailing space, or empty.
  var accessLevel: String {
    let levels = ["open", "public", "package", "internal", "fileprivate", "private"]
    return first { levels.contains($0.name.text) && $0.detail == nil }?.name.text ?? ""
  }

  func contains(_ keyword: String) -> Bool { contains { $0.name.text == keyword } }

  var isStatic: Bool { contains("static") || contains("class") }
}

extension MacroExpansionContext {
  /// The written access level of a declaration, or that of the extension around it, or empty.
  func accessLevel(_ modifiers: DeclModifierListSyntax) -> String {
    let written = modifiers.accessLevel
    let around = lexicalContext.first?.as(ExtensionDeclSyntax.self)?.modifiers
    return written.isEmpty ? around?.accessLevel ?? "" : written
  }

  /// The access of members that another module's classes may override: `open `, `public ` or so.
  func classAccess(_ modifiers: DeclModifierListSyntax) -> String {
    let level = accessLevel(modifiers)
    return level == "open" ? "open " : memberAccess(level)
  }
}

/// The prefix `public `, `package ` or nothing for a generated member of a declaration.
///
/// A private declaration's members take the access of their surroundings.
func memberAccess(_ level: String) -> String {
  switch level {
  case "open", "public": "public "
  case "package": "package "
  default: ""
  }
}

extension AttributeListSyntax {
  /// The attributes with this name, such as `Attribute` for `@Attribute(…)`.
  func named(_ name: String) -> [AttributeSyntax] {
    compactMap { element in
      guard let attribute = element.as(AttributeSyntax.self) else { return nil }
      return attribute.attributeName.lastName == name ? attribute : nil
    }
  }

  /// The attributes without those of these names.
  func without(_ names: String...) -> AttributeListSyntax {
    filter { !names.contains($0.as(AttributeSyntax.self)?.attributeName.lastName ?? "") }
  }

  /// The attributes, each with a line break after it.
  var lines: String { map { $0.trimmedDescription + "\n" }.joined() }

  /// The `@available` attributes, each with a line break after it.
  var availability: String {
    filter { $0.as(AttributeSyntax.self)?.attributeName.lastName == "available" }.lines
  }
}

extension FunctionDeclSyntax {
  /// The name with its labels: `lend(to:days:)`.
  var fullName: String {
    let labels = signature.parameterClause.parameters.map { $0.firstName.plainName + ":" }
    return "\(name.plainName)(\(labels.joined()))"
  }
}

extension FunctionParameterSyntax {
  /// The name inside of the body.
  var localName: TokenSyntax { secondName ?? firstName }

  /// The label where there is one, otherwise the name.
  var plainName: String { (firstName.text == "_" ? localName : firstName).plainName }
}

/// An argument with its label, unless that is `_`.
func labeled(_ label: String, _ value: String) -> String {
  label == "_" ? value : "\(label): \(value)"
}

/// A list as an argument; nil where it is empty.
func listArgument(_ label: String, _ elements: [String]) -> String? {
  if elements.isEmpty { return nil }
  return "\(label): [\n" + elements.map { "      \($0),\n" }.joined() + "    ]"
}

extension TypeSyntax {
  /// The last component's name: `Named` for `Model.Named<Key>`.
  var lastName: String {
    if let identifier = self.as(IdentifierTypeSyntax.self) { return identifier.name.text }
    if let member = self.as(MemberTypeSyntax.self) { return member.name.text }
    return trimmedDescription
  }

  /// The arguments of `Name<A, B>`, as far as they are types.
  var genericArguments: [TypeSyntax] {
    let clause =
      self.as(IdentifierTypeSyntax.self)?.genericArgumentClause
      ?? self.as(MemberTypeSyntax.self)?.genericArgumentClause
    return clause?.arguments.compactMap { argument in
      if case .type(let type) = argument.argument { type } else { nil }
    } ?? []
  }
}

extension TokenSyntax {
  /// The name without the back quotes of an escaped keyword.
  var plainName: String {
    text.hasPrefix("`") && text.hasSuffix("`") && text.count > 2
      ? String(text.dropFirst().dropLast()) : text
  }

  /// The name as an expression spells it: a keyword in back quotes.
  var reference: String {
    plainName.isValidSwiftIdentifier(for: .variableName) ? text : "`\(plainName)`"
  }
}

extension Syntax {
  /// The name of an enclosing type: `Shop` for `enum Shop` and for `extension Shop`.
  var typeName: String? {
    if let extended = self.as(ExtensionDeclSyntax.self)?.extendedType {
      return extended.trimmedDescription
    }
    guard self.isProtocol((any DeclGroupSyntax).self) else { return nil }
    return self.asProtocol((any NamedDeclSyntax).self)?.name.text
  }
}

extension DeclSyntaxProtocol {
  /// The name of the declaration, for messages.
  var nameText: String { asProtocol((any NamedDeclSyntax).self)?.name.text ?? "this" }
}

extension DeclGroupSyntax {
  /// The kind as users call it, for messages.
  var kindName: String {
    switch introducer.text {
    case "struct": "a struct"
    case "enum": "an enum"
    case "actor": "an actor"
    case "class": "a class"
    case "protocol": "a protocol"
    case "extension": "an extension"
    default: "a \(introducer.text)"
    }
  }
}

extension String {
  /// The access of members that no other module overrides: `public ` of `open `.
  var closed: String { self == "open " ? "public " : self }

  /// The name without the back quotes of an escaped keyword.
  var plainName: String { TokenSyntax.identifier(self).plainName }

  /// The text with every line after the first moved by so many spaces.
  func indented(by spaces: Int) -> String {
    split(separator: "\n", omittingEmptySubsequences: false)
      .joined(separator: "\n" + String(repeating: " ", count: spaces))
  }
}

extension IfConfigDeclSyntax {
  /// Whether one of the branches has such a member.
  func declares(_ isMeant: (DeclSyntax) -> Bool) -> Bool {
    clauses.contains { clause in
      guard case .decls(let members) = clause.elements else { return false }
      return members.contains { member in
        isMeant(member.decl) || member.decl.as(Self.self)?.declares(isMeant) == true
      }
    }
  }

  var hasStoredProperties: Bool {
    declares { $0.as(VariableDeclSyntax.self)?.isStoredOnInstance == true }
  }

  var poundKeyword: TokenSyntax { clauses.first?.poundKeyword ?? poundEndif }
}

extension VariableDeclSyntax {
  /// Whether it is stored in each object: neither static nor computed.
  var isStoredOnInstance: Bool {
    if modifiers.isStatic { return false }
    return bindings.contains { binding in
      guard let block = binding.accessorBlock else { return true }
      guard case .accessors(let list) = block.accessors else { return false }
      // A property with observers is stored too.
      return list.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
    }
  }
}

// MARK: - Corrections

extension VariableDeclSyntax {
  /// Makes a constant a variable.
  var useVar: FixIt {
    var fixed = self
    fixed.bindingSpecifier = .keyword(
      .var, leadingTrivia: bindingSpecifier.leadingTrivia,
      trailingTrivia: bindingSpecifier.trailingTrivia)
    return .replace("use 'var'", self, with: fixed)
  }
}

extension PatternBindingSyntax {
  /// Writes the type of its value behind the name.
  var addType: FixIt {
    let spelling = initializer?.value.literalType ?? "<#Type#>"
    var fixed = self
    fixed.pattern.trailingTrivia = []
    fixed.typeAnnotation = TypeAnnotationSyntax(
      colon: .colonToken(trailingTrivia: .space),
      type: IdentifierTypeSyntax(name: .identifier(spelling)), trailingTrivia: .space)
    return .replace("add ': \(spelling)'", self, with: fixed)
  }
}

extension ExprSyntax {
  /// The type that a literal has by default, or `nil` for any other expression.
  var literalType: String? {
    if self.is(StringLiteralExprSyntax.self) { return "String" }
    if self.is(IntegerLiteralExprSyntax.self) { return "Int" }
    if self.is(FloatLiteralExprSyntax.self) { return "Double" }
    if self.is(BooleanLiteralExprSyntax.self) { return "Bool" }
    if let negated = self.as(PrefixOperatorExprSyntax.self) {
      return negated.expression.literalType
    }
    return nil
  }
}
