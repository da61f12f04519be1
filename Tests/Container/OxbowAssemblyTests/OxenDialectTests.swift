import OxbowAssembly
import OxbowContainer
import OxbowDocuments
import Testing

@Suite struct OxenDialectTests {
  @Test func `OX-24 objects, references and values are read in document order`() throws {
    let document = try document(
      """
      <?xml version="1.0"?>
      <container>
        <object id="service" class="Service" lazy="true"/>
        <object id="executor" class="Executor" singleton="false">
          <property name="title" value=" as it is "/>
          <property name="service" ref="service"/>
        </object>
        <object id="job" class="Job" scope="thread"/>
      </container>
      """)
    #expect(document.problems.isEmpty)
    #expect(document.notes.isEmpty)
    #expect(document.definitions.map(\.name) == ["service", "executor", "job"])
    #expect(document.definitions.map(\.className) == ["Service", "Executor", "Job"])
    #expect(document.definitions.map(\.scope) == ["singleton", "prototype", "thread"])
    #expect(document.definitions.map(\.isLazy) == [true, false, false])
    let executor = document.definitions[1]
    #expect(executor.properties.map(\.name) == ["title", "service"])
    #expect(executor.properties.map(\.referencedObject) == [nil, "service"])
    #expect(executor.location?.description == "context.xml:4:3")
    #expect(executor.properties[1].location?.line == 6)
  }

  @Test func `OX-03 an object of a file is a singleton unless it says otherwise`() throws {
    let document = try document(
      """
      <container><object id="a" class="A"/><object id="b" class="A" singleton="true"/>
      <object id="c" class="A" singleton="false"/></container>
      """)
    #expect(document.definitions.map(\.scope) == ["singleton", "singleton", "prototype"])
  }

  @Test func `OX-24 the old spelling of the root is read and noted`() throws {
    let document = try document("\n<contanier/>")
    #expect(document.problems.isEmpty)
    #expect(
      document.notes.map(\.description) == [
        "context.xml:2:1: note: read <contanier> as <container>"
      ])
  }

  @Test func `OX-16 a factory's product has a part of its own in a file`() throws {
    let document = try document(
      """
      <container><object id="sword" class="SwordFactory">
        <product class="Sword"><property name="owner" value="Arthur"/></product>
      </object></container>
      """)
    let product = try #require(document.definitions.first?.product)
    #expect(product.className == "Sword")
    #expect(product.properties.map(\.name) == ["owner"])
    #expect(product.location?.line == 2)
  }

  @Test func `objects are primary and have other names`() throws {
    let document = try document(
      """
      <container>
        <object id="bank" class="Bank" primary="true"/>
        <object id="till" class="Bank"/>
        <alias name="ledger" of="bank"/>
      </container>
      """)
    #expect(document.problems.isEmpty)
    #expect(document.definitions.map(\.isPrimary) == [true, false])
    #expect(document.aliases.map(\.name) == ["ledger"])
    #expect(document.aliases.map(\.target) == ["bank"])
    #expect(document.aliases.first?.location?.line == 4)
    let graph = ContainerGraph(document.definitions, aliases: document.aliases)
    #expect(try graph.explain("ledger").definition.name == "bank")
    #expect(
      try faults(
        """
        <container>
          <alias nmae="a" of="b"/>
          <object id="x" class="A" primary="yes"/>
        </container>
        """
      ).count == 3)
  }

  @Test func `another root is not a container`() throws {
    let document = try document("<contaner/>")
    #expect(document.problems.map(\.code) == [.unexpectedMarkup])
    #expect(document.problems.first?.nearNames == ["container"])
    #expect(
      try faults("<beans><object id='a' class='A'/></beans>") == [
        "1:1: the document is not a container"
      ])
  }

  @Test func `every mistake of a file is reported, at the start of its element`() throws {
    let found = try faults(
      """
      <container version="1">
        <objet id="a" class="A"/>
        <object class="A"/>
        <object id="b"/>
        <object id="" class="A"/>
        <object id="c" class="A" singleton="yes" lazy="TRUE" autowire="no"/>
        <object id="d" class="A" scope=""/>
        <object id="e" class="A" scope="thread" singleton="true"/>
        <object
            id="f"
            class="A">
          <property/>
          <property name="x"/>
          <property name="x" ref="c" value="1"/>
          <property name="x" ref=""/>
          <property name="x" stringValue="1"/>
          <property name="x" value="1"><value/></property>
          <constructor/>
          stray
          <product><object/></product>
          <product/>
        </object>
        <object id="g" class="A" lazy="true" eager="true"/>
        <object id="h" class="A" factory="f"/>
        <object id="i" class="A" parent=""/>
        <entity id="j" class="A"/>
        <object id="k" class="A">
          <initializer method="init(a:b:)" static="no">
            <argument name="c" value="1"/>
            <argument name="a" index="0" value="1"/>
            <argument value="1"/>
            <argument index="2" value="1"/>
            <argument index="0"/>
            <argument name="b" value="1"/>
            <argument index="1" value="1"/>
          </initializer>
          <initializer method="init()"/>
        </object>
        <object id="l" class="A">
          <initializer method="init(a:b:)"><argument name="b" value="1"/></initializer>
          <property name="x"><list><item/></list></property>
          <property name="y"><map><entry value="1"/><value/></map></property>
          <property name="z"><ref> </ref></property>
          <property name="zz"><foo/></property>
          <property name="zzz"><object id="m" class="A" scope="thread"/></property>
        </object>
        <object id="m" class="A"><initializer method="2nd"/></object>
        <object id="n" class="A"><initializer/></object>
      </container>
      """)
    #expect(
      found == [
        "1:1: <container> has no attribute \"version\"",
        "2:3: <objet> means nothing in <container>",
        "3:3: <object> has no id",
        "4:3: <object> has no class",
        "5:3: <object> has no id",
        "6:3: <object> has no attribute \"autowire\"",
        "6:3: singleton of <object> is neither true nor false",
        "6:3: lazy of <object> is neither true nor false",
        "7:3: <object> has no scope",
        "8:3: <object> says its scope twice",
        "9:3: <object> contains text",
        "12:5: <property> has no name",
        "12:5: a property has neither a reference nor a value",
        "13:5: property \"x\" has neither a reference nor a value",
        "14:5: property \"x\" has more than one content",
        "15:5: <property> has no ref",
        "16:5: <property> has no attribute \"stringValue\"",
        "16:5: property \"x\" has neither a reference nor a value",
        "17:5: property \"x\" has more than one content",
        "18:5: <constructor> means nothing in <object>",
        "20:14: <object> means nothing in <product>",
        "21:5: <object> has a second <product>",
        "23:3: <object> is both lazy and eager",
        "24:3: <object> names a factory and no method of it",
        "25:3: <object> has no parent",
        "26:3: <entity> is in a document of objects",
        "28:5: static of <initializer> is neither true nor false",
        "29:7: \"init(a:b:)\" has no parameter named \"c\"",
        "30:7: an argument says twice which parameter it is for",
        "31:7: an argument does not say which parameter it is for",
        "32:7: \"init(a:b:)\" has no parameter number 2",
        "33:7: argument \"a\" has neither a reference nor a value",
        "35:7: parameter \"b\" of \"init(a:b:)\" has two arguments",
        "37:5: <object> has a second <initializer>",
        "41:30: <item> means nothing in <list>",
        "42:29: <entry> has no key",
        "42:47: <value> means nothing in <map>",
        "43:24: <ref> is empty",
        "44:25: <foo> means nothing in <property>",
        "45:26: <object> has no attribute \"id\"",
        "45:26: <object> has no attribute \"scope\"",
        "47:28: \"2nd\" is not a name of a method",
        "48:28: <initializer> has no method",
      ])
  }

  @Test func `OX-24 a description has words, and whatever else is in it is a mistake`() throws {
    let document = try document(
      """
      <container>
        <object id="a" class="A">
          <description lang="en">Text <property name="size" value="3"/></description>
        </object>
      </container>
      """)
    #expect(document.problems.count == 2)
    #expect("\(document.problems)".contains("property"))
  }

  @Test func `OX-24 what the original lacks: contents, initializers, callbacks, parents`() throws {
    let document = try document(
      """
      <container>
        <object id="base" abstract="true" eager="false">
          <description>  What all
            knights have. </description>
          <property name="horse" autowired="true"/>
        </object>
        <object id="knight" class="Knight" parent="base" scope="objectGraph"
            before-injection="mount" after-injection="ride">
          <initializer method="initWithQuest:hitRatio:" static="false">
            <argument index="1" value="13.75"/>
            <argument name="quest" ref="quest"/>
          </initializer>
          <property name="title"><value type="String"> Sir </value></property>
          <property name="friends"><list>
            <ref> lancelot </ref><value>text</value><list/>
            <object class="Squire"/>
          </list></property>
          <property name="odds"><map>
            <entry key="a" ref="quest"/><entry key="b" value="2"/>
            <entry key="c"><object class="Squire"><property name="age" value="9"/></object></entry>
          </map></property>
        </object>
        <object id="sword" factory="smith" eager="true">
          <initializer method="sword(colour:)"><argument name="colour" value="blue"/></initializer>
        </object>
      </container>
      """)
    #expect(document.problems.isEmpty)
    #expect(document.dialect == "Oxen XML")
    let (base, knight, sword) = (
      document.definitions[0], document.definitions[1], document.definitions[2]
    )
    #expect(base.isAbstract && base.className == nil && !base.isEager)
    #expect(base.summary == "What all knights have.")
    #expect(base.properties.short == "horse: by type")
    #expect(knight.parent == "base")
    #expect(knight.scope == "objectGraph")
    #expect(knight.methodBeforeInjection == "mount")
    #expect(knight.methodAfterInjection == "ride")
    #expect(knight.initializer?.short == "init(hitRatio: \"13.75\"; quest: @quest) not static")
    #expect(
      knight.properties.short == """
        title: " Sir " as String; friends: [@lancelot, "text", [], Squire() prototype]; \
        odds: {a: @quest, b: "2", c: Squire(age: "9") prototype}
        """)
    #expect(knight.properties[1].location?.line == 14)
    #expect(sword.factoryComponent == "smith" && sword.className == nil && sword.isEager)
    #expect(sword.initializer?.short == "sword(colour: \"blue\")")
  }

  @Test func `texts of markup problems have all parts`() throws {
    let document = try document(
      """
      <container>
        <object id="a" class="A" singelton="true"/>
      </container>
      """)
    #expect(
      document.problems.map(\.description) == [
        """
        <object> has no attribute "singelton"
           at: context.xml:2:3
           seen: singelton="true"
           expected: "id", "class", "parent", "factory", "before-injection", "after-injection", \
        "singleton", "scope", "lazy", "eager", "primary", "abstract"
           did you mean: "singleton"?
           next: correct or remove the attribute
        """
      ])
  }
}
