import OxbowDocuments
import OxbowModel
import Testing

@Suite struct RequestDocumentTests {
  private static let text = """
    <model>
        <entity name="Book">
            <attribute name="title" attributeType="String"/>
            <fetchedProperty name="others" optional="YES">
                <fetchRequest name="fetchedPropertyFetchRequest" entity="Book" predicateString="title != $FETCH_SOURCE.title"/>
                <userInfo>
                    <entry key="k" value="v"/>
                </userInfo>
            </fetchedProperty>
            <fetchedProperty name="strange">
                <fetchRequest name="fetchedPropertyFetchRequest" entity="Book" predicateString="title ~~ 4"/>
            </fetchedProperty>
        </entity>
        <fetchRequest name="named" entity="Book" predicateString="title ==[c] $TITLE" fetchLimit="3" includeSubentities="NO" resultType="1" note="kept"/>
        <fetchRequest name="odd" entity="Book" predicateString="FUNCTION(title, 'x')"/>
        <configuration name="Local">
            <memberEntity name="Book"/>
        </configuration>
    </model>
    """

  private func read(_ text: String) throws -> ModelDocument {
    try ModelDocument(Array(text.utf8), file: "m")
  }

  @Test func `templates, fetched properties and configurations are read (PF-13, PM-08)`() throws {
    let document = try read(Self.text)
    var template = FetchRequestTemplate(
      "named", entity: "Book", where: try FetchPredicate(format: "title ==[c] $TITLE"), limit: 3)
    template.includesSubentities = false
    #expect(document.model.fetchRequestTemplates == [template])
    #expect(
      document.model.entities[0].fetchedProperties == [
        FetchedPropertyDescription(
          "others", of: "Book", where: try FetchPredicate(format: "title != $FETCH_SOURCE.title"),
          userInfo: ["k": "v"])
      ])
    #expect(document.model.configurations == ["Local": ["Book"]])
    let notes = document.notes.map(\.text)
    #expect(
      notes.contains { $0.hasPrefix("fetched property 'strange' of entity 'Book' is not used: ") })
    #expect(notes.contains { $0.hasPrefix("fetch request template 'odd' is not used: ") })
    #expect(
      notes.contains(
        "fetch request template 'named' gives objects, whatever its result type says"))
  }

  @Test func `what is not understood stays, and what changes is written (PF-13)`() throws {
    let document = try read(Self.text)
    #expect(try document.contents().contains("predicateString=\"title ~~ 4\""))
    var changed = document
    changed.model = document.model.adding(fetchRequestTemplates: [
      FetchRequestTemplate("all", entity: "Book"),
      FetchRequestTemplate(
        "named", entity: "Book", where: try FetchPredicate(format: "title == $TITLE")),
    ]).with(configurations: ["Local": [], "Other": ["Book"]])
    let text = try changed.contents()
    for part in [
      "title ~~ 4", "FUNCTION(title, ", "note=\"kept\"",
      "<fetchRequest name=\"all\" entity=\"Book\"/>",
      "predicateString=\"title == $TITLE\"", "<configuration name=\"Other\">", "resultType=\"1\"",
    ] {
      #expect(text.contains(part), "\(part)")
    }
    #expect(try read(text).model == changed.model)
    let new = try ModelDocument(changed.model, versionName: "New").contents()
    #expect(try read(new).model == changed.model)
  }

  @Test func `templates and configurations that a model has no more are taken away (PF-13)`() throws
  {
    let document = try read(Self.text)
    let names = document.model.fetchRequestTemplates.map(\.name)
    #expect(!names.isEmpty && !document.model.configurations.isEmpty)
    var changed = document
    changed.model = try document.model.adding(fetchRequestTemplates: [
      FetchRequestTemplate("all", entity: "Book")
    ]).removing(fetchRequestTemplatesNamed: names[0])
    let text = try changed.contents()
    #expect(try read(text).model.fetchRequestTemplates.map(\.name) == ["all"])
    // What was not understood is not taken away.
    #expect(text.contains("FUNCTION(title, "))
    changed.model = changed.model.with(configurations: [:])
    #expect(try read(changed.contents()).model.configurations.isEmpty)
    changed.model = ManagedObjectModel(
      entities: document.model.entities, fetchRequestTemplates: [], configurations: [:])
    let bare = try read(changed.contents()).model
    #expect(bare.fetchRequestTemplates.isEmpty && bare.configurations.isEmpty)
    changed.model = ManagedObjectModel(entities: document.model.entities)
    #expect(try read(changed.contents()).model == document.model)
    let error = #expect(throws: PersistenceError.self) {
      try document.model.removing(fetchRequestTemplatesNamed: names[0] + "s")
    }
    #expect(error?.code == .unknownTemplate && error?.nearNames == [names[0]])
  }

  @Test func `configurations follow entities that are renamed (PM-08)`() throws {
    let document = try read(Self.text)
    var changed = document
    var book = document.model.entities[0]
    book.name = "Volume"
    book.renamingIdentifier = "Book"
    book.fetchedProperties = []
    changed.model = ManagedObjectModel(entities: [book])
    let model = try read(changed.contents()).model
    #expect(model.configurations == ["Local": ["Volume"]])
    #expect(model.fetchRequestTemplates == document.model.fetchRequestTemplates)
  }

  @Test func `names that do not exist are problems of the model (PF-13, PM-08)`() throws {
    var book = EntityDescription("Book", attributes: [AttributeDescription("title", .string)])
    book.fetchedProperties = [FetchedPropertyDescription("others", of: "Bok")]
    let model = ManagedObjectModel(entities: [book], configurations: ["Local": ["Books"]])
    let error = #expect(throws: PersistenceError.self) { try model.validate() }
    #expect(
      error?.description == """
        the model has 2 problems
        - the destination 'Bok' of fetched property 'others' of entity 'Book' does not exist
            did you mean: 'Book'?
        - configuration 'Local' names the entity 'Books', which does not exist
            did you mean: 'Book'?
        """)
  }
}
