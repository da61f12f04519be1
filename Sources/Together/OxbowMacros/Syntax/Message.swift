internal import SwiftDiagnostics
internal import SwiftSyntax

/// What the compiler shows of one of our macros.
private struct Message: DiagnosticMessage, FixItMessage {
  let severity: DiagnosticSeverity
  let message: String

  var diagnosticID: MessageID { MessageID(domain: "Oxbow", id: message) }
  var fixItID: MessageID { diagnosticID }
}

extension String {
  /// The text as a message about a place.
  func at(
    _ node: some SyntaxProtocol, as severity: DiagnosticSeverity = .error, fixIts: [FixIt] = []
  ) -> Diagnostic {
    Diagnostic(node: node, message: Message(severity: severity, message: self), fixIts: fixIts)
  }
}

extension FixIt {
  /// Replaces a node by another one that has the same surroundings.
  static func replace(
    _ text: String, _ old: some SyntaxProtocol, with new: some SyntaxProtocol
  ) -> FixIt {
    FixIt(
      message: Message(severity: .remark, message: text),
      changes: [.replace(oldNode: Syntax(old), newNode: Syntax(new))])
  }
}

extension [Diagnostic] {
  /// Whether one of them is an error: then nothing is generated.
  var haveErrors: Bool { contains { $0.diagMessage.severity == .error } }
}

/// Reads a declaration, and collects what is wrong with it.
protocol DeclarationParser {
  var diagnostics: [Diagnostic] { get set }
}

extension DeclarationParser {
  /// Notes a mistake because of which nothing is read.
  mutating func refuse<Read>(_ diagnostic: Diagnostic) -> Read? {
    diagnostics.append(diagnostic)
    return nil
  }

  /// Notes a mistake that is not accepted.
  mutating func refuse(_ diagnostic: Diagnostic) -> Bool {
    diagnostics.append(diagnostic)
    return false
  }
}
