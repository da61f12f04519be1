internal import SwiftSyntax
internal import SwiftSyntaxMacros

extension MacroExpansionContext {
  /// File and line of a node as arguments of `#sourceLocation`; empty where they are unknown.
  func location(forDirectiveAt node: Syntax) -> String {
    location(of: node, at: .afterLeadingTrivia, filePathMode: .filePath)
      .map { "file: \($0.file), line: \($0.line)" } ?? ""
  }
}
