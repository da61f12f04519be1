internal import SwiftCompilerPlugin
internal import SwiftSyntaxMacros

@main
struct OxbowMacrosPlugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [
    ComponentMacro.self,
    ComponentMarkerMacro.self,
    ConfigurationMacro.self,
    ConfigurationMarkerMacro.self,
    EntityMacro.self,
    EntityPropertyMacro.self,
    EntityOptionMacro.self,
    ForwardingMembersMacro.self,
    PropertyAttributeMacro.self,
    ProxiedMacro.self,
    RepositoryMacro.self,
    RepositoryMarkerMacro.self,
    WeaveMarkerMacro.self,
    WovenBodyMacro.self,
    WovenMacro.self,
  ]
}
