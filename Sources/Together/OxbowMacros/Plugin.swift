internal import SwiftCompilerPlugin
internal import SwiftSyntaxMacros

@main
struct OxbowMacrosPlugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [
    AttributedMacro.self,
    ComponentMacro.self,
    ComponentMarkerMacro.self,
    EntityMacro.self,
    EntityPropertyMacro.self,
    EntityOptionMacro.self,
    FinalMacro.self,
    ForwardingMembersMacro.self,
    InjectedMacro.self,
    LazyMacro.self,
    PreferenceMacro.self,
    ProxiedMacro.self,
    RepositoryMacro.self,
    RepositoryMarkerMacro.self,
    WeaveMarkerMacro.self,
    WovenBodyMacro.self,
    WovenMacro.self,
  ]
}
