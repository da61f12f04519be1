import Foundation
import Testing

@Suite struct ReadmeTests {
  private func text(_ name: String) throws -> String {
    var folder = URL(fileURLWithPath: #filePath)
    for _ in 1...4 { folder.deleteLastPathComponent() }
    return try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
  }

  /// The blocks of a document that are fenced as `language`.
  private func blocks(_ language: String, of document: String) -> [String] {
    document.components(separatedBy: "```\(language)\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
  }

  @Test func `the first program of the README is the one that is built`() throws {
    let program = try text("Snippets/FirstProgram.swift")
    #expect(blocks("swift", of: try text("README.md")).first == program)
    #expect(program.split(separator: "\n", omittingEmptySubsequences: false).count - 1 <= 45)
  }

  @Test func `the first program does what the README says`() throws {
    let tree = try Tree()
    for books in 1...2 {
      let run = try ProgramRun("FirstProgram", [tree.store])
      #expect(run.status == 0, "\(run.errors)")
      #expect(
        run.output == String(repeating: "Mary Shelley: Frankenstein\n", count: books))
      #expect(run.errors == "")
    }
  }

  @Test func `what the README links to is there`() throws {
    let links = try text("README.md").components(separatedBy: "](").dropFirst()
      .compactMap { $0.components(separatedBy: ")").first }.filter { !$0.hasPrefix("http") }
    #expect(links.count > 5)
    for link in links {
      var folder = URL(fileURLWithPath: #filePath)
      for _ in 1...4 { folder.deleteLastPathComponent() }
      #expect(FileManager.default.fileExists(atPath: folder.path + "/" + link), "\(link)")
    }
  }
}
