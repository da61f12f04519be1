internal import SwiftDiagnostics
internal import SwiftSyntax

/// A message of one of our macros: an id, a severity and a text.
struct Message: DiagnosticMessage, FixItMessage, NoteMessage {
  let id: String
  let severity: DiagnosticSeverity
  let message: String

  var diagnosticID: MessageID { MessageID(domain: "Oxbow", id: id) }
  var fixItID: MessageID { diagnosticID }
  var noteID: MessageID { diagnosticID }

  static func error(_ id: String, _ text: String) -> Message {
    Message(id: id, severity: .error, message: text)
  }

  static func warning(_ id: String, _ text: String) -> Message {
    Message(id: id, severity: .warning, message: text)
  }

  func at(_ node: some SyntaxProtocol, fixIts: [FixIt] = []) -> Diagnostic {
    Diagnostic(node: node, message: self, fixIts: fixIts)
  }
}

extension FixIt {
  /// Replaces a node by another one that has the same surroundings.
  static func replace(
    _ text: String, _ old: some SyntaxProtocol, with new: some SyntaxProtocol
  ) -> FixIt {
    FixIt(
      message: Message(id: "fixit", severity: .remark, message: text),
      changes: [.replace(oldNode: Syntax(old), newNode: Syntax(new))])
  }
}

extension [Diagnostic] {
  /// Whether one of them is an error: then nothing is generated.
  var haveErrors: Bool { contains { $0.diagMessage.severity == .error } }
}
