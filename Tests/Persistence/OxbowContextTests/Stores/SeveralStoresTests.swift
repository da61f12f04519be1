import OxbowContext
import OxbowModel
import OxbowPlatform
import OxbowRelational
import OxbowSQLite
import OxbowStore
import OxbowTestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct SeveralStoresTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      "Author", attributes: [AttributeDescription("name", .string)],
      relationships: [
        RelationshipDescription("books", to: "Book", inverse: "author", isToMany: true)
      ]),
    EntityDescription(
      "Book",
      attributes: [
        AttributeDescription("title", .string, isOptional: true),
        AttributeDescription("writer", .string, isOptional: true, derivation: "author.name"),
      ],
      relationships: [RelationshipDescription("author", to: "Author", inverse: "books")]),
    EntityDescription("Novel", parent: "Book"),
    EntityDescription(
      "Visit",
      attributes: [
        AttributeDescription("page", .string, isOptional: true),
        AttributeDescription("shout", .string, isOptional: true, derivation: "uppercase:(page)"),
      ], uniquenessConstraints: [["page"]]),
  ]).with(configurations: ["Library": ["Author", "Book", "Novel"], "Log": ["Visit"]])

  private func coordinator(
    _ model: ManagedObjectModel = model, _ configurations: [String?] = ["Library", "Log"]
  ) throws -> PersistentStoreCoordinator {
    try PersistentStoreCoordinator(
      CompiledModel(model),
      stores: configurations.enumerated().map { number, name in
        SQLiteStoreDescription(.file(folder.file("\(number).sqlite")), configuration: name)
      })
  }

  private func context(_ coordinator: PersistentStoreCoordinator) -> ManagedObjectContext {
    ManagedObjectContext(coordinator: coordinator, owner: .holder)
  }

  private func fill(_ context: ManagedObjectContext) throws {
    let author = try context.insert(entityNamed: "Author")
    try author.setValue("Lem", for: "name")
    let novel = try context.insert(entityNamed: "Novel")
    try novel.setValue("Solaris", for: "title")
    try novel.setObjects([author], for: "author")
    let visit = try context.insert(entityNamed: "Visit")
    try visit.setValue("solaris", for: "page")
  }

  @Test func `each of several stores is backed up and checked by its file (PS-14, PM-08)`() throws {
    let coordinator = try coordinator()
    defer { coordinator.close() }
    let writer = context(coordinator)
    try fill(writer)
    try writer.save()
    let error = #expect(throws: PersistenceError.self) {
      try coordinator.backUp(to: folder.file("copy"))
    }
    #expect(error?.code == .unsupported)
    for number in 0...1 {
      let file = SQLiteStoreFile(folder.file("\(number).sqlite"))
      #expect(try file.check() == [])
      try file.backUp(to: folder.file("copy \(number)"))
    }
  }

  @Test func `each entity is in the store of its configuration (PM-08)`() throws {
    let coordinator = try coordinator()
    defer { coordinator.close() }
    let writer = context(coordinator)
    try fill(writer)
    try writer.save()
    let reader = context(coordinator)
    let novel = try #require(try reader.all("Book").first)
    #expect(novel.entityName == "Novel")
    #expect(try novel.value("writer") == "Lem")
    #expect(try novel.objects("author").first?.value("name") == "Lem")
    let visit = try #require(try reader.all("Visit").first)
    #expect(try visit.value("shout") == "SOLARIS")
    #expect(visit.objectID.store != novel.objectID.store)
    #expect(try coordinator.storeIdentifier(ofEntityNamed: "Visit") == visit.objectID.store)
    #expect(reader.registeredObject(for: visit.objectID) === visit)
    let titles = try reader.fetch(
      FetchRequest(entityNamed: "Book", where: FetchPredicate(format: "author.name == 'Lem'")))
    #expect(titles == [novel])
  }

  @Test func `a store of a configuration is a store of its own (PM-08)`() throws {
    let both = try coordinator()
    let writer = context(both)
    try fill(writer)
    try writer.save()
    both.close()
    let log = try Self.model.model(ofConfiguration: "Log")
    #expect(log.entities.map(\.name) == ["Visit"])
    let alone = try PersistentStoreCoordinator(
      CompiledModel(log), at: .file(folder.file("1.sqlite")))
    defer { alone.close() }
    #expect(try context(alone).all("Visit").first?.value("page") == "solaris")
    let tables = try Connection(path: folder.file("1.sqlite"), configuration: .init(role: .sole))
      .rows(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'")
    #expect(tables == [[.text("Visit")]])
    // And a store that was made alone is one of several.
    let again = try coordinator(Self.model, [nil, "Log"])
    defer { again.close() }
    #expect(try context(again).all("Author").count == 1)
  }

  @Test func `a save of several stores that one of them refuses changes none (PM-08)`() throws {
    let coordinator = try coordinator()
    defer { coordinator.close() }
    let first = context(coordinator)
    try fill(first)
    try first.save()
    let second = context(coordinator)
    let author = try #require(try second.all("Author").first)
    let other = try #require(try first.all("Author").first)
    try other.setValue("Dick", for: "name")
    try first.save()
    // The library refuses the author, the log refuses the page; each alone stops both.
    try author.setValue("Capek", for: "name")
    let visit = try second.insert(entityNamed: "Visit")
    try visit.setValue("new", for: "page")
    #expect(throws: PersistenceError.self) { try second.save() }
    #expect(try context(coordinator).all("Visit").count == 1)
    #expect(visit.isInserted)
    #expect(second.hasChanges)
    try second.refresh(author)
    try author.setValue("Capek", for: "name")
    try visit.setValue("solaris", for: "page")
    let error = #expect(throws: PersistenceError.self) { try second.save() }
    #expect(error?.code == .uniquenessViolated)
    #expect(try context(coordinator).all("Author").first?.value("name") == "Dick")
    try visit.setValue("new", for: "page")
    try second.save()
    #expect(try context(coordinator).all("Visit").count == 2)
    #expect(try context(coordinator).all("Author").first?.value("name") == "Capek")
  }

  @Test func `a commit that fails after another one says what is saved (PM-08)`() throws {
    let (coordinator, last) = try failingCoordinator()
    defer { coordinator.close() }
    let context = context(coordinator)
    try fill(context)
    last.fails.withLock { $0 = true }
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.code == .partlySaved)
    let isLibrary = last.entities.count == 3
    let (saved, lost) =
      isLibrary
      ? ("'Visit'", "'Author', 'Book', 'Novel'") : ("'Author', 'Book', 'Novel'", "'Visit'")
    #expect(
      error?.message.contains("the changes of \(saved) are saved, those of \(lost) are not")
        == true, "\(error?.message ?? "")")
    // Nothing in memory has changed: the context still has everything.
    #expect(context.hasChanges)
    #expect(context.insertedObjects.count == 3)
    last.fails.withLock { $0 = false }
    let reader = self.context(coordinator)
    #expect(try reader.all("Visit").count == (isLibrary ? 1 : 0))
    #expect(try reader.all("Author").count == (isLibrary ? 0 : 1))
  }

  @Test func `after a save in some stores and a rollback, the next save works (PM-08)`() throws {
    let (coordinator, last) = try failingCoordinator()
    defer { coordinator.close() }
    let context = context(coordinator)
    try fill(context)
    try context.save()
    let author = try #require(try context.all("Author").first)
    let visit = try #require(try context.all("Visit").first)
    func change(_ text: String) throws {
      try author.setValue(text, for: "name")
      try visit.setValue(text, for: "page")
      try context.save()
    }
    last.fails.withLock { $0 = true }
    #expect(throws: PersistenceError.self) { try change("half") }
    last.fails.withLock { $0 = false }
    try context.rollback()
    // What is saved is seen, also where it is new to this context.
    let values = [try author.value("name", as: String.self), try visit.value("page")]
    #expect(Set(values.compactMap(\.self)).contains("half"))
    try change("whole")
    let reader = self.context(coordinator)
    #expect(try reader.all("Author").first?.value("name") == "whole")
    #expect(try reader.all("Visit").first?.value("page") == "whole")
  }

  @Test(arguments: 0..<4)
  func `values of the program are in the store without a configuration (PS-14, PM-08)`(
    _ round: Int
  ) throws {
    let model = try CompiledModel(Self.model)
    func open() throws -> PersistentStoreCoordinator {
      try PersistentStoreCoordinator(
        model,
        stores: [
          .init(.file(folder.file("log.sqlite")), configuration: "Log"),
          .init(.file(folder.file("library.sqlite"))),
        ])
    }
    // A value that the store of the visits has, whichever it was then.
    let log = try SQLiteStore(
      model, part: ModelPart(["Visit"], of: model), at: .file(folder.file("log.sqlite")))
    var changes = ChangeSet()
    changes.metadata = [try .init(keeping: "there", for: "former")]
    try log.save(changes)
    log.close()
    var coordinator = try open()
    #expect(try coordinator.metadata("former", as: String.self) == "there")
    try coordinator.setMetadata("here", for: "cursor")
    #expect(try coordinator.metadataKeys() == ["cursor", "former"])
    try coordinator.setMetadata(nil, for: "former")
    #expect(try coordinator.metadataKeys() == ["cursor"])
    coordinator.close()
    try FileManager.default.removeItem(atPath: folder.file("log.sqlite"))
    coordinator = try open()
    defer { coordinator.close() }
    #expect(try coordinator.metadata("cursor", as: String.self) == "here")
  }

  /// Two stores, and the one that is the last to commit: that with the first identifier.
  private func failingCoordinator() throws -> (PersistentStoreCoordinator, FailingStore) {
    let model = try CompiledModel(Self.model)
    let stores = try [["Author", "Book", "Novel"], ["Visit"]].enumerated().map { number, names in
      let part = ModelPart(Set(names), of: model)
      return FailingStore(
        try SQLiteStore(model, part: part, at: .file(folder.file("\(number).sqlite"))),
        part.entities)
    }
    let last = try #require(stores.min { $0.identifier.uuidString < $1.identifier.uuidString })
    return (
      PersistentStoreCoordinator(store: CombinedStore(stores.map { ($0, $0.entities) }, model)),
      last
    )
  }

  @Test func `stores that do not fit the model are refused with every reason (PM-08)`() throws {
    func message(_ model: ManagedObjectModel, _ configurations: [String?]) -> String? {
      (#expect(throws: PersistenceError.self) { try coordinator(model, configurations).close() })?
        .description
    }
    let split = Self.model.with(configurations: [
      "A": ["Author"], "B": ["Book"], "C": ["Novel", "Visit"], "D": ["Visit", "Author", "Book"],
    ])
    #expect(
      message(split, ["A", "B", "C"]) == """
        the stores do not fit the model in 3 points
        - the relationship 'books' of 'Author' leads from the store of 'A' to 'Book' in the store of \
        'B', and no relationship can; keep an identifier in an attribute, and find the objects with \
        a fetched property or a fetch
        - the relationship 'author' of 'Book' leads from the store of 'B' to 'Author' in the store \
        of 'A', and no relationship can; keep an identifier in an attribute, and find the objects \
        with a fetched property or a fetch
        - the entity 'Novel' is in the store of 'C', and its parent 'Book' is not; a hierarchy is in \
        one store
        """)
    #expect(
      message(split, ["D"])
        == "the entity 'Novel' is in no configuration of a store; add it to one, or add a store "
        + "without a configuration, which has all that is left")
    #expect(
      message(split, ["C", "D"])?.contains(
        "the entity 'Visit' is in the store of 'C' and the store of 'D', and the objects of an entity "
          + "are in one store") == true)
    #expect(
      message(Self.model, ["Libary"])
        == "the model has no configuration 'Libary'; it has 'Library', 'Log'\n"
        + "  did you mean: 'Library'?")
  }

  @Test func `a statement of a program goes to the store of the entities that it names (PM-08)`()
    throws
  {
    let coordinator = try coordinator()
    defer { coordinator.close() }
    let context = context(coordinator)
    try fill(context)
    try context.save()
    let rows = try context.fetchRows(sql: "SELECT count(*) AS n FROM \(entity: "Visit")")
    #expect(rows.count == 1)
    let error = #expect(throws: PersistenceError.self) {
      try context.fetchRows(sql: "SELECT * FROM \(entity: "Visit"), \(entity: "Book")")
    }
    #expect(error?.message.contains("which are not in one store") == true)
  }
}
