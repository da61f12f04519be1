import OxbowAssembly
import OxbowContainer
import OxbowDocuments
import Testing

@Suite struct EntityDialectTests {
  @Test func `IV-01 both spellings of the root are read, the old one with a note`() throws {
    let old = try document("<contanier><entity id='a' class='A'/></contanier>")
    let new = try document("<container><entity id='a' class='A'/></container>")
    #expect(old.definitions.map(\.name) == ["a"])
    #expect(new.definitions.map(\.name) == ["a"])
    #expect(old.notes.map(\.text) == ["read <contanier> as <container>"])
    #expect(new.notes.isEmpty)
    #expect(new.dialect == "IVEngine XML")
    #expect(
      try faults("<contaner><entity/></contaner>") == ["1:1: the document is not a container"])
  }

  @Test func `IV-02 an entity is a prototype unless it is a singleton`() throws {
    let document = try document(
      """
      <container>
        <entity id="a" class="A"/>
        <entity id="b" class="A" singleton="true"/>
        <entity id="c" class="A" singleton="false"/>
        <entity id="d" class="A" singleton="YES"/>
        <entity id="a" class="A"/>
      </container>
      """)
    #expect(
      document.definitions.map(\.scope)
        == ["prototype", "singleton", "prototype", "prototype", "prototype"])
    #expect(
      AssemblyDocument.structuralProblems(in: [document]).map(\.short) == [
        "5:3: singleton of <entity> is neither true nor false",
        "6:3: object \"a\" is defined twice",
      ])
  }

  /// The properties of an entity.
  private func properties(_ text: String) throws -> String {
    let document = try document(
      "<container><entity id='a' class='A'>\(text)</entity></container>")
    #expect(document.problems.map(\.short) == [])
    return try #require(document.definitions.first).properties.short
  }

  @Test func `W11 a property that holds null is nil, and takes nothing beside it`() throws {
    #expect(try properties("<property name='a'><null/></property>") == "a: nil")
    let both = try faults(
      """
      <container><entity id='a' class='A'>
        <property name='a' ref='b'><null/></property>
        <property name='b'><null>x</null></property>
      </entity></container>
      """)
    #expect(both.count == 2)
  }

  @Test func `IV-03 a property refers to an entity, which may come later`() throws {
    #expect(try properties("<property name='captain' ref='b'/>") == "captain: @b")
    let missing = AssemblyDocument.structuralProblems(in: [
      try document(
        """
        <container>
          <entity id="army" class="A"><property name="captain" ref="captian"/></entity>
          <entity id="captain" class="A"/>
        </container>
        """)
    ])
    #expect(missing.map(\.location?.line) == [2])
    #expect(missing.map(\.nearNames) == [["captain"]])
  }

  @Test func `IV-04 a text is taken as it is`() throws {
    #expect(try properties("<property name='name' stringValue=' Bill '/>") == "name: \" Bill \"")
  }

  @Test func `IV-05 a number is read in one way`() throws {
    #expect(
      try properties(
        """
        <property name="age" numberValue=" 20 "/><property name="ratio" numberValue="-1.5e3"/>
        """) == "age: \"20\"; ratio: \"-1.5e3\"")
  }

  @Test func `IV-06 a property with several contents, or none, is an error`() throws {
    #expect(
      try faults(
        """
        <container><entity id="a" class="A">
          <property name="x" ref="a" stringValue="1"/>
          <property name="y" stringValue="1" numberValue="1"/>
          <property name="z"/>
        </entity></container>
        """) == [
          "2:3: property \"x\" has more than one content",
          "3:3: property \"y\" has more than one content",
          "4:3: property \"z\" has neither a reference nor a value",
        ])
  }

  @Test(arguments: ["", "zwanzig", "1,5", "1 000", "0x10", "inf", "nan", "1e999", "--1", "1.2.3"])
  func `IV-05 a number that is none is an error in every locale`(text: String) throws {
    let problems = try document(
      """
      <container>
        <entity id="a" class="A">
          <property name="age"
            numberValue="\(text)"/>
        </entity>
      </container>
      """
    ).problems
    #expect(problems.map(\.short) == ["3:5: numberValue of <property> is not a number"])
    #expect(problems.first?.seen == "numberValue=\"\(text)\"")
  }

  @Test func `every mistake is reported, at the start of its element`() throws {
    #expect(
      try faults(
        """
        <container xmlns:aop="urn:aspects" kind="x">
          <entity id="a" class="A" scope="thread"/>
          <entity class="A"/>
          <entity id="b"/>
          <entity id="c" class="A"><propery/></entity>
          <object id="d" class="A"/>
          <aspect id="e" class="A"/>
          <entity id="f" class="A"><property name="x" ref=""/><property stringValue="1"/>text</entity>
          <aop:config>
            <aspekt/>
            <aspect class="A"/>
            <aspect id="g"><joinpoint/></aspect>
            <aspect id="h" class="A"><joinpoint expression="object"/><pointcut/></aspect>
          </aop:config>
        </container>
        """) == [
          "1:1: <container> has no attribute \"kind\"",
          "2:3: <entity> has no attribute \"scope\"",
          "3:3: <entity> has no id",
          "4:3: <entity> has no class",
          "5:28: <propery> means nothing in <entity>",
          "6:3: <object> is in a document of entities",
          "7:3: <aspect> means nothing in <container>",
          "8:3: <entity> contains text",
          "8:28: <property> has no ref",
          "8:55: <property> has no name",
          "10:5: <aspekt> means nothing in <aop:config>",
          "11:5: <aspect> has no id",
          "12:5: <aspect> has no class",
          "12:20: <joinpoint> has no expression",
          "13:30: the joinpoint cannot be read: there is one part",
          "13:62: <pointcut> means nothing in <aspect>",
        ])
  }

  // MARK: - Aspects

  private func aspects(_ joinPoints: String, declared: Bool = false) throws -> AssemblyDocument {
    try document(
      """
      <container\(declared ? " xmlns:aop=\"urn:aspects\"" : "")>
        <aop:config>
          <aspect id="log" class="LogInterceptor">\(joinPoints)</aspect>
        </aop:config>
        <entity id="captain" class="SuperMan"/>
      </container>
      """)
  }

  @Test(arguments: [false, true])
  func `IV-10 aspects are found with or without a declared prefix`(declared: Bool) throws {
    let document = try aspects(
      """
      <joinpoint expression="class||SuperMan||(fly),(goTo:by:)"/>
      <joinpoint expression="object||*||(*)"></joinpoint>
      """, declared: declared)
    #expect(document.problems.isEmpty)
    #expect(document.notes.map(\.description) == [])
    #expect(document.aspects.map(\.name) == ["log"])
  }

  @Test func `IV-12 an aspect has a name, a class and joinpoints`() throws {
    let document = try aspects(
      """
      <joinpoint expression="class||SuperMan||(fly),(goTo:by:)"/>
      <joinpoint expression="object||*||(*)"></joinpoint>
      """)
    let aspect = try #require(document.aspects.first)
    #expect(aspect.name == "log")
    #expect(aspect.className == "LogInterceptor")
    #expect(aspect.location?.line == 3)
    #expect(aspect.joinPoints.map(\.kind) == [.class, .object])
    #expect(aspect.joinPoints.map(\.location?.line) == [3, 4])
    #expect(aspect.joinPoints[1].targets == .all)
    #expect(aspect.joinPoints[1].methods == .all)
  }

  @Test func `IV-15 names of a joinpoint are trimmed and know their characters`() throws {
    let text = "object|| a , bé,c ||( fly ), (attack:with:)"
    let point = try #require(
      try aspects("<joinpoint expression=\"\(text)\"/>").aspects.first?.joinPoints.first)
    guard case .names(let targets) = point.targets, case .names(let methods) = point.methods else {
      Issue.record("not names")
      return
    }
    #expect(point.expression == text)
    #expect(targets.map(\.text) == ["a", "bé", "c"])
    #expect(methods.map(\.text) == ["fly", "attack:with:"])
    for name in targets + methods {
      let start = text.index(text.startIndex, offsetBy: name.position - 1)
      #expect(text[start...].hasPrefix(name.text))
    }
  }

  @Test(arguments: [
    ("object", "there is one part", 7),
    ("object||a", "there are 2 parts", 10),
    ("object||a||(b)||c", "there are 4 parts", 17),
    ("objekt||a||(b)", "there is no kind \"objekt\"", 1),
    (" Class||a||(b)", "there is no kind \"Class\"", 2),
    ("object||||(b)", "a target has no name", 9),
    ("object||a,,b||(b)", "a target has no name", 11),
    ("object||*,a||(b)", "* is among names", 9),
    ("object||a||", "a method has no name", 12),
    ("object||a||attack", "method \"attack\" is not in parentheses", 12),
    ("object||a||(b), (c", "method \"(c\" is not in parentheses", 17),
    ("object||a||(b),()", "method \"()\" is not in parentheses", 16),
    ("object||a||(b c)", "\"b c\" is not a name of a method", 13),
    ("object||a||(b),(*)", "(*) is among names", 17),
  ])
  func `IV-16 an expression that is none says at which character`(
    text: String, what: String, position: Int
  ) throws {
    let document = try aspects("\n  <joinpoint expression=\"\(text)\"/>")
    #expect(document.problems.map(\.short) == ["4:3: the joinpoint cannot be read: \(what)"])
    #expect(document.problems.first?.seen == "\"\(text)\", wrong at character \(position)")
  }

  @Test func `IV-11 joinpoints see entities before and after them, in all files`() throws {
    let first = try aspects(
      """
      <joinpoint expression="object||captain,army||(a)"/>
      <joinpoint expression="object||captian||(a)"/>
      <joinpoint expression="class||SuperMan,Army,Armi||(a)"/>
      """)
    let second = try document("<container><entity id='army' class='Army'/></container>")
    let problems = AssemblyDocument.structuralProblems(in: [first, second])
    #expect(
      problems.map(\.short) == [
        "4:1: aspect \"log\": there is no object named \"captian\"",
        "5:1: aspect \"log\": no object is of class \"Armi\"",
      ])
    #expect(problems.map(\.nearNames) == [["captain"], ["Army"]])
  }

  @Test func `aspects have one name each, and are better off with a joinpoint`() throws {
    let first = try aspects("")
    let second = try aspects("<joinpoint expression=\"object||*||(a)\"/>")
    #expect(first.notes.last?.text == "aspect \"log\" has no joinpoint")
    let problems = AssemblyDocument.structuralProblems(in: [first, second])
    #expect(problems.map(\.message).contains("object \"log\" is defined twice"))
  }
}
