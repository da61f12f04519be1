import Foundation
import OxbowTestSupport
import SwiftParser
import SwiftSyntax
import Testing

/// OxbowRuntime builds without macros, so it has their expansions in its sources.
@Suite struct HandWrittenExpansionTests {
  @Test(arguments: ["ContextFactory", "ModelFactory", "StoreCoordinatorFactory"])
  func `a factory's description is what @Component writes`(name: String) throws {
    let annotated = try PackageFolder.text("Sources/Together/OxbowRuntime/Factories/\(name).swift")
      .replacing("public final class \(name)", with: "@Component public final class \(name)")
    let expanded = Parser.parse(source: diagnostics(of: annotated).expansion)
    let written = try tree(of: "Sources/Together/OxbowRuntime/Factories/\(name)+Component.swift")
    let described = try #require(written.extensions(of: name).first)
    let own = Parser.parse(source: annotated).type(named: name)?.memberBlock.members.count
    let generated = expanded.type(named: name)?.memberBlock.members.dropFirst(try #require(own))
    compare(
      described.memberBlock.members.map(\.decl), with: try #require(generated).map(\.decl),
      macro: "@Component", file: "Factories/\(name)+Component.swift")
  }

  @Test func `the proxy of contexts is what @Proxied writes, but tells the verb`() throws {
    let declared = try PackageFolder.text(
      "Sources/Persistence/OxbowContext/Verbs/ObjectContext.swift")
    let annotated = declared.replacing(
      "public protocol ObjectContext:", with: "@Proxied public protocol ObjectContext:")
    let requirement =
      "ForwardedCall(\"withContext(_:_:)\", of: \"ObjectContext\", .call, "
      + "[.unseen(\"function\"), .unseen(\"function\")])"
    let expansion = diagnostics(of: annotated).expansion
      .replacing(requirement, with: "ForwardedCall(call())")
    let expanded = Parser.parse(source: expansion).declarations
    let written = try tree(of: "Sources/Together/OxbowRuntime/Contexts/ObjectContextProxy.swift")
    compare(
      written.declarations.filter { !$0.is(ImportDeclSyntax.self) },
      with: expanded.filter { $0.name?.hasPrefix("ObjectContext") ?? false }
        .filter { $0.name != "ObjectContext" },
      macro: "@Proxied", file: "Contexts/ObjectContextProxy.swift")
  }

  @Test func `the proxy of repositories is what @Proxied writes`() throws {
    let declared = try PackageFolder.text(
      "Sources/Together/OxbowRuntime/Repositories/Repository.swift")
    let annotated = declared.replacing(
      "public protocol Repository<", with: "@Proxied public protocol Repository<")
    let expanded = Parser.parse(source: diagnostics(of: annotated).expansion).declarations
    let written = try tree(of: "Sources/Together/OxbowRuntime/Repositories/RepositoryProxy.swift")
    compare(
      written.declarations.filter { !$0.is(ImportDeclSyntax.self) },
      with: expanded.filter { $0.name?.hasPrefix("Repository") ?? false }
        .filter { $0.name != "Repository" },
      macro: "@Proxied", file: "Repositories/RepositoryProxy.swift")
  }

  /// Compares declarations by their tokens, so that the layout of the sources is free.
  private func compare(
    _ written: [DeclSyntax], with generated: [DeclSyntax], macro: String, file: String
  ) {
    let text = generated.map(\.withoutLocations).joined(separator: "\n\n")
    let advice =
      "\(macro) writes something else now; bring Sources/Together/OxbowRuntime/\(file) up to date:"
    #expect(written.count == generated.count, "\(advice)\n\(text)")
    for (written, generated) in zip(written, generated) where written.words != generated.words {
      Issue.record("\(advice)\n\(generated.withoutLocations)")
    }
  }
}

/// The tree of a source of the package that the tests are built from.
private func tree(of path: String) throws -> SourceFileSyntax {
  Parser.parse(source: try PackageFolder.text(path))
}

extension SourceFileSyntax {
  fileprivate var declarations: [DeclSyntax] {
    statements.compactMap { $0.item.as(DeclSyntax.self) }
  }

  fileprivate func type(named name: String) -> ClassDeclSyntax? {
    declarations.lazy.compactMap { $0.as(ClassDeclSyntax.self) }.first { $0.name.text == name }
  }

  fileprivate func extensions(of name: String) -> [ExtensionDeclSyntax] {
    declarations.compactMap { $0.as(ExtensionDeclSyntax.self) }
      .filter { $0.extendedType.trimmedDescription == name }
  }
}

extension DeclSyntax {
  /// The name of the type that is declared or extended.
  fileprivate var name: String? {
    self.as(ExtensionDeclSyntax.self)?.extendedType.trimmedDescription
      ?? self.asProtocol((any NamedDeclSyntax).self)?.name.text
  }

  /// The tokens without those that a formatter adds and those that name a place in the sources.
  fileprivate var words: [String] {
    Parser.parse(source: withoutLocations).tokens(viewMode: .sourceAccurate).filter { token in
      let next = token.nextToken(viewMode: .sourceAccurate)?.text ?? ""
      return token.text != "," || !["]", ")"].contains(next)
    }.map(\.text)
  }

  fileprivate var withoutLocations: String {
    trimmedDescription.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.contains("#sourceLocation(") }.joined(separator: "\n")
  }
}
