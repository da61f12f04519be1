internal import SwiftDiagnostics
internal import SwiftSyntax
internal import SwiftSyntaxMacros

/// A message that the compiler shows.
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

extension MacroExpansionContext {
  /// Shows an error.
  func report(_ text: String, at node: some SyntaxProtocol) { diagnose(text.at(node)) }

  /// Shows an error in place of an expansion.
  func refuse<Written>(_ text: String, at node: some SyntaxProtocol) -> [Written] {
    report(text, at: node)
    return []
  }
}

/// Reads a declaration and collects its mistakes.
protocol DeclarationParser {
  var diagnostics: [Diagnostic] { get set }
}

extension DeclarationParser {
  /// Notes a mistake.
  mutating func report(
    _ text: String, at node: some SyntaxProtocol, as severity: DiagnosticSeverity = .error,
    fixIts: [FixIt] = []
  ) {
    diagnostics.append(text.at(node, as: severity, fixIts: fixIts))
  }

  /// Notes a mistake that prevents reading.
  mutating func refuse<Read>(
    _ text: String, at node: some SyntaxProtocol, fixIts: [FixIt] = []
  ) -> Read? {
    report(text, at: node, fixIts: fixIts)
    return nil
  }

  /// The only binding of a variable, and its name.
  mutating func single(_ variable: VariableDeclSyntax, else text: String)
    -> (binding: PatternBindingSyntax, name: IdentifierPatternSyntax)?
  {
    guard variable.bindings.count == 1, let binding = variable.bindings.first,
      let name = binding.pattern.as(IdentifierPatternSyntax.self)
    else { return refuse(text, at: variable.bindingSpecifier) }
    return (binding, name)
  }

  /// Notes a mistake and answers that the declaration is not accepted.
  mutating func refuse(
    _ text: String, at node: some SyntaxProtocol, fixIts: [FixIt] = []
  ) -> Bool {
    report(text, at: node, fixIts: fixIts)
    return false
  }
}
