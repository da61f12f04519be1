import SwiftCompilerPlugin
import SwiftSyntaxMacros

@main
struct OxbowMacrosPlugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [
    ProxiedMacro.self
  ]
}
