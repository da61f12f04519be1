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
  func `a file that is not a document is one problem`(text: String) throws {
    try tool.folder.write(text, to: "wiring.xml")
    let output = try tool.run("container", "check", "wiring.xml")
    #expect(output.code == 2)
    #expect(output.out.contains("\"wiring.xml\" cannot be read"))
    #expect(output.out.hasSuffix("not valid: 1 problem, 0 definitions in 1 file\n"))
  }
}

// MARK: - What a tool does not know

extension ContainerCommandTests {
  @Test func `names that code defines are given, and a typo is still found`() throws {
    try tool.folder.write(
      """
      <container>
        <object id="a" class="A"><property name="clock" ref="clock"/></object>
        <object id="b" class="A"><property name="clock" ref="clcok"/></object>
      </container>
      """, to: "wiring.xml")
    let arguments = ["container", "check", "--structure-only", "wiring.xml"]
    #expect(
      try tool.run(arguments).out.hasSuffix("not valid: 2 problems, 2 definitions in 1 file\n"))
    let known = try tool.run(arguments + ["--defined", "clock", "log"])
    #expect(known.code == 2)
    #expect(known.out.hasSuffix("not valid: 1 problem, 2 definitions in 1 file\n"))
    #expect(known.out.contains("\"clcok\""))
    #expect(try tool.run(arguments + ["--defined", "clock", "clcok"]).code == 0)
  }

  @Test func `a join point may name what code defines, and an alias`() throws {
    try tool.folder.write(
      """
      <container>
        <object id="a" class="A"/><alias name="b" of="a"/>
      </container>
      """, to: "wiring.xml")
    try tool.folder.write(
      """
      <contanier><aop:config>
        <aspect id="s" class="A"><joinpoint expression="object||hero,b||(*)"/></aspect>
      </aop:config></contanier>
      """, to: "aspects.xml")
    let arguments = ["container", "check", "--structure-only", "wiring.xml", "aspects.xml"]
    let without = try tool.run(arguments)
    #expect(without.out.contains("not valid: 1 problem"), "\(without.out)")
    #expect(without.out.contains("\"hero\""))
    #expect(try tool.run(arguments + ["--defined", "hero"]).code == 0)
  }

  @Test func `review D22: a tool without classes says so`() throws {
    try tool.folder.write("<container><object id='a' class='A'/></container>", to: "wiring.xml")
    let output = try tool.run("container", "check", "wiring.xml")
    #expect(output.code == 2)
    #expect(
      output.out.contains("a class of this tool, which has Oxbow's own only"), "\(output.out)")
    #expect(output.out.contains("--structure-only"))
  }

  @Test(arguments: [["check"], ["explain", "a"], ["graph"]])
  func `review D34: a file that cannot be opened is no finding`(_ command: [String]) throws {
    let output = try tool.run(["container"] + command + ["nowhere.xml"])
    #expect(output.code == 1)
    #expect(output.err.contains("nowhere.xml"))
  }
}

// MARK: - Explaining and drawing

extension ContainerCommandTests {
  private func writeWiring() throws {
    try tool.folder.write(
      """
      <container>
        <object id="coordinator" class="StoreCoordinatorFactory">
          <property name="storePath" value="x.sqlite"/>
        </object>
        <object id="context" class="ContextFactory" scope="prototype">
          <property name="coordinator" ref="coordinator"/>
        </object>
        <object id="notes" class="Notes">
          <property name="context" ref="context"/>
        </object>
      </container>
      """, to: "wiring.xml")
  }

  @Test func `an object is explained, with types where the class is known`() throws {
    try writeWiring()
    let output = try tool.run("container", "explain", "context", "wiring.xml")
    #expect(output.code == 0)
    #expect(
      output.out == """
        "context": ObjectContext
           at: wiring.xml:5:3
           class: ContextFactory, which makes the ObjectContext
           scope: prototype, a new object for each request and each place where it is injected
           built: when somebody asks for it or for an object that needs it
           needs: "coordinator" as property "coordinator", needed to construct it (wiring.xml:6:5)
           needed by: "notes" as property "context", set after construction
           way: "notes" → "context"

        """)
    #expect(output.err == "")
    let notes = try tool.json("container", "explain", "notes", "wiring.xml")
    let result = try #require(notes["result"] as? [String: Any])
    let definition = try #require(result["definition"] as? [String: Any])
    #expect(definition["className"] as? String == "Notes")
    #expect(definition["type"] == nil)
    #expect((definition["needs"] as? [[String: Any]])?.first?["object"] as? String == "context")
  }

  @Test func `a name that is not there is a failure with near names`() throws {
    try writeWiring()
    let output = try tool.run("container", "explain", "contxt", "wiring.xml")
    #expect(output.code == 1)
    #expect(output.out == "")
    #expect(
      output.err == """
        error: cannot explain "contxt": there is no object named "contxt"
           seen: a request for "contxt"
           expected: the name of one of the 3 definitions
           did you mean: "context"?
           next: define "contxt", or correct the name

        """)
    let json = try tool.json("container", "explain", "contxt", "wiring.xml")
    let error = try #require(json["error"] as? [String: Any])
    #expect(error["code"] as? String == "unknownObject")
    #expect(error["nearNames"] as? [String] == ["context"])
    let missing = try tool.run("container", "explain", "a", "nowhere.xml")
    #expect(missing.code == 1)
    #expect(missing.err.contains("\"nowhere.xml\" cannot be read"))
  }

  @Test func `a graph is drawn in both languages`() throws {
    try writeWiring()
    let mermaid = try tool.run("container", "graph", "wiring.xml")
    #expect(mermaid.code == 0)
    #expect(
      mermaid.out == """
        flowchart LR
          n0["coordinator<br/>PersistentStoreCoordinator<br/>singleton"]
          n1(["context<br/>ObjectContext<br/>prototype"])
          n2["notes<br/>Notes<br/>singleton"]
          n1 ==>|"coordinator"| n0
          n2 -->|"context"| n1
          classDef abstract stroke-dasharray: 4 4
          classDef missing stroke:#c00,color:#c00,stroke-dasharray: 4 4

        """)
    let dot = try tool.run("container", "graph", "--format", "dot", "wiring.xml")
    #expect(
      dot.out == #"""
        digraph container {
          rankdir=LR;
          node [shape=box];
          "coordinator" [label="coordinator\nPersistentStoreCoordinator\nsingleton"];
          "context" [label="context\nObjectContext\nprototype", style="rounded"];
          "notes" [label="notes\nNotes\nsingleton"];
          "context" -> "coordinator" [label="coordinator", style=bold];
          "notes" -> "context" [label="context", style=solid];
        }

        """#)
    let json = try tool.json("container", "graph", "--format", "dot", "wiring.xml")
    let result = try #require(json["result"] as? [String: Any])
    #expect((result["definitions"] as? [Any])?.count == 3)
    #expect(result["text"] as? String == String(dot.out.dropLast()))
  }

  @Test func `faulty files are drawn as far as they go, and the console says so`() throws {
    try tool.folder.write(
      """
      <container>
        <object id="a" class="Nowhere"><property name="b" ref="c"/></object>
      </container>
      """, to: "wiring.xml")
    let output = try tool.run("container", "graph", "wiring.xml")
    #expect(output.code == 0)
    #expect(output.out.contains("  m0[\"c<br/>missing\"]:::missing\n  n0 -->|\"b\"| m0\n"))
    #expect(output.err == "the files have 1 problem: see oxbowctl container check\n")
    #expect(try tool.run("container", "graph", "--format", "png", "wiring.xml").code == 64)
    #expect(try tool.run("container", "explain", "a").code == 64)
  }

  // MARK: - Structure only

  @Test func `files of all dialects are checked for structure, as one container`() throws {
    try tool.folder.write(
      """
      <container><object id="clock" class="Clock"/>
        <object id="knight" class="Knight"><property name="quest" ref="quest"/></object></container>
      """, to: "oxen.xml")
    try tool.folder.write(
      """
      <assembly xmlns="http://www.typhoonframework.org/schema/assembly">
        <component class="Quest" key="quest" scope="weakSingleton">\
        <property name="clock"/></component>
      </assembly>
      """, to: "typhoon.xml")
    try tool.folder.write(
      """
      <contanier><entity id="army" class="Army"><property name="captain" ref="knight"/></entity>
        <aop:config><aspect id="log" class="Log">
          <joinpoint expression="object||army,knight||(walk)"/></aspect></aop:config></contanier>
      """, to: "entities.xml")
    try tool.folder.write(
      """
      <plist version="1.0"><dict><key>objects</key><dict>
        <key>sword</key><dict><key>class</key><string>Sword</string></dict></dict></dict></plist>
      """, to: "list.plist")
    let files = ["oxen.xml", "typhoon.xml", "entities.xml", "list.plist"]
    let output = try tool.run(["container", "check", "--structure-only"] + files)
    #expect(output.code == 0, "\(output.out)")
    #expect(
      output.out == """
        entities.xml:1:1: note: read <contanier> as <container>
        valid in structure: 5 definitions in 4 files

        """)
  }

  @Test func `defects of all dialects are reported at the start of their elements`() throws {
    try tool.folder.write(
      "<assembly>\n<component class='A'\n key='a' scope='singelton'/></assembly>", to: "a.xml")
    try tool.folder.write(
      "<container>\n<entity id='b' class='B'>\n<property name='x'/></entity></container>",
      to: "b.xml")
    try tool.folder.write(
      "<plist><dict><key>objects</key><dict>\n<key>a</key><dict/></dict></dict></plist>",
      to: "c.plist")
    let output = try tool.run("container", "check", "--structure-only", "a.xml", "b.xml", "c.plist")
    #expect(output.code == 2)
    for line in [
      "a.xml:2:1: error: object \"a\": there is no scope \"singelton\"",
      "b.xml:3:1: error: property \"x\" has neither a reference nor a value",
      "c.plist:2:1: error: object \"a\" lacks \"class\"",
    ] {
      #expect(output.out.contains(line), "\(output.out)")
    }
  }

  @Test func `the samples are accepted as they are`() throws {
    guard Samples.folder != nil else {
      print(Samples.absence)
      return
    }
    for path in Samples.paths(below: "assemblies", where: { $0.hasSuffix(".xml") }) {
      let output = try tool.run("container", "check", "--structure-only", path)
      #expect(output.code == 0, "\(output.out)")
    }
  }
}
