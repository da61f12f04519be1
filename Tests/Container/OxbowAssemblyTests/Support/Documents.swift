import OxbowAssembly
import OxbowContainer
import OxbowDocuments

/// Reads a document in memory.
func document(_ text: String, file: String = "context.xml") throws -> AssemblyDocument {
  try AssemblyDocument(Array(text.utf8), file: file)
}

/// The problems of a document's markup as `line:column: message`.
func faults(_ text: String) throws -> [String] {
  try document(text).problems.map(\.short)
}

extension ContainerError.Problem {
  /// The problem as `line:column: message`.
  var short: String {
    "\(location.map { "\($0.line):\($0.column)" } ?? "-"): \(message)"
  }
}

extension InjectedContent {
  /// The content in one line: `@name` for a reference, quotes around a text.
  var short: String {
    switch self {
    case .reference(let name): "@\(name)"
    case .text(let text, let type): "\"\(text)\"" + (type.map { " as \($0)" } ?? "")
    case .byType: "by type"
    case .null: "nil"
    case .collection(let elements, let type):
      "[\(elements.map(\.content.short).joined(separator: ", "))]"
        + (type.map { " as \($0)" } ?? "")
    case .dictionary(let entries):
      "{\(entries.map { "\($0.key): \($0.content.short)" }.joined(separator: ", "))}"
    case .definition(let definition):
      "\(definition.className ?? "-")(\(definition.properties.short)) \(definition.scope)"
    }
  }
}

extension [PropertyAssignment] {
  /// The assignments in one line.
  var short: String { map { "\($0.name): \($0.content.short)" }.joined(separator: "; ") }
}

extension InitializerCall {
  /// The call in one line.
  var short: String {
    "\(method.base)(\(arguments.short))" + (isStatic.map { $0 ? " static" : " not static" } ?? "")
  }
}
