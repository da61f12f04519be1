import OxbowAssembly
import OxbowContainer
import OxbowDocuments
import OxbowTestSupport
import Testing

@Suite struct TyphoonInitializerTests {
  private func document(initializer text: String, component: String = "class='A'") throws
    -> AssemblyDocument
  {
    try OxbowAssemblyTests.document(
      "<assembly><component key='a' \(component)>\n\(text)\n</component></assembly>")
  }

  private func call(_ text: String, component: String = "class='A'") throws -> InitializerCall {
    let document = try document(initializer: text, component: component)
    #expect(document.problems.map(\.short) == [])
    return try #require(document.definitions.first?.initializer)
  }

  private func mistakes(_ text: String, component: String = "class='A'") throws -> [String] {
    try document(initializer: text, component: component).problems.map(\.short)
  }

  @Test(arguments: [
    ("initWithQuest:hitRatio:", "init", ["quest", "hitRatio"]),
    ("URLWithString:", "URL", ["string"]),
    ("swordWithSpecification:", "sword", ["specification"]),
    ("knightWithHorseWithName:Age:", "knightWithHorse", ["name", "age"]),
    ("sharpen:", "sharpen", ["sharpen"]),
    ("defaultSword", "defaultSword", []),
    ("init(quest:)", "init", ["quest"]),
  ])
  func `TY-12 names of arguments come from the selector`(
    selector: String, base: String, labels: [String]
  ) throws {
    let arguments = labels.indices.map { "<argument index='\($0)' value='\($0)'/>" }.joined()
    let call = try call("<initializer selector=\"\(selector)\">\(arguments)</initializer>")
    #expect(call.method.base == base)
    #expect(call.method.labels == labels)
    #expect(call.arguments.map(\.name) == labels)
    #expect(call.location?.line == 2)
  }

  @Test func `TY-12 arguments come by name and number, with references and values`() throws {
    let call = try call(
      """
      <initializer selector="initWithQuest:hitRatio:friends:">
        <argument parameterName="friends"><collection requiredType="NSArray">
          <ref>b</ref></collection></argument>
        <argument index="1" value="13.75"/>
        <argument parameterName="quest" ref="quest"/>
      </initializer>
      """)
    #expect(
      call.short == "init(friends: [@b] as NSArray; hitRatio: \"13.75\"; quest: @quest)")
    #expect(call.arguments.map(\.location?.line) == [3, 5, 6])
  }

  @Test func `TY-12 what the original drops or refuses is an error with its place`() throws {
    #expect(
      try mistakes(
        """
        <initializer selector="initWithQuest:hitRatio:">
          <argument parameterName="quest" index="0" ref="a"/>
          <argument parameterName="qest" ref="a"/>
          <argument ref="a"/>
          <argument index="2" ref="a"/>
          <argument index="-1" ref="a"/>
          <argument index="one" ref="a"/>
          <argument parameterName="quest"/>
          <argument parameterName="hitRatio" ref=""/>
          <argument parameterName="hitRatio" value="1"/>
          <argument index="1" ref="a" value="1"/>
          <property/>
        </initializer>
        """) == [
          "3:3: an argument says twice which parameter it is for",
          "4:3: \"initWithQuest:hitRatio:\" has no parameter named \"qest\"",
          "5:3: an argument does not say which parameter it is for",
          "6:3: \"initWithQuest:hitRatio:\" has no parameter number 2",
          "7:3: \"initWithQuest:hitRatio:\" has no parameter number -1",
          "8:3: \"initWithQuest:hitRatio:\" has no parameter number one",
          "9:3: argument \"quest\" has neither a reference nor a value",
          "10:3: <argument> has no ref",
          "11:3: parameter \"hitRatio\" of \"initWithQuest:hitRatio:\" has two arguments",
          "12:3: parameter \"hitRatio\" of \"initWithQuest:hitRatio:\" has two arguments",
          "12:3: an argument has more than one content",
          "13:3: <property> means nothing in <initializer>",
        ])
  }

  @Test func `TY-12 an unknown name lists the valid ones, and missing arguments are counted`()
    throws
  {
    let unknown = try document(
      initializer: """
        <initializer selector="initWithQuest:hitRatio:"><argument parameterName="qest" ref="a"/>
        </initializer>
        """
    ).problems
    #expect(unknown.map(\.expected) == ["\"quest\", \"hitRatio\""])
    #expect(unknown.first?.nearNames == ["quest"])
    let missing = try document(
      initializer: """
        <initializer selector="initWithQuest:hitRatio:"><argument index="1" ref="a"/></initializer>
        """
    ).problems
    #expect(missing.map(\.short) == ["2:1: \"initWithQuest:hitRatio:\" lacks arguments"])
    #expect(missing.first?.seen == "no argument for \"quest\"")
    #expect(
      try mistakes("<initializer selector='init'><argument index='0' value='1'/></initializer>")
        == ["2:30: \"init\" has no parameter number 0"])
    #expect(
      try mistakes("<initializer/>") == ["2:1: <initializer> has no selector"])
    #expect(
      try mistakes("<initializer selector='init With:'/>") == [
        "2:1: \"init With:\" is not a name of a method"
      ])
    #expect(
      try mistakes("<initializer selector='init'/><initializer selector='init'/>") == [
        "2:31: <component> has a second <initializer>"
      ])
  }

  @Test func `TY-13 the class of a value argument is kept`() throws {
    let call = try call(
      """
      <initializer selector="initWithUrl:ratio:">
        <argument index="0" value="http://x.example" required-class="NSURL"/>
        <argument index="1" value="1.5"/>
      </initializer>
      """)
    #expect(call.short == "init(url: \"http://x.example\" as NSURL; ratio: \"1.5\")")
  }

  @Test func `TY-14 the collection of an argument names its class`() throws {
    #expect(
      try mistakes(
        """
        <initializer selector="initWithFriends:">
          <argument index="0"><collection><ref>a</ref></collection></argument>
        </initializer>
        """) == ["3:23: <collection> has no requiredType"])
  }

  @Test(arguments: [
    ("", Bool?.none), ("is-class-method='guess'", nil), ("is-class-method='yes'", true),
    ("is-class-method='TRUE'", true), ("is-class-method='no'", false),
    ("is-class-method='false'", false),
  ])
  func `TY-15 whether the method is one of the class, false included`(
    attribute: String, expected: Bool?
  ) throws {
    #expect(try call("<initializer selector='make' \(attribute)/>").isStatic == expected)
  }

  @Test func `TY-15 a class method of a factory component, and other texts, are errors`() throws {
    #expect(
      try mistakes(
        "<initializer selector='make' is-class-method='yes'/>", component: "factory-component='f'")
        == ["2:1: a method of a factory component cannot be a class method"])
    #expect(
      try mistakes("<initializer selector='make' is-class-method='perhaps'/>") == [
        "2:1: is-class-method of <initializer> is neither true nor false"
      ])
  }

  @Test func `TY-17 a factory component makes the class optional, and needs a method`() throws {
    for component in ["factory-component='f'", "factory-component='f' class='A'"] {
      let document = try document(
        initializer: "<initializer selector='make'/>", component: component)
      #expect(document.problems.isEmpty)
      #expect(document.definitions.first?.factoryComponent == "f")
    }
    #expect(
      try mistakes("", component: "factory-component='f'") == [
        "1:11: <component> names a factory and no method of it"
      ])
    let missing = AssemblyDocument.structuralProblems(in: [
      try document(
        initializer: "<initializer selector='make'/>", component: "factory-component='f'")
    ])
    #expect(
      missing.map(\.short) == [
        "1:11: object \"a\", factory component: there is no object named \"f\""
      ])
  }

  // MARK: - Placeholders

  @Test func `TY-22 files of placeholders are found beside the document, in their order`() throws {
    let text = """
      <assembly>
        <property-placeholder location="a.properties, /etc/b.properties"/>
        <component class="A" key="a"><property name="x" value="${colour}"/></component>
        <property-placeholder location="sub/c.properties"/>
      </assembly>
      """
    let inMemory = try OxbowAssemblyTests.document(text)
    #expect(
      inMemory.placeholderFiles.map(\.path)
        == ["a.properties", "/etc/b.properties", "sub/c.properties"])
    #expect(inMemory.placeholderFiles.map(\.location?.line) == [2, 2, 4])
    #expect(inMemory.definitions.first?.properties.short == "x: \"${colour}\"")
    let folder = try TemporaryFolder()
    let document = try AssemblyDocument(contentsOf: folder.write(text, to: "x/assembly.xml"))
    #expect(
      document.placeholderFiles.map(\.path) == [
        folder.file("x/a.properties"), "/etc/b.properties", folder.file("x/sub/c.properties"),
      ])
  }

  @Test func `TY-22 a builder loads the files of placeholders, and later ones win`() throws {
    let folder = try TemporaryFolder()
    try folder.write("colour=red\nattempts=2\n", to: "a.properties")
    try folder.write("# better\nattempts=3\n", to: "b.properties")
    let path = try folder.write(
      """
      <assembly><property-placeholder location="a.properties,b.properties"/>
        <component class="ServiceExecutorImpl1" key="executor" scope="singleton">
          <property name="attempts" value="${attempts}"/></component></assembly>
      """, to: "assembly.xml")
    let builder = ContainerBuilder()
    builder.placeholders.environment = [:]
    builder.register(ServiceExecutorImpl1.self)
    try builder.load(path)
    let container = try builder.build()
    #expect(try container.object("executor", as: ServiceExecutorImpl1.self).attempts == 3)
  }

  @Test func `TY-22 a file of placeholders that is not there is a problem at the element`() throws {
    let folder = try TemporaryFolder()
    try folder.write("one\n=two\nthree=3", to: "bad.properties")
    let path = try folder.write(
      "<assembly>\n<property-placeholder location='none.properties,bad.properties'/></assembly>",
      to: "assembly.xml")
    let builder = ContainerBuilder()
    try builder.load(path)
    let problems = builder.check().problems
    #expect(
      problems.map(\.code) == [.unreadableDocument, .unreadableDocument, .unreadableDocument])
    #expect(
      problems.map(\.location?.description) == [
        "\(path):2:1", "\(folder.file("bad.properties")):1:1",
        "\(folder.file("bad.properties")):2:1",
      ])
    #expect(problems.first?.message.contains("none.properties") == true)
  }

  @Test func `TY-22 a placeholder without a file is an error`() throws {
    #expect(
      try faults(
        """
        <assembly>
          <property-placeholder/>
          <property-placeholder location=""/>
          <property-placeholder location="a,,b"/>
          <property-placeholder location="a" name="b"><c/></property-placeholder>
        </assembly>
        """) == [
          "2:3: <property-placeholder> has no location",
          "3:3: <property-placeholder> has no location",
          "4:3: a file of placeholders has no name",
          "5:3: <property-placeholder> has no attribute \"name\"",
          "5:47: <c> means nothing in <property-placeholder>",
        ])
  }

  @Test func `TY-28 keys that several files define are reported with both places`() throws {
    let first = try OxbowAssemblyTests.document(
      "<assembly>\n<component class='A' key='a'/></assembly>", file: "first.xml")
    let second = try OxbowAssemblyTests.document(
      """
      <assembly>
        <component class='A' key='b'><property name="x" ref="a"/></component>
        <component class='A' key='a'/>
      </assembly>
      """, file: "second.xml")
    let structural = AssemblyDocument.structuralProblems(in: [first, second])
    let builder = ContainerBuilder()
    builder.add(first)
    builder.add(second)
    let built = builder.check().problems.filter { $0.code == .duplicateDefinition }
    for problems in [structural, built] {
      #expect(problems.map(\.short) == ["3:3: object \"a\" is defined twice"])
      #expect(problems.first?.location?.file == "second.xml")
      #expect(problems.first?.seen == "a second definition; the first is at first.xml:2:1")
    }
  }
}
