import Oxbow
import OxbowTestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A guide of the documentation, taken apart.
struct Guide: Sendable, CustomTestStringConvertible {
  /// A fenced part of the text.
  struct Block {
    let language: String
    let line: Int
    let lines: [Substring]

    var text: String { lines.joined(separator: "\n") + "\n" }
  }

  static let all = [
    "container", "testing-with-containers", "coming-from-core-data", "coming-from-swiftdata",
    "coming-from-spring", "coming-from-typhoon",
    "threads", "models", "relationships", "fetching", "saving", "own-stores", "on-a-server",
    "on-postgresql", "tenants",
    "live-results", "history", "search", "repositories", "aspects",
    "node-trees",
    "property-attributes",
  ].map(Guide.init(name:))

  let name: String

  var testDescription: String { name }

  /// The fenced blocks, in order.
  func blocks() throws -> [Block] {
    var blocks: [Block] = []
    var open: (language: String, line: Int, lines: [Substring])?
    for (number, line) in try text().split(separator: "\n", omittingEmptySubsequences: false)
      .enumerated()
    {
      if let block = open {
        if line == "```" {
          blocks.append(Block(language: block.language, line: block.line, lines: block.lines))
          open = nil
        } else {
          open?.lines.append(line)
        }
      } else if line.hasPrefix("```") {
        open = (String(line.dropFirst(3)), number + 1, [])
      }
    }
    return blocks
  }

  /// The texts of the blocks in a language.
  func texts(_ language: String) throws -> [String] {
    try blocks().filter { $0.language == language }.map(\.text)
  }

  func text() throws -> String {
    try PackageFolder.text("docs/guide/\(name).md")
  }

  /// The folders of the sources that guides may show; the example is built and tested by
  /// `Scripts/examples`.
  static let folders = [
    "Tests/Together/OxbowTests/Guides", "Examples/Desk/Sources", "Examples/Desk/Tests",
  ]

  /// The sources of the folders, in lines.
  static func sources() throws -> [[Substring]] {
    try folders.flatMap { folder in
      try FileManager.default.subpathsOfDirectory(atPath: PackageFolder.path(folder))
        .filter { $0.hasSuffix(".swift") }
        .map { try lines("\(folder)/\($0)") }
    }
  }

  /// A source of the programs that are built and run in release.
  static func releaseProgram(_ path: String) throws -> [Substring] {
    try lines("Tests/Together/ReleasePrograms/Sources/\(path)")
  }

  private static func lines(_ path: String) throws -> [Substring] {
    try PackageFolder.text(path).split(separator: "\n", omittingEmptySubsequences: false)
  }
}

extension Guide.Block {
  /// The declarations of a source, each up to its closing brace in the first column.
  static func declarations(in source: [Substring]) -> [Guide.Block] {
    var found: [Guide.Block] = []
    var open: (line: Int, lines: [Substring])?
    for (number, line) in source.enumerated() {
      let begins = line.first.map { !" }/".contains($0) } ?? false
      if open == nil, begins { open = (number + 1, []) }
      open?.lines.append(line)
      if let block = open, line.hasPrefix("}") || (begins && !line.hasSuffix("{")) {
        found.append(Guide.Block(language: "swift", line: block.line, lines: block.lines))
        open = nil
      }
    }
    return found
  }

  /// Whether the lines are in a source one after the other, moved to the right as a whole.
  func occurs(in source: [Substring]) -> Bool {
    source.indices.contains { start in
      guard start + lines.count <= source.count, let first = lines.first else { return false }
      let margin = source[start].prefix { $0 == " " }.count - first.prefix { $0 == " " }.count
      guard margin >= 0 else { return false }
      let indent = String(repeating: " ", count: margin)
      return zip(lines, source[start...]).allSatisfy { line, there in
        line.isEmpty ? there.isEmpty : indent + line == there
      }
    }
  }
}

@Suite struct GuideTests {
  @Test(arguments: Guide.all)
  func `every block of Swift is in a source that is built`(guide: Guide) throws {
    let sources = try Guide.sources()
    let blocks = try guide.blocks().filter { $0.language == "swift" }
    #expect(blocks.count > 3)
    for block in blocks {
      #expect(
        sources.contains { block.occurs(in: $0) },
        "docs/guide/\(guide.name).md:\(block.line): no source of \(Guide.folders) has this"
      )
    }
  }

  @Test(arguments: Guide.all)
  func `P9 no guide shows a pattern after catch, on which the compiler can crash`(
    guide: Guide
  ) throws {
    for block in try guide.blocks() where block.language == "swift" {
      #expect(!block.text.contains(/catch +(let|is|[A-Z])/), "line \(block.line)")
    }
  }

  @Test func `the program that runs in release declares what the guides declare`() throws {
    let sources = try Guide.sources()
    let declarations = Guide.Block.declarations(
      in: try Guide.releaseProgram("guides/Declarations.swift")
    ).filter { !$0.text.hasPrefix("import ") }
    #expect(declarations.count > 10)
    for declaration in declarations {
      #expect(
        sources.contains { declaration.occurs(in: $0) },
        """
        Tests/ReleasePrograms/Sources/guides/Declarations.swift:\(declaration.line): no source of \
        Tests/Together/OxbowTests/Guides has this any more; copy the declaration from there
        """)
    }
  }

  @Test(arguments: Guide.all)
  func `every document in a guide can be read`(guide: Guide) throws {
    for block in try guide.blocks() where block.language == "xml" {
      let file = "docs/guide/\(guide.name).md:\(block.line)"
      if block.text.hasPrefix("<model") {
        #expect(try ModelDocument(Array(block.text.utf8), file: file).notes.isEmpty)
        continue
      }
      let document = try AssemblyDocument(Array(block.text.utf8), file: file)
      #expect(document.problems.map(\.description) == [])
      #expect(!document.definitions.isEmpty)
    }
  }

  @Test(arguments: Guide.all)
  func `a guide has code in languages that are checked, and texts`(guide: Guide) throws {
    for block in try guide.blocks() {
      #expect(
        ["swift", "xml", "json", "sh", "text"].contains(block.language), "line \(block.line)")
    }
  }
}
