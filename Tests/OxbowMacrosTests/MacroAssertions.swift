import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@testable import OxbowMacros

/// The macros by the names that sources use.
let macros: [String: MacroSpec] = [
  "Attribute": MacroSpec(type: EntityOptionMacro.self),
  "Entity": MacroSpec(type: EntityMacro.self, conformances: ["ModelObject"]),
  "Proxied": MacroSpec(type: ProxiedMacro.self),
  "Relationship": MacroSpec(type: EntityOptionMacro.self),
  "_EntityProperty": MacroSpec(type: EntityPropertyMacro.self),
]

/// Expands a source and compares the result with the expected one, and with the expected diagnostics.
func assertExpansion(
  _ source: String, to expected: String, diagnostics: [DiagnosticSpec] = [],
  fixIts: [String]? = nil, fixedSource: String? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) {
  assertMacroExpansion(
    source, expandedSource: expected, diagnostics: diagnostics, macroSpecs: macros,
    applyFixIts: fixIts, fixedSource: fixedSource, indentationWidth: .spaces(2),
    failureHandler: { failure in
      Issue.record(
        Comment(rawValue: failure.message),
        sourceLocation: Testing.SourceLocation(
          fileID: "\(fileID)", filePath: "\(filePath)", line: Int(line), column: Int(column)))
    },
    fileID: fileID, filePath: filePath, line: line, column: column)
}
