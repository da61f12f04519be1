import Foundation
import OxbowContext
import OxbowModel
import OxbowStore
import OxbowTestSupport
import Testing

@testable import OxbowSQLite

/// The models with which stores of Core Data are opened and made.
@Suite struct CoreDataModelTests {
  private func document(_ contents: String) throws -> ManagedObjectModel {
    try ModelDocument(Array(contents.utf8), file: "m").model
  }

  /// The same entities as code says them.
  private func code(_ contents: String) throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: document(contents).entities)
  }

  private func opening(
    _ path: String, _ model: ManagedObjectModel, isReadOnly: Bool
  ) throws -> PersistenceError? {
    let compiled = try CompiledModel(model)
    var options = SQLiteStoreOptions()
    options.isReadOnly = isReadOnly
    return failure {
      try PersistentStoreCoordinator(compiled, at: .file(path), options: options).close()
    }
  }

  // MARK: - Stores without a model

  private static let other = CoreDataShelves.contents.replacing(
    "name=\"minutes\" optional=\"YES\"", with: "name=\"minutes\"")

  @Test(arguments: [true, false])
  func `CD-43 a document with other version hashes is refused, also by a coordinator`(
    isReadOnly: Bool
  ) throws {
    let copy = try CoreDataCopy.shelves()
    let error = try opening(copy.path, document(Self.other), isReadOnly: isReadOnly)
    #expect(error?.code == .modelMismatch)
    #expect(
      error?.message
        == "the store '\(copy.path)' was written for another model; give the version of the model that "
        + "the app had, as its document")
    #expect(error?.details.map(\.text) == ["the version hash of 'Film'"])
    #expect(
      try opening(copy.path, document(CoreDataShelves.contents), isReadOnly: isReadOnly) == nil)
    #expect(try copy.folder.names() == ["App.sqlite", "M.xcdatamodel"])
  }

  @Test func `CD-43 a model in code writes where its hashes are the store's, and reads otherwise`()
    throws
  {
    let copy = try CoreDataCopy.shelves()
    #expect(try opening(copy.path, code(CoreDataShelves.contents), isReadOnly: false) == nil)
    #expect(try opening(copy.path, code(Self.other), isReadOnly: true) == nil)
    let error = try opening(copy.path, code(Self.other), isReadOnly: false)
    #expect(error?.details.map(\.text) == ["the version hash of 'Film'"])
  }

  // MARK: - Stores with a model

  /// A store whose metadata have a made-up hash of Author, and whose model is inside.
  private func inside() throws -> CoreDataCopy {
    try CoreDataCopy { path in
      let document = try ModelDocument(CoreDataFixture.model(), file: "m")
      try CoreDataFixture.keeping(
        path, hashes: CoreDataHashes(of: document).values,
        more: """
          CREATE TRIGGER Z_DA_ZWORK_Author_bookCount_X AFTER INSERT ON ZWORK BEGIN SELECT 1; END;
          """)
    }
  }

  @Test func `CD-43 a model is compared with the one in the store as far as it says itself`() throws
  {
    let copy = try inside()
    let right = CoreDataFixture.document()
    // In code the smallest count of 'author' is lost.
    for model in try [document(right), code(right)] {
      #expect(try opening(copy.path, model, isReadOnly: false) == nil)
    }
    let inside = right.replacing(" allowsExternalBinaryDataStorage=\"YES\"", with: "")
    let count = right.replacing("minCount=\"1\" ", with: "")
    for model in try [document(inside), code(inside)] {
      let error = try opening(copy.path, model, isReadOnly: false)
      #expect(error?.details.map(\.text) == ["the version hash of 'Book'"])
      #expect(error?.message.hasSuffix("or none, which takes the one in the store") == true)
      #expect(try opening(copy.path, model, isReadOnly: true) == nil)
    }
    // It equals the one in the store, which no save depends on otherwise.
    #expect(try opening(copy.path, document(count), isReadOnly: false) == nil)
    let derived = right.replacing(
      " derived=\"YES\" derivationExpression=\"books.@count\"", with: "")
    let error = try opening(copy.path, document(derived), isReadOnly: false)
    #expect(error?.details.map(\.text) == ["the version hash of 'Author'"])
    // The hash of Author is not known.
    let nameless = right.replacing(
      "<attribute name=\"name\" attributeType=\"String\" elementID=\"title\"/>", with: "")
    let missing = try opening(copy.path, document(nameless), isReadOnly: false)
    #expect(
      missing?.details.map(\.text) == ["'name' of 'Author' is in the store and not in the model"])
  }

  // MARK: - New stores

  private func options() -> SQLiteStoreOptions {
    var options = SQLiteStoreOptions()
    options.layout = .coreData
    return options
  }

  @Test func `CD-43 an option makes a store of Core Data, which is written and opened as one`()
    throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("Seed.sqlite")
    let model = try document(CoreDataShelves.contents)
    for name in ["sf", "old"] {
      let coordinator = try PersistentStoreCoordinator(
        CompiledModel(model), at: .file(path), options: options())
      let context = ManagedObjectContext(coordinator: coordinator)
      try context.insert(entityNamed: "Tag").setValue(name, for: "name")
      try context.save()
      coordinator.close()
    }
    let store = try #require(try CoreDataInspection.at(path))
    #expect(store.hashes == (try model.coreDataHashes(ofDocument: true).values))
    #expect(store.versionIdentifiers == ["shelves"])
    #expect(store.entities.first { $0.name == "Tag" }?.rows == 2)
    #expect(try folder.names() == ["Seed.sqlite"])
    // A part of a model has the hashes that its document says.
    let local = model.with(configurations: ["Local": ["Tag"]])
    let part = try local.model(ofConfiguration: "Local")
    #expect(part.isOfDocument)
    #expect(try Array(part.coreDataHashes(ofDocument: true).values.keys) == ["Tag"])
    #expect(try part.coreDataHashes(ofDocument: true).values["Tag"] == store.hashes["Tag"])
  }

  @Test func `CD-43 what cannot be made as a store of Core Data is refused, and nothing is left`()
    throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("Seed.sqlite")
    let shelves = try CompiledModel(document(CoreDataShelves.contents))
    func refusal(
      _ model: CompiledModel, _ location: StoreLocation, history: HistoryRecording = .off
    ) -> PersistenceError? {
      var options = options()
      options.history = history
      return failure {
        try PersistentStoreCoordinator(model, at: location, options: options).close()
      }
    }
    for location in [StoreLocation.inMemory, .temporary] {
      #expect(
        refusal(shelves, location)?.message
          == "only a store in a file is made in Core Data's layout; give a path, or leave 'layout' as it "
          + "is")
    }
    #expect(refusal(shelves, .file(path), history: .keys)?.code == .unsupported)
    let derived = try CompiledModel(document(CoreDataFixture.document()))
    #expect(refusal(derived, .file(path))?.code == .unsupported)
    #expect(try folder.names() == [])
    try folder.write("", to: "Seed.sqlite")
    #expect(
      refusal(shelves, .file(path))?.message
        == "the database '\(path)' is empty, and a store of Core Data is made where there is nothing; "
        + "remove it, or choose another path")
    var reading = options()
    reading.isReadOnly = true
    let missing = failure {
      _ = try PersistentStoreCoordinator(
        shelves, at: .file(folder.file("None.sqlite")), options: reading)
    }
    #expect(missing?.code == .storeUnreachable)
  }

  @Test func `CD-43 a store whose tables are in its log alone is one of Core Data`() throws {
    let folder = try TemporaryFolder()
    let document = try ModelDocument(Array(CoreDataShelves.contents.utf8), file: "m")
    try CoreDataShelves.make(folder.file("A.sqlite"), CoreDataHashes(of: document).values) {
      for suffix in ["", "-wal"] {
        try FileManager.default.copyItem(
          atPath: folder.file("A.sqlite\(suffix)"), toPath: folder.file("B.sqlite\(suffix)"))
      }
    }
    #expect(StoredModel.isOfCoreData(folder.file("A.sqlite")))
    #expect(StoredModel.isOfCoreData(folder.file("B.sqlite")))
    #expect(!StoredModel.isOfCoreData(folder.file("C.sqlite")))
    #expect(try folder.names() == ["A.sqlite", "B.sqlite", "B.sqlite-wal"])
  }
}
