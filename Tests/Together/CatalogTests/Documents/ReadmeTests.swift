import Foundation
import OxbowTestSupport
import Testing

@Suite struct ReadmeTests {
  /// The blocks of a document that are fenced as `language`.
  private func blocks(_ language: String, of document: String) -> [String] {
    document.components(separatedBy: "```\(language)\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
  }

  @Test func `the first program of the README is the one that is built`() throws {
    let program = try PackageFolder.text("Snippets/FirstProgram.swift")
    #expect(blocks("swift", of: try PackageFolder.text("README.md")).first == program)
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
    let links = try PackageFolder.text("README.md").components(separatedBy: "](").dropFirst()
      .compactMap { $0.components(separatedBy: ")").first }.filter { !$0.hasPrefix("http") }
    #expect(links.count > 5)
    for link in links {
      #expect(FileManager.default.fileExists(atPath: PackageFolder.path(link)), "\(link)")
    }
  }
}
