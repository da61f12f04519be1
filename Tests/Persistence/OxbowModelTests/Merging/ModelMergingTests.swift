import OxbowModel
import Testing

/// PM-03.
@Suite struct ModelMergingTests {
  private func model(_ body: String, _ file: String) throws -> ManagedObjectModel {
    try ModelDocument(Array("<model>\n\(body)\n</model>".utf8), file: file).model
  }

  private func error(_ models: [ManagedObjectModel]) -> String {
    do throws(PersistenceError) {
      _ = try ManagedObjectModel.merging(models)
      return "no error"
    } catch {
      return "\(error.code): \(error)"
    }
  }

  @Test func `entities of all models come together and relationships lead across`() throws {
    let files = try model(
      "<entity name='File'><relationship name='labels' toMany='YES' destinationEntity='Label' inverseName='files'/></entity>",
      "files")
    let labels = try model(
      "<entity name='Label'><relationship name='files' toMany='YES' destinationEntity='File' inverseName='labels'/></entity>",
      "labels")
    let merged = try ManagedObjectModel.merging([files, labels])
    try merged.validate()
    #expect(merged.entities.map(\.name) == ["File", "Label"])
    #expect(try ManagedObjectModel.merging([labels, files]) == merged)
    #expect(throws: PersistenceError.self) { try files.validate() }
  }

  @Test func `identical declarations become one, whatever their order`() throws {
    let a = try model(
      "<entity name='A'><attribute name='x' attributeType='String'/><attribute name='y' attributeType='Date'/></entity>",
      "a")
    let b = try model(
      "<entity name='A'><attribute name='y' attributeType='Date'/><attribute name='x' attributeType='String'/></entity>",
      "b")
    #expect(try ManagedObjectModel.merging([a, b]).entities.count == 1)
  }

  @Test func `every conflict is reported at once with both places`() throws {
    let a = try model(
      """
      <entity name='A' representedClassName='A'><attribute name='x' attributeType='String'/></entity>
      <entity name='B'><relationship name='r' destinationEntity='A' deletionRule='Cascade'/></entity>
      """, "a")
    let b = try model(
      """
      <entity name='B'><relationship name='r' destinationEntity='A' deletionRule='Deny'/></entity>
      <entity name='A'><attribute name='x' attributeType='Date'/><attribute name='y' attributeType='Date'/></entity>
      """, "b")
    #expect(
      error([a, b]) == """
        modelConflict: the models disagree in 4 points
        - b:3:1: entity 'A' is declared in two models that differ: the class name is 'A' in one and none in the other
            declared: a:2:1
            declared: b:3:1
        - b:3:1: entity 'A' is declared in two models that differ: the attribute 'y' is missing in one of them
            declared: a:2:1
            declared: b:3:1
        - b:3:1: entity 'A' is declared in two models that differ: the type of attribute 'x' is 'String' in one and 'Date' in the other
            declared: a:2:1
            declared: b:3:1
        - b:2:1: entity 'B' is declared in two models that differ: the delete rule of relationship 'r' is 'Cascade' in one and 'Deny' in the other
            declared: a:3:1
            declared: b:2:1
        """)
  }

  @Test func `a conflict with a model in code says so`() throws {
    let code = ManagedObjectModel(entities: [EntityDescription("A", isAbstract: true)])
    #expect(
      error([code, try model("<entity name='A'/>", "b")]) == """
        modelConflict: b:2:1: entity 'A' is declared in two models that differ: the "abstract" is \
        'yes' in one and 'no' in the other
          declared: in code
          declared: b:2:1
        """)
  }

  @Test func `an extension adds its properties`() throws {
    let base = try model(
      "<entity name='A'><attribute name='x' attributeType='String'/></entity>", "a")
    let more = try model(
      """
      <entity name='A'>
      <attribute name='x' attributeType='String'/><attribute name='y' attributeType='Date'/>
      <relationship name='r' destinationEntity='A'/>
      <fetchIndex name='i'><fetchIndexElement property='y' type='Binary' order='ascending'/></fetchIndex>
      <userInfo><entry key='oxbow.extends' value='YES'/><entry key='k' value='v'/></userInfo></entity>
      """, "b")
    for models in [[base, more], [more, base]] {
      let entity = try #require(try ManagedObjectModel.merging(models).entity(named: "A"))
      #expect(entity.attributes.map(\.name) == ["x", "y"])
      #expect(entity.relationships.map(\.name) == ["r"])
      #expect(entity.fetchIndexes.map(\.name) == ["i"])
      #expect(entity.userInfo == ["k": "v"])
    }
  }

  @Test func `an extension must not redefine anything`() throws {
    let base = try model(
      "<entity name='A' representedClassName='A'><attribute name='x' attributeType='String'/></entity>",
      "a")
    let more = try model(
      """
      <entity name='A' representedClassName='B'><attribute name='x' attributeType='Date'/>
      <userInfo><entry key='oxbow.extends' value='YES'/></userInfo></entity>
      """, "b")
    #expect(
      error([more, base]) == """
        modelConflict: the models disagree in 2 points
        - b:2:1: entity 'A' is declared in two models that differ: the class name is 'A' in one and 'B' in the other
            declared: a:2:1
            declared: b:2:1
        - b:2:43: entity 'A' is declared in two models that differ: property 'x' is declared differently
            declared: a:2:43
            declared: b:2:43
        """)
  }

  @Test func `an extension of nothing is a conflict`() throws {
    let more = try model(
      "<entity name='A'><userInfo><entry key='oxbow.extends' value='YES'/></userInfo></entity>", "b"
    )
    #expect(
      error([more])
        == "modelConflict: b:2:1: entity 'A' is marked as an extension (oxbow.extends), but no"
        + " other model declares it")
  }

  @Test func `problems of several documents are reported together`() {
    let error = #expect(throws: PersistenceError.self) {
      try ManagedObjectModel(contentsOf: ["/nowhere/a.xcdatamodel", "/nowhere/b.xcdatamodel"])
    }
    #expect(error?.problems.count == 2)
  }

  @Test func `fetched properties and configurations of several models are joined (PF-13, PM-08)`()
    throws
  {
    func model(_ properties: [FetchedPropertyDescription], _ configuration: String)
      -> ManagedObjectModel
    {
      var entity = EntityDescription("A")
      entity.fetchedProperties = properties
      return ManagedObjectModel(entities: [entity], configurations: [configuration: ["A"]])
    }
    let all = FetchedPropertyDescription("all", of: "A")
    let some = FetchedPropertyDescription("some", of: "A", limit: 3)
    let merged = try ManagedObjectModel.merging([
      model([], "X"), model([all], "Y"), model([all, some], "Y"),
    ])
    #expect(merged.entities[0].fetchedProperties == [all, some])
    #expect(merged.configurations == ["X": ["A"], "Y": ["A"]])
    let other = FetchedPropertyDescription("all", of: "A", limit: 1)
    let error = #expect(throws: PersistenceError.self) {
      try ManagedObjectModel.merging([model([all], "X"), model([other], "X")])
    }
    #expect(error?.message.hasSuffix("fetched property 'all' is declared differently") == true)
  }
}
