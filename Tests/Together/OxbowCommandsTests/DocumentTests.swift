import Foundation
import OxbowTestSupport
import Testing

@Suite struct DocumentTests {
  @Test func `the document of all commands is what the tool says`() throws {
    let output = try Tool().run("document")
    #expect(output.code == 0)
    #expect(
      try PackageFolder.text("docs/oxbowctl.md") == output.out,
      "docs/oxbowctl.md is not up to date; run: oxbowctl document > docs/oxbowctl.md")
  }

  @Test func `the page for man is what the tool says`() throws {
    let output = try Tool().run("document", "--man")
    #expect(output.code == 0)
    #expect(
      try PackageFolder.text("docs/oxbowctl.1") == output.out,
      "docs/oxbowctl.1 is not up to date; run: oxbowctl document --man > docs/oxbowctl.1")
    #expect(output.out.hasPrefix(".\\\" Written by 'oxbowctl document --man'.\n.TH OXBOWCTL 1 "))
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
