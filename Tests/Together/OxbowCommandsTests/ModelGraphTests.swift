import Foundation
import OxbowTestSupport
import Testing

@Suite struct ModelGraphTests {
  let tool: Tool

  init() throws {
    tool = try Tool()
    try tool.folder.write(
      """
      <model>
        <entity name="Party" isAbstract="YES">
          <attribute name="name" attributeType="String"/>
          <relationship name="notes" toMany="YES" destinationEntity="Note"
            inverseName="party" inverseEntity="Note" optional="YES"/>
        </entity>
        <entity name="Person" parentEntity="Party">
          <attribute name="age" attributeType="Integer 16" optional="YES"/>
          <attribute name="size" attributeType="Double"/>
          <relationship name="friends" toMany="YES" destinationEntity="Person"
            inverseName="friends" inverseEntity="Person" optional="YES"/>
        </entity>
        <entity name="Note">
          <relationship name="party" maxCount="1" destinationEntity="Party"
            inverseName="notes" inverseEntity="Party" optional="YES"/>
        </entity>
        <entity name="Old"><attribute name="x" attributeType="Date" optional="YES"/></entity>
      </model>
      """, to: "A.xcdatamodel/contents")
    try tool.folder.write(
      """
      <model>
        <entity name="Party" isAbstract="YES">
          <attribute name="name" attributeType="String"/>
          <relationship name="notes" toMany="YES" minCount="1" destinationEntity="Note"
            inverseName="party" inverseEntity="Note"/>
        </entity>
        <entity name="Person" parentEntity="Party">
          <attribute name="age" attributeType="Integer 32" optional="YES"/>
          <relationship name="friends" toMany="YES" destinationEntity="Person"
            inverseName="friends" inverseEntity="Person" optional="YES"/>
        </entity>
        <entity name="Note">
          <relationship name="party" maxCount="1" destinationEntity="Party"
            inverseName="notes" inverseEntity="Party"/>
          <relationship name="tags" toMany="YES" destinationEntity="Tag" optional="YES"/>
        </entity>
        <entity name="Tag"><attribute name="label" attributeType="String"/></entity>
      </model>
      """, to: "B.xcdatamodel/contents")
  }

  @Test func `a model is a class diagram, with each pair of relationships drawn once`() throws {
    let output = try tool.run("model", "graph", "A.xcdatamodel")
    #expect(output.code == 0)
    #expect(
      output.out == """
        classDiagram
          direction LR
          class n0["Note"]
          class n1["Old"] {
            x: Date?
          }
          class n2["Party"] {
            <<abstract>>
            name: String
          }
          class n3["Person"] {
            age: Integer 16?
            size: Double
          }
          n3 --|> n2
          n0 "0..*" -- "0..1" n2 : party / notes
          n3 "0..*" -- "0..*" n3 : friends

        """)
    let document = try tool.json("model", "graph", "A.xcdatamodel")
    let result = document["result"] as? [String: Any]
    #expect(result?["format"] as? String == "mermaid")
    #expect("\(result?["text"] as? String ?? "")\n" == output.out)
  }

  @Test func `a drawing has the entities that it is asked for, with attributes or without`() throws
  {
    let output = try tool.run(
      "model", "graph", "A.xcdatamodel", "--only", "Party, Person", "--no-attributes")
    #expect(
      output.out == """
        classDiagram
          direction LR
          class n0["Party"] {
            <<abstract>>
          }
          class n1["Person"]
          n1 --|> n0
          n1 "0..*" -- "0..*" n1 : friends

        """)
    let mistake = try tool.run("model", "graph", "A.xcdatamodel", "--only", "Party,Persn")
    #expect(mistake.code == 1)
    #expect(
      mistake.err == """
        error: the model has no entity 'Persn'; it has 'Note', 'Old', 'Party', 'Person'
          did you mean: 'Person'?

        """)
  }

  @Test func `two models are drawn as one, with what is new, changed and gone`() throws {
    let output = try tool.run(
      "model", "diff", "A.xcdatamodel", "B.xcdatamodel", "--format", "mermaid")
    #expect(output.code == 1)
    #expect(
      output.out == """
        classDiagram
          direction LR
          class n0["Note"]
          class n1["− Old"] {
            x: Date?
          }
          class n2["Party"] {
            <<abstract>>
            name: String
          }
          class n3["Person"] {
            ± age: Integer 32?
            − size: Double
          }
          class n4["+ Tag"] {
            label: String
          }
          n3 --|> n2
          n0 "1..*" -- "1" n2 : ± party / notes
          n0 ..> "0..*" n4 : + tags
          n3 "0..*" -- "0..*" n3 : friends
          style n1 stroke:#cf222e
          style n4 stroke:#1a7f37

        """)
    let dot = try tool.run("model", "diff", "A.xcdatamodel", "B.xcdatamodel", "--format", "dot").out
    #expect(
      dot.contains(
        """
          "Note" -> "Party" [label="party / notes", dir=both, arrowtail=crowtee, \
        arrowhead=teetee, color="#b35900", fontcolor="#b35900"];
          "Note" -> "Tag" [label="tags", style=dashed, arrowhead=crowodot, color="#1a7f37", \
        fontcolor="#1a7f37"];
        """), "\(dot)")
    #expect(dot.contains("<td border=\"1\" sides=\"b\"><i>Party</i></td>"))
    #expect(dot.contains("<font color=\"#cf222e\">size: Double</font>"))
  }

  @Test func `an entity that is gone is drawn beside the one that has its name now`() throws {
    try tool.folder.write(
      """
      <model><entity name="A"><attribute name="x" attributeType="Date"/>
        <relationship name="own" maxCount="1" destinationEntity="A" optional="YES"/></entity>
        <entity name="B"><attribute name="y" attributeType="Date"/></entity></model>
      """, to: "1.xcdatamodel/contents")
    try tool.folder.write(
      """
      <model><entity name="A" elementID="B"><attribute name="y" attributeType="Date"/></entity>
      </model>
      """, to: "2.xcdatamodel/contents")
    let models = ["model", "diff", "1.xcdatamodel", "2.xcdatamodel", "--format"]
    let output = try tool.run(models + ["mermaid"])
    #expect(
      output.out == """
        classDiagram
          direction LR
          class n0["± A"] {
            y: Date
          }
          class n1["− A (before)"] {
            x: Date
          }
          n1 ..> "0..1" n1 : own
          style n0 stroke:#b35900
          style n1 stroke:#cf222e

        """, "\(output.err)")
    let dot = try tool.run(models + ["dot"]).out
    #expect(dot.contains("  \"A\" [label=") && dot.contains("  \"A (before)\" -> \"A (before)\""))
  }

  @Test func `SVG needs Graphviz, and says so`() throws {
    let output = try tool.run("model", "graph", "A.xcdatamodel", "--format", "svg")
    guard output.code != 0 else { return #expect(output.out.contains("<svg ")) }
    #expect(
      output.err.hasSuffix(
        """
        error: SVG is drawn by Graphviz, whose program 'dot' is not installed; install the package \
        'graphviz', or give --format dot and draw it elsewhere

        """))
  }
}
