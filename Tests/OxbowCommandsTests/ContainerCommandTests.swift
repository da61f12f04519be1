import Foundation
import OxbowTestSupport
import Testing

@Suite struct ContainerCommandTests {
  let tool: Tool

  init() throws { tool = try Tool() }

  @Test func `Oxbow's own factories are known`() throws {
    try tool.folder.write(
      """
      <container>
        <object id="coordinator" class="StoreCoordinatorFactory">
          <property name="storePath" value="x.sqlite"/>
          <property name="migrate" value="automatic"/>
          <property name="migrations" value="Migrations"/>
        </object>
      </container>
      """, to: "wiring.xml")
    let output = try tool.run("container", "check", "wiring.xml")
    #expect(output.code == 0, "\(output.out)")
    #expect(output.out.hasSuffix("valid: 1 definition in 1 file\n"))
  }

  @Test func `all problems are reported at once, with their places`() throws {
    try tool.folder.write(
      """
      <container>
        <object id="a" class="Nowhere"><property name="b" ref="bb"/></object>
        <object id="a" class="Nowhere" singelton="yes"/>
      </container>
      """, to: "wiring.xml")
    let output = try tool.run("container", "check", "--structure-only", "wiring.xml")
    #expect(output.code == 2)
    #expect(output.out.contains("wiring.xml:2:34: error: "))
    #expect(output.out.contains("wiring.xml:3:3: error: "))
    #expect(
      output.out.hasSuffix("not valid: 3 problems, 2 definitions in 1 file\n"), "\(output.out)")
    let full = try tool.json("container", "check", "wiring.xml")["result"] as? [String: Any]
    let codes = (full?["problems"] as? [[String: Any]])?.compactMap { $0["code"] as? String } ?? []
    #expect(codes.contains("unknownClass"))
  }

  @Test(arguments: ["", "<container>", "<!DOCTYPE a><container/>"])
  func `a file that is no document is one problem`(text: String) throws {
    try tool.folder.write(text, to: "wiring.xml")
    let output = try tool.run("container", "check", "wiring.xml")
    #expect(output.code == 2)
    #expect(output.out.contains("\"wiring.xml\" cannot be read"))
    #expect(output.out.hasSuffix("not valid: 1 problem, 0 definitions in 1 file\n"))
  }
}
