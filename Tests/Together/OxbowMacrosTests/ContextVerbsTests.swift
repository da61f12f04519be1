import Foundation
import OxbowTestSupport
import SwiftParser
import SwiftSyntax
import Testing

/// `OxbowContext/Verbs` has the verbs of a context a second time, for contexts behind a proxy.
@Suite struct ContextVerbsTests {
  /// What is reached by `withOwn` only: housekeeping, sequences for asynchronous code, and forms
  /// that say the same with fewer errors.
  private static let ownOnly: Set<String> = [
    "beginUndoGroup(_: String?)", "endUndoGroup()", "removeAllUndoActions()",
    "setUndoActionName(_: String)", "registeredObject(for: ManagedObjectID)", "sweep()",
    "insert(_: T.Type, filling: (T) -> Void)",
  ]

  @Test func `an injected context has the verbs of a context`() throws {
    let (own, injected) = (
      try verbs(of: "ManagedObjectContext"), try verbs(of: "ObjectContext")
    )
    let missing = own.subtracting(injected).filter { !$0.hasPrefix("request(") }
    #expect(
      missing.filter { !$0.hasPrefix("stream(") } == Self.ownOnly,
      "write the verb into OxbowContext/Verbs as well, or name it here")
    #expect(
      injected.subtracting(own).sorted().map { $0.prefix { $0 != "(" } } == ["set", "withOwn"])
  }

  /// The public functions of a type, with the types of their parameters.
  private func verbs(of type: String) throws -> Set<String> {
    let folder = URL(
      filePath: PackageFolder.path("Sources/Persistence/OxbowContext"))
    let paths = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    var verbs: Set<String> = []
    for case let file as URL in try #require(paths) where file.pathExtension == "swift" {
      let tree = Parser.parse(source: try String(contentsOf: file, encoding: .utf8))
      for case .decl(let declaration) in tree.statements.map(\.item) {
        let group = declaration.asProtocol((any DeclGroupSyntax).self)
        guard let group, declaration.extended == type else { continue }
        verbs.formUnion(
          group.memberBlock.members.compactMap { $0.decl.as(FunctionDeclSyntax.self)?.verb })
      }
    }
    verbs = verbs.filter { !$0.hasPrefix("withContext(") }
    return verbs
  }
}

extension DeclSyntax {
  /// The type that is extended, or the class that is declared.
  fileprivate var extended: String? {
    self.as(ExtensionDeclSyntax.self)?.extendedType.trimmedDescription
      ?? self.as(ClassDeclSyntax.self)?.name.text
  }
}

extension FunctionDeclSyntax {
  /// The function with the types of its parameters, if users can call it.
  fileprivate var verb: String? {
    guard modifiers.contains(where: { $0.name.text == "public" }),
      !attributes.trimmedDescription.contains("unavailable")
    else { return nil }
    let parameters = signature.parameterClause.parameters.map {
      "\($0.firstName.text): \($0.type.trimmedDescription)"
    }
    return "\(name.text)(\(parameters.joined(separator: ", ")))"
  }
}
