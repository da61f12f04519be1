import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import SwiftSyntaxMacrosGenericTestSupport
import Testing

private let modelObject = TypeSyntax(IdentifierTypeSyntax(name: .identifier("ModelObject")))
private let wovenObject = TypeSyntax(IdentifierTypeSyntax(name: .identifier("WovenObject")))
private let component = TypeSyntax(IdentifierTypeSyntax(name: .identifier("Component")))

/// The macros by the names that sources use.
let macros: [String: MacroSpec] = [
  "Attribute": MacroSpec(type: EntityOptionMacro.self),
  "Attributed": MacroSpec(type: PropertyAttributeMacro.self),
  "Autowired": MacroSpec(type: ComponentMarkerMacro.self),
  "Component": MacroSpec(type: ComponentMacro.self, conformances: [component]),
  "Configuration": MacroSpec(type: ConfigurationMacro.self),
  "Entity": MacroSpec(type: EntityMacro.self, conformances: [modelObject]),
  "FactoryMethod": MacroSpec(type: ComponentMarkerMacro.self),
  "Final": MacroSpec(type: PropertyAttributeMacro.self),
  "Inject": MacroSpec(type: ComponentMarkerMacro.self),
  "Injected": MacroSpec(type: PropertyAttributeMacro.self),
  "Lazy": MacroSpec(type: PropertyAttributeMacro.self),
  "Preference": MacroSpec(type: PropertyAttributeMacro.self),
  "_ForwardingMembers": MacroSpec(type: ForwardingMembersMacro.self),
  "Proxied": MacroSpec(type: ProxiedMacro.self),
  "Query": MacroSpec(type: RepositoryMarkerMacro.self),
  "Repository": MacroSpec(type: RepositoryMacro.self),
  "Weave": MacroSpec(type: WeaveMarkerMacro.self),
  "Woven": MacroSpec(type: WovenMacro.self, conformances: [wovenObject]),
  "Written": MacroSpec(type: RepositoryMarkerMacro.self),
  "Relationship": MacroSpec(type: EntityOptionMacro.self),
  "_WovenBody": MacroSpec(type: WovenBodyMacro.self),
  "_EntityProperty": MacroSpec(type: EntityPropertyMacro.self),
]

/// Expands a source and compares the result with the expected one, and with the expected
/// diagnostics.
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

/// What expanding a source gave.
struct Expansion {
  var messages: [String]

  /// Where they are, as `line:column`.
  var places: [String]
  var fixIts: [String]
  var expansion: String

  /// The source after the asked-for fix-it.
  var fixedSource: String

  /// The last extension, which has the members that forward.
  var forwardingMembers: String {
    expansion.firstRange(of: "nonisolated extension").map {
      String(expansion[$0.lowerBound...])
    } ?? ""
  }
}

/// Expands a source and returns its diagnostics.
func diagnostics(of source: String, applying fixIt: String? = nil) -> Expansion {
  let file = Parser.parse(source: source)
  let context = BasicMacroExpansionContext(
    sourceFiles: [file: .init(moduleName: "Tests", fullFilePath: "test.swift")])
  let expanded = file.expand(
    macroSpecs: macros,
    contextGenerator: {
      BasicMacroExpansionContext(sharingWith: context, lexicalContext: $0.allMacroLexicalContexts())
    },
    indentationWidth: .spaces(2))
  return Expansion(
    messages: context.diagnostics.map(\.message),
    places: context.diagnostics.map { diagnostic in
      let place = context.location(
        for: diagnostic.position, anchoredAt: diagnostic.node, fileName: "")
      return "\(place.line):\(place.column)"
    },
    fixIts: context.diagnostics.flatMap { $0.fixIts.map(\.message.message) },
    expansion: expanded.description,
    fixedSource: fixed(source, context, applying: fixIt))
}

/// The source with the edits of a fix-it, by offsets.
private func fixed(
  _ source: String, _ context: BasicMacroExpansionContext, applying text: String?
) -> String {
  var bytes = Array(source.utf8)
  let changes = context.diagnostics.flatMap(\.fixIts).filter { $0.message.message == text }
    .flatMap(\.changes)
  // From the end, so that places before a change stay where they are.
  for case .replace(let old, let new) in changes.reversed() {
    let start = context.location(for: old.position, anchoredAt: old, fileName: "").offset
    bytes.replaceSubrange(
      start..<start + old.totalLength.utf8Length, with: Array(new.description.utf8))
  }
  return String(decoding: bytes, as: UTF8.self)
}
