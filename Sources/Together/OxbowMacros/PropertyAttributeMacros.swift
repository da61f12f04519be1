internal import SwiftDiagnostics
internal import SwiftSyntax
internal import SwiftSyntaxBuilder
internal import SwiftSyntaxMacros

/// An attribute of a property: accessors, and what is stored beside it.
protocol PropertyAttributeMacro: AccessorMacro, PeerMacro {
  static func members(of variable: AttributedVariable) -> AttributeMembers

  /// What keeps a property that could have an attribute from having this one.
  static func obstacle(to variable: AttributedVariable) -> Message?
}

extension PropertyAttributeMacro {
  static func obstacle(to variable: AttributedVariable) -> Message? { nil }

  static func expansion(
    of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AccessorDeclSyntax] {
    var parser = AttributedVariableParser(in: context)
    guard let variable = parser.parse(declaration, node), obstacle(to: variable) == nil else {
      return AttributedVariableParser.standIns(for: declaration, node, in: context)
    }
    return members(of: variable).accessors.map { "\(raw: $0)" }
  }

  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    var parser = AttributedVariableParser(in: context)
    let variable = parser.parse(declaration, node)
    parser.diagnostics.forEach(context.diagnose)
    guard let variable else { return [] }
    if let message = obstacle(to: variable) {
      context.diagnose(message.at(node))
      return []
    }
    return members(of: variable).peers.map { "\(raw: $0)" }
  }
}

/// `@Lazy`: made by the first reader.
struct LazyMacro: PropertyAttributeMacro {
  static func members(of variable: AttributedVariable) -> AttributeMembers { variable.lazyMembers }
}

/// `@Injected`: made by a registered initializer.
struct InjectedMacro: PropertyAttributeMacro {
  static func members(of variable: AttributedVariable) -> AttributeMembers {
    variable.injectedMembers
  }
}

/// `@Final`: assigned once.
struct FinalMacro: PropertyAttributeMacro {
  static func members(of variable: AttributedVariable) -> AttributeMembers { variable.finalMembers }
}

/// `@Preference`: kept in a store.
struct PreferenceMacro: PropertyAttributeMacro {
  static func members(of variable: AttributedVariable) -> AttributeMembers {
    variable.preferenceMembers
  }

  static func obstacle(to variable: AttributedVariable) -> Message? {
    variable.isOptional || variable.initialValue != nil
      ? nil : AttributeDiagnostics.noDefault(variable.name)
  }
}

/// `@Attributed`: an attribute that is a plain type.
struct AttributedMacro: PropertyAttributeMacro {
  static func members(of variable: AttributedVariable) -> AttributeMembers {
    variable.attributedMembers
  }
}
