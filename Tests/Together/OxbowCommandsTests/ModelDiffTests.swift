import Foundation
import OxbowTestSupport
import Testing

@Suite struct ModelDiffTests {
  let tool: Tool

  init() throws {
    tool = try Tool()
    try tool.folder.write(Documents.first, to: "A.xcdatamodel/contents")
    try tool.folder.write(Documents.second, to: "B.xcdatamodel/contents")
  }

  private func hash(_ model: String) throws -> String {
    let result = try tool.json("model", "show", model)["result"] as? [String: Any]
    return String(try #require(result?["hash"] as? String).prefix(12))
  }

  @Test func `equal models are equal, and the exit code is 0`() throws {
    let output = try tool.run("model", "diff", "A.xcdatamodel", "A.xcdatamodel")
    #expect(output.code == 0)
    #expect(output.out == "equal  \(try hash("A.xcdatamodel"))\n")
  }

  @Test func `different models are listed, and the exit code is 1`() throws {
    let output = try tool.run("model", "diff", "A.xcdatamodel", "B.xcdatamodel")
    #expect(output.code == 1)
    #expect(output.err == "")
    #expect(
      output.out == """
        rename attribute 'File.byteCount' (was 'size')
        change attribute 'File.name': optional no → yes
        add attribute 'File.rank' (Integer 16, default 7)
        add entity 'Label'
        change attribute 'File.byteCount': renaming identifier none → size
        5 changes, 4 of them in what a store keeps
        \(try hash("A.xcdatamodel")) → \(try hash("B.xcdatamodel"))

        """)
    let document = try tool.json("model", "diff", "A.xcdatamodel", "B.xcdatamodel")
    let result = document["result"] as? [String: Any]
    #expect(result?["equal"] as? Bool == false)
    let changes = result?["changes"] as? [[String: Any]]
    #expect(changes?.count == 5)
    #expect(changes?.first?["kind"] as? String == "renamed")
    #expect(changes?.first?["stored"] as? Bool == true)
  }

  @Test func `rules, class names and user info are compared too`() throws {
    try tool.folder.write(
      """
      <model><entity name="File" representedClassName=".File">
        <attribute name="name" attributeType="String" minValueString="1" maxValueString="9"/>
        <attribute name="size" attributeType="Integer 64" defaultValueString="0">
          <userInfo><entry key="unit" value="byte"/></userInfo>
        </attribute>
      </entity></model>
      """, to: "C.xcdatamodel/contents")
    let output = try tool.run("model", "diff", "A.xcdatamodel", "C.xcdatamodel")
    #expect(
      output.out.hasPrefix(
        """
        change attribute 'File.name': rules none → at least 1 characters, at most 9 characters
        change entity 'File': class none → File
        change attribute 'File.size': user info none → unit=byte
        3 changes, 0 of them in what a store keeps
        """), "\(output.out)")
    #expect(output.code == 1)
  }

  @Test func `a store and a folder of migrations are models too`() throws {
    _ = try tool.run(
      "migrate", "new", "first", "--model", "A.xcdatamodel", "--migrations", "M")
    _ = try tool.run("migrate", "apply", "--store", "s.sqlite", "--migrations", "M")
    #expect(try tool.run("model", "diff", "A.xcdatamodel", "M").code == 0)
    #expect(try tool.run("model", "diff", "s.sqlite", "M").code == 0)
    #expect(try tool.run("model", "diff", "s.sqlite", "B.xcdatamodel").code == 1)
  }

  @Test func `what cannot be read is a failure of its own code`() throws {
    let output = try tool.run("model", "diff", "A.xcdatamodel", "none.xcdatamodel")
    #expect(output.code == 2)
    #expect(output.err == "error: the model 'none.xcdatamodel' does not exist\n")
    let classes = try tool.run("model", "diff", "A.xcdatamodel")
    #expect(classes.code == 2)
    #expect(
      classes.err == """
        error: this program has no classes; call OxbowTool.main(types: […]) in a program of your \
        own and give the command there

        """)
  }
}

@Suite struct ModelExportTests {
  let tool: Tool

  init() throws {
    tool = try Tool()
    try tool.folder.write(Documents.first, to: "A.xcdatamodel/contents")
    try tool.folder.write(Documents.second, to: "B.xcdatamodel/contents")
  }

  @Test func `PM-04: a document is exported with everything that it has`() throws {
    let text = Documents.first.replacing(
      "<entity name=\"File\">", with: "<entity name=\"File\" colour=\"red\">"
    ).replacing("</model>", with: "<elements><element name=\"File\"/></elements>\n</model>")
    try tool.folder.write(text, to: "A.xcdatamodel/contents")
    let output = try tool.run(
      "model", "export", "A.xcdatamodel", "--output", "Shop.xcdatamodeld")
    #expect(output.code == 0)
    #expect(output.out.hasPrefix("wrote Shop.xcdatamodeld/Shop.xcdatamodel\nmodel "))
    let contents = try tool.folder.text(of: "Shop.xcdatamodeld/Shop.xcdatamodel/contents")
    #expect(contents.contains("colour=\"red\""))
    #expect(contents.contains("<element name=\"File\"/>"))
    let mark = try tool.folder.text(of: "Shop.xcdatamodeld/.xccurrentversion")
    #expect(mark.contains("<string>Shop.xcdatamodel</string>"))
    #expect(try tool.run("model", "diff", "A.xcdatamodel", "Shop.xcdatamodeld").code == 0)
  }

  @Test func `PM-04: a document that says something else is changed only when that is forced`()
    throws
  {
    let text = Documents.first.replacing(
      "<entity name=\"File\">", with: "<entity name=\"File\" colour=\"red\">")
    try tool.folder.write(text, to: "A.xcdatamodel/contents")
    let refused = try tool.run(
      "model", "export", "B.xcdatamodel", "--output", "A.xcdatamodel")
    #expect(refused.code == 73)
    #expect(
      refused.err.hasPrefix(
        """
        error: 'A.xcdatamodel' says something else; give another --model-version, or --force to \
        change it
          changes: rename attribute 'File.byteCount' (was 'size'); change attribute
        """), "\(refused.err)")
    let forced = try tool.run(
      "model", "export", "B.xcdatamodel", "--output", "A.xcdatamodel", "--force")
    #expect(forced.code == 0)
    #expect(try tool.run("model", "diff", "A.xcdatamodel", "B.xcdatamodel").code == 0)
    #expect(try tool.folder.text(of: "A.xcdatamodel/contents").contains("colour=\"red\""))
  }

  @Test func `PM-04: another version is added to a package and becomes the current one`() throws {
    _ = try tool.run("model", "export", "A.xcdatamodel", "--output", "S.xcdatamodeld")
    let output = try tool.run(
      "model", "export", "B.xcdatamodel", "--output", "S.xcdatamodeld", "--model-version", "S 2")
    #expect(output.code == 0)
    #expect(try tool.run("model", "diff", "S.xcdatamodeld", "B.xcdatamodel").code == 0)
    #expect(
      try tool.run("model", "diff", "S.xcdatamodeld/S.xcdatamodel", "A.xcdatamodel").code == 0)
  }

  @Test func `an export wants a name that Xcode knows`() throws {
    let output = try tool.run("model", "export", "A.xcdatamodel", "--output", "A.xml")
    #expect(output.code == 64)
    #expect(output.err.contains("--output wants a name that ends with .xcdatamodel"))
  }
}
