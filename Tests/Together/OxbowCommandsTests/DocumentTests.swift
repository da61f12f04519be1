import Foundation
import OxbowTestSupport
import Testing

@Suite struct DocumentTests {
  private func expect(_ text: String, at path: String) throws {
    if ProcessInfo.processInfo.environment["OXBOW_WRITE_GOLDEN"] == "1" {
      try Data(text.utf8).write(to: URL(filePath: PackageFolder.path(path)))
    }
    #expect(
      try PackageFolder.text(path) == text,
      "\(path) is not up to date; run: OXBOW_WRITE_GOLDEN=1 swift test --filter DocumentTests")
  }

  @Test func `the document of all commands is what the tool says`() throws {
    try expect(CommandDocument().current, at: CommandDocument.path)
  }

  @Test func `the page for man is what the tool says`() throws {
    try expect(CommandDocument().manPage, at: CommandDocument.manPath)
  }

  /// Each example is a line of the document that begins with "oxbowctl ", below its command.
  @Test func `every example of the document runs`() throws {
    let lab = try MigrateCommandTests()
    try lab.tool.folder.write(Documents.first, to: "Catalog.xcdatamodel/contents")
    let examples = try PackageFolder.text("docs/oxbowctl.md").replacing("\\\n", with: "")
      .components(separatedBy: "\n")
      .filter { $0.hasPrefix("oxbowctl ") }
    #expect(examples.count >= 6)
    let path = try #require(Tool.path)
    for example in examples {
      let command = example.replacing("oxbowctl ", with: "'\(path)' ", maxReplacements: 1)
        .replacing("Catalog.xcdatamodeld", with: "Catalog.xcdatamodel")
      let output = try Shell.run(command + "; echo \"exit $?\"", in: lab.tool.folder.path)
      #expect(output.hasSuffix("exit 0\n"), "\(example)")
    }
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `completions know every command`(shell: String) throws {
    let output = try Tool().run("--generate-completion-script", shell)
    #expect(output.code == 0)
    for word in ["migrate", "baseline", "doctor", "allow-loss"] {
      #expect(output.out.contains(word), "\(word)")
    }
  }
}
