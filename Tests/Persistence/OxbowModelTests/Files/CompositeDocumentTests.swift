import OxbowModel
import Testing

@Suite struct CompositeDocumentTests {
  private func read(_ body: String) throws -> ModelDocument {
    try ModelDocument(Array("<model>\n\(body)\n</model>".utf8), file: "m")
  }

  private static let body = """
        <entity name="Shop">
            <attribute name="place" optional="YES" attributeType="Composite" composite="Place"/>
            <attribute name="second" attributeType="Composite" composite="Point" elementID="old"/>
        </entity>
        <composite name="Place" note="kept">
            <attribute name="point" attributeType="Composite" composite="Point"/>
            <attribute name="title" optional="YES" attributeType="String" maxValueString="9"/>
        </composite>
        <composite name="Point">
            <attribute name="x" attributeType="Double" defaultValueString="1.5"/>
            <attribute name="y" attributeType="Double" usesScalarValueType="YES"/>
        </composite>
        <composite name="Unused">
            <attribute name="a" attributeType="String"/>
        </composite>
    """

  @Test func `composite attributes of documents have the parts of their types (PG-16)`() throws {
    let document = try read(Self.body)
    let point = [
      AttributeDescription("x", .double, defaultValue: .double(1.5)),
      AttributeDescription("y", .double),
    ]
    let place = AttributeDescription(
      composite: "place", of: "Place", isOptional: true,
      elements: [
        AttributeDescription(composite: "point", of: "Point", elements: point),
        AttributeDescription(
          "title", .string, isOptional: true, rules: AttributeRules(maximumLength: 9)),
      ])
    let second = AttributeDescription(
      composite: "second", of: "Point", elements: point, renamingIdentifier: "old")
    #expect(document.model.entities[0].attributes == [place, second])
    _ = try CompiledModel(document.model)
  }

  @Test func `a document with composite types is written as it was read (PG-16)`() throws {
    let document = try read(Self.body)
    let text = try document.contents()
    #expect(try ModelDocument(Array(text.utf8), file: "m").model == document.model)
    for part in [
      "<composite name=\"Place\" note=\"kept\">", "usesScalarValueType=\"YES\"",
      "<composite name=\"Unused\">",
    ] {
      #expect(text.contains(part))
    }
    var changed = document
    changed.model = ManagedObjectModel(
      entities: document.model.entities.map { entity in
        var entity = entity
        entity.attributes[0].elements[1].isOptional = false
        return entity
      })
    let rewritten = try changed.contents()
    #expect(rewritten.contains("<attribute name=\"title\" attributeType=\"String\""))
    #expect(rewritten.contains("<composite name=\"Place\" note=\"kept\">"))
    #expect(try ModelDocument(Array(rewritten.utf8), file: "m").model == changed.model)
    // And a model without a document.
    let new = try ModelDocument(document.model, versionName: "New").contents()
    #expect(try ModelDocument(Array(new.utf8), file: "m").model == document.model)
  }

  @Test(arguments: [
    (1, 100, "m:66:69: the composite type 'C64' is within 64 others already; nest fewer types"),
    (2, 30, "the composite attributes of this document have more than 65536 parts; use '"),
  ])
  func `composite types that contain too many are refused, however they do (PG-16)`(
    uses: Int, types: Int, expected: String
  ) {
    let attribute = #"<attribute name="a" attributeType="Composite" composite="C"#
    let body = (1...types).map { number in
      "<composite name=\"C\(number - 1)\">"
        + String(repeating: "\(attribute)\(number)\"/>", count: uses) + "</composite>"
    }
    let error = #expect(throws: PersistenceError.self) {
      try read(
        (["<entity name=\"A\">\(attribute)0\"/></entity>"] + body
          + ["<composite name=\"C\(types)\"/>"]).joined(separator: "\n"))
    }
    #expect(error?.description.contains(expected) == true, "\(error?.description ?? "")")
  }

  @Test func `composite types that are missing or contain themselves are named (PG-16)`() throws {
    let missing = #expect(throws: PersistenceError.self) {
      try read(
        """
        <entity name="A"><attribute name="p" attributeType="Composite" composite="Pont"/></entity>
        <composite name="Point"><attribute name="x" attributeType="Double"/></composite>
        """)
    }
    #expect(
      missing?.description.contains("the composite type 'Pont' is not in this document") == true)
    #expect(missing?.description.contains("did you mean: 'Point'?") == true)
    let circle = #expect(throws: PersistenceError.self) {
      try read(
        """
        <entity name="A"><attribute name="p" attributeType="Composite" composite="B"/></entity>
        <composite name="B"><attribute name="c" attributeType="Composite" composite="C"/></composite>
        <composite name="C"><attribute name="b" attributeType="Composite" composite="B"/></composite>
        """)
    }
    #expect(
      circle?.description.contains("the composite type 'B' contains itself: 'B' → 'C' → 'B'")
        == true)
  }

  @Test func `parts that cannot be kept are refused (PG-16)`() {
    func problem(_ attribute: AttributeDescription, index: String? = nil) -> String? {
      let indexes = index.map { [FetchIndexDescription("i", elements: [.init($0)])] } ?? []
      let entity = EntityDescription("A", attributes: [attribute], fetchIndexes: indexes)
      do throws(PersistenceError) {
        try ManagedObjectModel(entities: [entity]).validate()
        return nil
      } catch { return error.description }
    }
    let x = AttributeDescription("x", .double)
    #expect(
      problem(
        AttributeDescription(
          composite: "p", of: "P",
          elements: [AttributeDescription("d", .date, derivation: "now()")]))
        == "the part 'd' of attribute 'p' of entity 'A' is derived; all parts of a composite attribute "
        + "are kept")
    #expect(
      problem(AttributeDescription(composite: "p", of: "P", elements: [x, x]))
        == "part 'x' is declared twice in attribute 'p' of entity 'A'")
    #expect(
      problem(AttributeDescription(composite: "p", of: "P", elements: [x]), index: "p.x") == nil)
    #expect(
      problem(AttributeDescription(composite: "p", of: "P", elements: [x]), index: "p")
        == "fetch index 'i' of entity 'A' names 'p', which is composite; name one of its parts, as in "
        + "'p.part'")
  }
}
