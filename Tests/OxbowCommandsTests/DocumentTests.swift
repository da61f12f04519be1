import Foundation
import OxbowTestSupport
import Testing

@Suite struct DocumentTests {
  @Test func `the document of all commands is what the tool says`() throws {
    let output = try Tool().run("document")
    #expect(output.code == 0)
    var root = URL(filePath: #filePath)
    for _ in 1...3 { root.deleteLastPathComponent() }
    let text = try String(
      contentsOf: root.appending(path: "docs/oxbowctl.md"), encoding: .utf8)
    #expect(
      text == output.out,
      "docs/oxbowctl.md is not up to date; run: oxbowctl document > docs/oxbowctl.md")
  }
}
