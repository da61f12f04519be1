import OxbowAssembly
import OxbowContainer
import OxbowDocuments
import OxbowTestSupport
import Testing

@Suite struct TyphoonDialectTests {
  /// A document with these elements below its root, from line 2.
  private func assembly(_ elements: String) -> String {
    """
    <assembly xmlns="http://www.typhoonframework.org/schema/assembly">
    \(elements)
    </assembly>
    """
  }

  private func definition(_ elements: String) throws -> ObjectDefinition {
    let document = try document(assembly(elements))
    #expect(document.problems.map(\.short) == [])
    return try #require(document.definitions.first)
  }

  private func mistakes(_ elements: String) throws -> [String] { try faults(assembly(elements)) }

  // MARK: - Documents

  @Test func `TY-01 the namespace is accepted as default, with a prefix, or missing`() throws {
    let uri = "http://www.typhoonframework.org/schema/assembly"
    for text in [
      """
      <assembly xmlns="\(uri)" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
          xsi:schemaLocation="\(uri) \(uri).xsd"><component class="A" key="a"/></assembly>
      """,
      "<t:assembly xmlns:t='\(uri)'><t:component class='A' key='a'/></t:assembly>",
      "<assembly xml:lang='en'><component class='A' key='a'/></assembly>",
    ] {
      let document = try document(text)
      #expect(document.problems.isEmpty)
      #expect(document.notes.isEmpty)
      #expect(document.dialect == "Typhoon XML")
      #expect(document.definitions.map(\.name) == ["a"])
    }
  }

  @Test func `TY-01 elements of other namespaces are noted, and unknown ones are errors`() throws {
    let document = try document(
      """
      <assembly xmlns="http://www.typhoonframework.org/schema/assembly" xmlns:x="urn:x">
        <x:component class="A" key="a"/>
        <component class="A" key="b" x:colour="red"><x:note>text</x:note></component>
        <note xmlns="urn:notes"><component class="A" key="c"/></note>
        <y:component class="A" key="d"/>
        <component class="A" key="e" z:colour="red"/>
        <components/>
      </assembly>
      """)
    #expect(document.definitions.map(\.name) == ["b", "e"])
    #expect(
      document.notes.map(\.description) == [
        "context.xml:2:3: note: <x:component> of \"urn:x\" is not read",
        "context.xml:3:3: note: attribute x:colour of \"urn:x\" is not read",
        "context.xml:3:47: note: <x:note> of \"urn:x\" is not read",
        "context.xml:4:3: note: <note> of \"urn:notes\" is not read",
      ])
    #expect(
      document.problems.map(\.short) == [
        "5:3: <y:component> has a prefix without a namespace",
        "6:3: attribute \"z:colour\" has a prefix without a namespace",
        "7:3: <components> means nothing in <assembly>",
      ])
    #expect(document.problems.last?.nearNames == ["component"])
  }

  @Test func `TY-01 an assembly of another namespace is none`() throws {
    #expect(try faults("\n<assembly xmlns='urn:x'/>") == ["2:1: <assembly> is not Typhoon's"])
  }

  @Test func `TY-02 descriptions are kept, and may be wherever the schema has them`() throws {
    let document = try document(
      assembly(
        """
        <description> All
           knights. </description>
        <component class="A" key="a">
          <description>One <![CDATA[<knight>]]></description>
          <initializer selector="initWithX:"><description>x</description>
            <argument index="0" value="1"><description>x</description></argument>
          </initializer>
          <property name="y" value="2"><description>y</description></property>
          <property name="z"><description>z</description></property>
        </component>
        """))
    #expect(document.problems.isEmpty)
    #expect(document.summary == "All knights.")
    let definition = try #require(document.definitions.first)
    #expect(definition.summary == "One <knight>")
    #expect(definition.initializer?.short == "init(x: \"1\")")
    #expect(definition.properties.short == "y: \"2\"; z: by type")
    #expect(
      try mistakes("<component class='A'>\n<description/>\n<description/></component>") == [
        "4:1: <component> has a second <description>"
      ])
    #expect(
      try mistakes("<component class='A'>\n<description>a<b/></description></component>").count == 1
    )
    #expect(
      try mistakes(
        "<component class='A'><property name='z'><description by='b'/></property></component>"
      ).count == 1)
  }

  // MARK: - Components

  @Test func `TY-03 a component has a class, and a key or a generated name`() throws {
    let document = try document(
      assembly(
        """
        <component class="A" key="a"/>
        <component class="A"/><component class="A"/>
        <component key="b"/>
        <component class="A" key=""/>
        <component class="" key="c"/>
        """))
    #expect(
      document.definitions.map(\.name) == [
        "a", "A_context.xml:3:1", "A_context.xml:3:23", "A_context.xml:5:1",
      ])
    #expect(document.definitions.map(\.location?.line) == [2, 3, 3, 5])
    #expect(
      document.problems.map(\.short) == [
        "4:1: <component> has no class", "5:1: <component> has no key",
        "6:1: <component> has no class",
      ])
  }

  @Test func `TY-04 a property refers to a component by its key`() throws {
    let definition = try definition(
      """
      <component class="A" key="a">
        <property
            name="quest" ref="quest"/>
      </component>
      """)
    #expect(definition.properties.short == "quest: @quest")
    #expect(definition.properties.first?.location?.line == 3)
  }

  @Test func `TY-05 a property has a value as it is written, even an empty one`() throws {
    let definition = try definition(
      """
      <component class="A" key="a">
        <property name="age" value=" 12 "/>
        <property name="title" value=""/>
      </component>
      """)
    #expect(definition.properties.short == "age: \" 12 \"; title: \"\"")
    #expect(definition.properties.map(\.location?.line) == [3, 4])
  }

  @Test func `TY-04 a reference is not empty and is alone`() throws {
    #expect(
      try mistakes(
        """
        <component class="A" key="a">
          <property name="a" ref=""/>
          <property name="b" ref="x" value="1"/>
          <property name="c" ref="x"><collection/></property>
          <property name="d" value="x"><collection/></property>
          <property ref="x"/>
          <property name="e" referenz="x"/>
          <property name="f">text</property>
          <property name="g"><bean/></property>
          <property name="h"><collection/><collection/></property>
        </component>
        """) == [
          "3:3: <property> has no ref",
          "4:3: property \"b\" has more than one content",
          "5:3: property \"c\" has more than one content",
          "6:3: property \"d\" has more than one content",
          "7:3: <property> has no name",
          "8:3: <property> has no attribute \"referenz\"",
          "9:3: <property> contains text",
          "10:22: <bean> means nothing in <property>",
          "11:3: property \"h\" has more than one content",
        ])
  }

  @Test func `TY-06 a property with a name alone is found by its type`() throws {
    let definition = try definition(
      "<component class='A' key='a'><property name='quest'/></component>")
    #expect(definition.properties.short == "quest: by type")
  }

  @Test func `TY-07 a collection has references and typed values`() throws {
    let definition = try definition(
      """
      <component class="A" key="a"><property name="friends"><collection>
        <ref> lancelot </ref>
        <value requiredType="NSString"> mary </value>
      </collection></property></component>
      """)
    #expect(definition.properties.short == "friends: [@lancelot, \" mary \" as NSString]")
    guard case .collection(let elements, _)? = definition.properties.first?.content else { return }
    #expect(elements.map(\.location?.line) == [3, 4])
    #expect(
      try mistakes(
        """
        <component class="A" key="a"><property name="friends"><collection>
          <value>mary</value>
          <ref></ref>
          <ref key="x">y</ref>
          <component class="A"/>
          <value requiredType="A"><b/></value>
        </collection></property></component>
        """) == [
          "3:3: <value> has no requiredType", "4:3: <ref> is empty",
          "5:3: <ref> has no attribute \"key\"",
          "6:3: <component> means nothing in <collection>",
          "7:27: <b> means nothing in <value>",
        ])
  }

  @Test func `TY-07 a map is an addition`() throws {
    let definition = try definition(
      """
      <component class="A" key="a"><property name="odds"><map>
        <entry key="a" value="1" required-class="Int"/><entry key="b" ref="x"/>
        <entry key="c"><collection><ref>y</ref></collection></entry>
      </map></property></component>
      """)
    #expect(definition.properties.short == "odds: {a: \"1\" as Int, b: @x, c: [@y]}")
    #expect(
      try mistakes(
        """
        <component class="A" key="a"><property name="odds"><map>
          <entry value="1"/><entry key="a"/><ref>x</ref>
        </map></property></component>
        """) == [
          "3:3: <entry> has no key", "3:21: entry \"a\" has neither a reference nor a value",
          "3:37: <ref> means nothing in <map>",
        ])
  }

  @Test func `TY-08 the methods around injection are read`() throws {
    let definition = try definition(
      """
      <component class="A" key="a" before-property-injection="mount"
          after-property-injection="ride"/>
      """)
    #expect(definition.methodBeforeInjection == "mount")
    #expect(definition.methodAfterInjection == "ride")
    #expect(
      try mistakes("<component class='A' before-property-injection=''/>") == [
        "2:1: <component> has no before-property-injection"
      ])
  }

  @Test func `TY-16 initializer and properties are in one component`() throws {
    let definition = try definition(
      """
      <component class="A" key="a">
        <property name="x" value="1"/>
        <initializer selector="initWithQuest:"><argument parameterName="quest" ref="q"/></initializer>
        <property name="y" value="2"/>
      </component>
      """)
    #expect(definition.initializer?.short == "init(quest: @q)")
    #expect(definition.properties.short == "x: \"1\"; y: \"2\"")
  }

  @Test func `TY-18 all scopes are read in any case, weakSingleton too`() throws {
    let document = try document(
      assembly(
        """
        <component class="A" key="a"/>
        <component class="A" key="b" scope="default"/>
        <component class="A" key="c" scope="prototype"/>
        <component class="A" key="d" scope="Singleton"/>
        <component class="A" key="e" scope="weakSingleton"/>
        <component class="A" key="f" scope="weaksingleton"/>
        <component class="A" key="g" scope="thread"/>
        <component class="A" key="h" scope="singelton"/>
        """))
    #expect(document.problems.isEmpty)
    #expect(
      document.definitions.map(\.scope) == [
        "objectGraph", "objectGraph", "prototype", "singleton", "weakSingleton", "weakSingleton",
        "thread", "singelton",
      ])
    let problems = AssemblyDocument.structuralProblems(in: [document])
    #expect(problems.map(\.short) == ["9:1: object \"h\": there is no scope \"singelton\""])
    #expect(problems.first?.nearNames.contains("singleton") == true)
  }

  @Test func `TY-20 singletons are eager unless lazy-init says otherwise`() throws {
    let document = try document(
      assembly(
        """
        <component class="A" key="a" scope="singleton"/>
        <component class="A" key="b" scope="singleton" lazy-init="YES"/>
        <component class="A" key="c" scope="singleton" lazy-init="true"/>
        <component class="A" key="d" scope="singleton" lazy-init="NO"/>
        <component class="A" key="e" scope="weakSingleton"/>
        <component class="A" key="f" scope="prototype" lazy-init="true"/>
        <component class="A" key="g" scope="singleton" lazy-init="1"/>
        """))
    #expect(
      document.definitions.map(\.isEager) == [true, false, false, true, false, false, true])
    #expect(document.definitions.allSatisfy { !$0.isLazy })
    #expect(
      document.notes.map(\.description) == [
        "context.xml:7:1: note: lazy-init means nothing for scope \"prototype\""
      ])
    #expect(
      document.problems.map(\.short) == [
        "8:1: lazy-init of <component> is neither true nor false"
      ])
  }

  @Test func `TY-21 a parent lends its class, and an abstract component needs none`() throws {
    let document = try document(
      assembly(
        """
        <component key="base" abstract="true"><property name="x" value="1"/></component>
        <component key="a" class="A" parent="base"/>
        <component key="b" parent="a" scope="singleton"/>
        <component key="c" parent=""/>
        <component key="d" parent="base" abstract="maybe"/>
        """))
    #expect(document.definitions.map(\.isAbstract) == [true, false, false, false])
    #expect(document.definitions.map(\.parent) == [nil, "base", "a", "base"])
    #expect(
      document.problems.map(\.short) == [
        "5:1: <component> has no parent", "5:1: <component> has no class",
        "6:1: abstract of <component> is neither true nor false",
      ])
    #expect(
      AssemblyDocument.structuralProblems(in: [document]).suffix(1).map(\.short) == [
        "6:1: object \"d\" has no class"
      ])
  }

  @Test func `TY-32 components take the place of references`() throws {
    let definition = try definition(
      """
      <component class="A" key="a">
        <initializer selector="initWithQuest:">
          <argument index="0"><component class="Quest"/></argument>
        </initializer>
        <property name="horse">
          <component class="Horse"><property name="age" value="4"/></component>
        </property>
      </component>
      """)
    #expect(definition.initializer?.short == "init(quest: Quest() prototype)")
    #expect(definition.properties.short == "horse: Horse(age: \"4\") prototype")
    #expect(
      try mistakes(
        """
        <component class='A'>
          <property name='x'><component key='b' class='B' scope='prototype'/></property>
        </component>
        """
      ) == [
        "3:22: <component> has no attribute \"key\"",
        "3:22: <component> has no attribute \"scope\"",
      ])
  }

  @Test func `every mistake of a component is reported at the start of its element`() throws {
    #expect(
      try mistakes(
        """
        <component
            class="A" id="a"
            singleton="true">
          text
          <constructor/>
          <property
            nam="x" value="1"/>
        </component>
        """) == [
          "2:1: <component> has no attribute \"id\"",
          "2:1: <component> has no attribute \"singleton\"",
          "2:1: <component> contains text",
          "6:3: <constructor> means nothing in <component>",
          "7:3: <property> has no attribute \"nam\"",
          "7:3: <property> has no name",
        ])
  }
}
