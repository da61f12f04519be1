import Foundation
import OxbowTestSupport
import SwiftParser
import SwiftSyntax
import Testing

/// OxbowRuntime builds without macros, so its sources contain what the macros would write.
@Suite struct HandWrittenExpansionTests {
  @Test(arguments: ["ContextFactory", "ModelFactory", "StoreCoordinatorFactory"])
  func `a factory describes the properties that @Component would describe`(name: String) throws {
    let folder = "Sources/Together/OxbowRuntime/Factories"
    let annotated = try PackageFolder.text("\(folder)/\(name).swift")
      .replacing("public final class \(name)", with: "@Component public final class \(name)")
    let generated = diagnostics(of: annotated).expansion
      .matches(of: #/\.property\("(\w+)",[^\n]*/#)
      .map { $0.1 + ($0.0.contains("isOptional: true") ? "?" : "") }
    let described = try PackageFolder.text("\(folder)/FactoryComponents.swift")
      .split(separator: "extension ").first { $0.hasPrefix(name) }
    let written = try #require(described)
      .matches(of: #/\.(value|optional)\(\s*"(\w+)"/#)
      .map { $0.2 + ($0.1 == "optional" ? "?" : "") }
    #expect(!written.isEmpty && written == generated)
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

  @Test func `the forwarding side of repositories is what @Proxied would write`() throws {
    let file = "Repositories/RepositoryForwarding.swift"
    let declared = try PackageFolder.text(
      "Sources/Together/OxbowRuntime/Repositories/Repository.swift")
    let annotated = declared.replacing(
      "public protocol Repository<", with: "@Proxied public protocol Repository<")
    let expanded = Parser.parse(source: diagnostics(of: annotated).expansion).declarations
      .filter { $0.name == "RepositoryForwarding" }
    let written = try tree(of: "Sources/Together/OxbowRuntime/\(file)")
      .declarations.filter { !$0.is(ImportDeclSyntax.self) }
    compare(
      written.filter { !$0.is(ExtensionDeclSyntax.self) },
      with: expanded.filter { !$0.is(ExtensionDeclSyntax.self) }, macro: "@Proxied", file: file)
    #expect(!written.forwarded.isEmpty && written.forwarded == expanded.forwarded)
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
}

extension [DeclSyntax] {
  /// The functions of extensions with the arguments that observers get, without the rest of their
  /// bodies.
  fileprivate var forwarded: [String] {
    compactMap { $0.as(ExtensionDeclSyntax.self) }.flatMap(\.memberBlock.members)
      .compactMap { $0.decl.as(FunctionDeclSyntax.self) }.filter { $0.name.text != "forward" }
      .map { function in
        let arguments = function.body?.description.firstMatch(of: #/\[\.of\(.*?\)\]/#)?.0 ?? ""
        let head = DeclSyntax(function.with(\.body, nil)).words.joined(separator: " ")
        return "\(head) \(arguments.filter { !$0.isWhitespace })"
      }
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
