import OxbowAssembly
import OxbowContainer
import OxbowDocuments
import Testing

@Suite struct OxenDialectTests {
  private func document(_ text: String) throws -> AssemblyDocument {
    try AssemblyDocument(Array(text.utf8), file: "context.xml")
  }

  /// The problems as `line:column: what`.
  private func faults(_ text: String) throws -> [String] {
    try document(text).problems.map {
      "\($0.location.map { "\($0.line):\($0.column)" } ?? "-"): \($0.what)"
    }
  }

  @Test func `objects, references and values are read in document order (OX-24)`() throws {
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

  @Test func `an object is a singleton unless it says otherwise (OX-03)`() throws {
    let document = try document(
      """
      <container><object id="a" class="A"/><object id="b" class="A" singleton="true"/>
      <object id="c" class="A" singleton="false"/></container>
      """)
    #expect(document.definitions.map(\.scope) == ["singleton", "singleton", "prototype"])
  }

  @Test func `the old spelling of the root is read and noted (OX-24)`() throws {
    let document = try document("\n<contanier/>")
    #expect(document.problems.isEmpty)
    #expect(
      document.notes.map(\.description) == [
        "context.xml:2:1: note: read <contanier> as <container>"
      ])
  }

  @Test func `a factory's product has a part of its own (OX-16)`() throws {
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

  @Test func `another root is no container`() throws {
    let document = try document("<contaner/>")
    #expect(document.problems.map(\.code) == [.unexpectedMarkup])
    #expect(document.problems.first?.nearNames == ["container"])
    #expect(
      try faults("<beans><object id='a' class='A'/></beans>") == [
        "1:1: the document is no container"
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
        <object id="d" class="A" scope="singelton"/>
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
      </container>
      """)
    #expect(
      found
        == [
          "1:1: <container> has no attribute \"version\"",
          "2:3: <objet> means nothing in <container>",
          "3:3: <object> has no id",
          "4:3: <object> has no class",
          "5:3: <object> has no id",
          "6:3: <object> has no attribute \"autowire\"",
          "6:3: singleton of <object> is neither true nor false",
          "6:3: lazy of <object> is neither true nor false",
          "7:3: object \"d\": there is no scope \"singelton\"",
          "8:3: <object> says its scope twice",
          "9:3: <object> contains text",
          "12:5: <property> has no name",
          "13:5: property \"x\" has neither a reference nor a value",
          "14:5: property \"x\" has both a reference and a value",
          "15:5: <property> has no ref",
          "16:5: <property> has no attribute \"stringValue\"",
          "16:5: property \"x\" has neither a reference nor a value",
          "17:5: <value> means nothing in <property>",
          "18:5: <constructor> means nothing in <object>",
          "20:5: <object> means nothing in <product>",
          "21:5: an object has two products",
        ].map { $0.replacing("17:5: <value>", with: "17:34: <value>") }
        .map { $0.replacing("20:5: <object>", with: "20:14: <object>") })
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
           expected: "id", "class", "singleton", "lazy", "scope"
           did you mean: "singleton"?
           next: correct or remove the attribute
        """
      ])
  }

  @Test func `unclosed, empty, DOCTYPE-bearing and missing documents are refused with their place`()
    throws
  {
    for (text, line) in [
      ("<container>\n<object", 2), ("", 1), ("<!DOCTYPE container>\n<container/>", 1),
      ("<container>\n</object>", 2), ("<container a='1' a='2'/>", 1),
    ] {
      let error = #expect(throws: ContainerError.self) { try document(text) }
      #expect(error?.code == .unreadableDocument)
      #expect(error?.underlying is DocumentError)
      #expect(error?.problems.first?.location.map(\.line) ?? 1 == line, "\(text)")
    }
    let error = #expect(throws: ContainerError.self) {
      try AssemblyDocument(contentsOf: "/nowhere/context.xml")
    }
    #expect(error?.problems.first?.seen.contains("/nowhere/context.xml") == true)
  }

  @Test func `the structure is checked without classes`() throws {
    let first = try document(
      """
      <container>
        <object id="a" class="A"><property name="b" ref="bb"/></object>
        <object id="b" class="A"><property name="a" ref="a"/><property name="a" value="1"/></object>
        <object id="a" class="A"/>
      </container>
      """)
    let second = try document("<container><object id='c' class='A'/></container>")
    let problems = AssemblyDocument.structuralProblems(in: [first, second])
    #expect(
      problems.map(\.code) == [.missingReference, .invalidDefinition, .duplicateDefinition])
    #expect(problems[0].nearNames == ["b"])
    #expect(problems[0].location?.line == 2)
    #expect(problems[2].location?.line == 4)
    #expect(AssemblyDocument.structuralProblems(in: [second]).isEmpty)
  }
}
