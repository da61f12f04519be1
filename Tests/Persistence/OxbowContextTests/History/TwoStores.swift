import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore
import OxbowTestSupport

/// A library and a gallery, each in a store of its own, behind one coordinator.
struct TwoStores {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  static let names = ["Library", "Gallery"]

  static func model(searching names: [String] = []) throws -> CompiledModel {
    let types: [any ModelObject.Type] = [
      Author.self, Book.self, Novel.self, Tag.self, Gallery.self, Picture.self,
    ]
    let entities = ManagedObjectModel(types: types).entities.map { entity in
      var entity = entity
      for index in entity.attributes.indices where names.contains(entity.attributes[index].name) {
        entity.attributes[index].search = .words
      }
      return entity
    }
    let model = ManagedObjectModel(entities: entities).with(configurations: [
      "Library": ["Author", "Book", "Novel", "Tag"], "Gallery": ["Gallery", "Picture"],
    ])
    return try CompiledModel(model, classes: types)
  }

  func file(_ name: String) -> String { folder.file("\(name).sqlite") }

  func open(
    _ histories: [HistoryRecording] = [.keys, .keys], hasLog: Bool = true,
    searching names: [String] = [], _ change: (inout SQLiteStoreOptions) -> Void = { _ in }
  ) throws -> PersistentStoreCoordinator {
    try PersistentStoreCoordinator(
      Self.model(searching: names),
      stores: zip(Self.names, histories).map { name, history in
        var options = SQLiteStoreOptions(usesWriteAheadLog: hasLog, history: history)
        options.externalStorageThreshold = 1000
        change(&options)
        return SQLiteStoreDescription(.file(file(name)), configuration: name, options: options)
      })
  }

  /// One of the stores behind a coordinator of its own.
  func openAlone(
    _ name: String, _ history: HistoryRecording = .keys
  ) throws -> PersistentStoreCoordinator {
    let types: [any ModelObject.Type] =
      name == "Library"
      ? [Author.self, Book.self, Novel.self, Tag.self] : [Gallery.self, Picture.self]
    return try PersistentStoreCoordinator(
      CompiledModel(Self.model().source.model(ofConfiguration: name), classes: types),
      at: .file(file(name)), options: SQLiteStoreOptions(history: history))
  }

  /// Saves a book and a picture with titles, each where there is one.
  static func add(
    _ book: String?, _ picture: String?, _ context: ManagedObjectContext
  ) throws {
    if let book { _ = try context.insert(Book.self) { $0.title = book } }
    if let picture { _ = try context.insert(Picture.self) { $0.title = picture } }
    try context.save()
  }

  /// All titles, of books and of pictures.
  static func titles(_ context: ManagedObjectContext) throws -> [ManagedObjectID: String] {
    var titles: [ManagedObjectID: String] = [:]
    for book in try context.fetch(Book.self) { titles[book.objectID] = book.title }
    for picture in try context.fetch(Picture.self) { titles[picture.objectID] = picture.title }
    return titles
  }
}
