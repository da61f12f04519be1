internal import SwiftCompilerPlugin
internal import SwiftSyntaxMacros

@main
struct OxbowMacrosPlugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [
    ComponentMacro.self,
    ComponentMarkerMacro.self,
    EntityMacro.self,
    EntityPropertyMacro.self,
    EntityOptionMacro.self,
    ForwardingMembersMacro.self,
    ProxiedMacro.self,
    RepositoryMacro.self,
    RepositoryMarkerMacro.self,
  ]
}
