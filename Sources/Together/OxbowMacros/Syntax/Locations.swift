internal import SwiftSyntax
internal import SwiftSyntaxMacros

extension MacroExpansionContext {
  /// File and line of a node as arguments of `#sourceLocation`; empty where they are unknown.
  func location(forDirectiveAt node: some SyntaxProtocol) -> String {
    location(of: node, at: .afterLeadingTrivia, filePathMode: .filePath)
      .map { "file: \($0.file), line: \($0.line)" } ?? ""
  }

  /// The blanks that a line needs before a node to have it in its own column.
  func margin(of node: some SyntaxProtocol) -> String {
    let column = location(of: node, at: .afterLeadingTrivia, filePathMode: .filePath)?.column
    return String(repeating: " ", count: (column.flatMap { Int("\($0)") } ?? 1) - 1)
  }
}

/// A line of code whose errors are shown at another line, between directives where that is known.
func located(_ line: String, at location: String) -> String {
  location.isEmpty ? line : "#sourceLocation(\(location))\n\(line)\n#sourceLocation()"
}
