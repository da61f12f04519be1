internal import SwiftDiagnostics
internal import SwiftSyntax
internal import SwiftSyntaxBuilder
internal import SwiftSyntaxMacros

/// A protocol as `@Repository` reads it: plain text, ready to emit.
struct RepositoryProtocol {
  let name: String
  let access: String

  /// The class of the objects, as `Repository<…>` spells it.
  let entity: String
  let methods: [RepositoryMethod]

  /// The file as records name it: a literal.
  let file: String
}

/// The use of the objects that meet a condition.
enum RepositoryVerb: String, CaseIterable {
  case find, first, count, exists, delete, stream, page, slice
}

/// A method of a repository.
struct RepositoryMethod {
  /// A condition that a label states.
  struct Condition {
    /// The names of the path: `author`, `name`.
    let path: [String]

    /// The function of `Match`.
    let function: String

    /// The parameter with the value.
    let value: String

    /// File and line for directives.
    let location: String
  }

  /// A parameter that is not a condition: its label, and its name in the body.
  struct Option {
    let label: String
    let value: String
  }

  /// The contents of `@Query`.
  struct Query {
    /// The literal of the condition, or nil where there is only an order.
    let text: String?
    let order: [(path: [String], isAscending: Bool)]

    /// The names and types of the parameters that the text takes.
    let arguments: [(name: String, type: String)]

    /// Line and column of the text.
    let position: (line: String, column: String)
    let location: String
  }

  /// Attributes, each with a line break after it.
  let attributes: String

  /// The declaration up to its body.
  let head: String

  /// The name with its labels.
  let name: String
  let verb: RepositoryVerb

  /// Whether it has no result.
  let returnsNothing: Bool
  let conditions: [Condition]
  let options: [Option]
  let query: Query?

  /// Whether the method has a mistake, which was reported.
  let isFaulty: Bool
  let location: String
}

/// Reads a protocol declaration; collects the mistakes that prevent a repository.
struct RepositoryParser: DeclarationParser {
  var diagnostics: [Diagnostic] = []
  private let context: any MacroExpansionContext

  init(in context: some MacroExpansionContext) { self.context = context }

  mutating func parse(_ declaration: ProtocolDeclSyntax) -> RepositoryProtocol? {
    if !context.lexicalContext.isEmpty {
      return refuse(
        "'\(declaration.name.text)' is inside of a type, whose names an extension of the protocol "
          + "does not see; declare it at the top level of a file", at: declaration.name)
    }
    guard let entity = entity(of: declaration) else {
      return refuse(
        "'@Repository' does not see whose objects '\(declaration.name.text)' finds; write "
          + "'protocol \(declaration.name.text): Repository<Book>' with the class of the entity",
        at: declaration.name)
    }
    let methods = declaration.memberBlock.members.compactMap { method($0.decl, of: entity) }
    return RepositoryProtocol(
      name: declaration.name.text, access: declaration.modifiers.accessLevel, entity: entity,
      methods: methods, file: context.location(of: declaration.name).map { "\($0.file)" } ?? "\"\"")
  }

  /// `Book` of `Repository<Book>`.
  private func entity(of declaration: ProtocolDeclSyntax) -> String? {
    let inherited = declaration.inheritanceClause?.inheritedTypes.map(\.type) ?? []
    for type in inherited where type.lastName == "Repository" {
      let clause =
        type.as(IdentifierTypeSyntax.self)?.genericArgumentClause
        ?? type.as(MemberTypeSyntax.self)?.genericArgumentClause
      if case .type(let entity) = clause?.arguments.first?.argument {
        return entity.trimmedDescription
      }
    }
    return nil
  }

  private mutating func method(_ member: DeclSyntax, of entity: String) -> RepositoryMethod? {
    guard let function = member.as(FunctionDeclSyntax.self) else {
      if let attributes = member.asProtocol((any WithAttributesSyntax).self)?.attributes,
        !attributes.named("Written").isEmpty
      {
        return nil
      }
      return refuse(
        "'@Repository' writes methods; mark what you write yourself with '@Written', or declare it "
          + "in an extension of the protocol", at: member)
    }
    guard function.attributes.named("Written").isEmpty else { return nil }
    var reader = RepositoryMethodReader(function, entity: entity, in: context)
    let method = reader.read()
    diagnostics += reader.diagnostics
    return method
  }
}
