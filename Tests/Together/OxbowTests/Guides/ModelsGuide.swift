import Foundation
import Oxbow
import OxbowTestSupport
import Testing

// The code of docs/guide/models.md.

/// The entities of the guide.
enum ModelsGuide {
  @Entity(unique: [["isbn"]]) class Book: ManagedObject {
    var title: String
    var pages: Int32 = 0
    var price: Decimal?
    @Attribute(rules: AttributeRules(minimumLength: 10, maximumLength: 13)) var isbn: String
    @Attribute(transient: true) var isOpen: Bool = false
    @Relationship(inverse: \.books, optional: false) var author: Author?
    @Relationship(inverse: \.books) var tags: Set<Tag> = []
  }

  @Entity final class AudioBook: Book {
    var minutes: Int = 60
  }

  @Entity final class Author: ManagedObject {
    @Attribute(renamedFrom: "title") var name: String
    @Relationship(.cascade, inverse: \.author) var books: [Book] = []
  }

  @Entity("Label", hashModifier: "2", userInfo: ["owner": "shop"])
  final class Tag: ManagedObject {
    var text: String = ""
    var mood: Mood = .plain
    @Relationship(inverse: \.tags) var books: Set<Book> = []
  }

  enum Mood: String, AttributeConvertible {
    case plain, loud
  }

  struct Palette: TransformableValue {
    var colors: [String] = []
    static var attributePlaceholder: Palette { Palette() }
  }

  struct Point: CompositeAttribute {
    var x = 0.0
    var y = 0.0

    static let parts = [CompositePart("x", \Point.x), CompositePart("y", \Point.y)]
  }

  @Entity final class Shop: ManagedObject {
    var place: Point?
  }

  @Entity final class Photo: ManagedObject {
    var title: String = ""
    @Attribute(externalStorage: true) var image: Data?
  }

  static let types: [any ModelObject.Type] = [
    Book.self, AudioBook.self, Author.self, Tag.self,
  ]

  static func open(in folder: String) throws -> PersistentContainer {
    let path = folder + "/shop.sqlite"
    let container = try PersistentContainer(
      .file(path), types: [Book.self, AudioBook.self, Author.self, Tag.self])
    return container
  }

  static func openPhotos(_ path: String) throws -> PersistentContainer {
    var options = SQLiteStoreOptions()
    options.externalStorageThreshold = 1 << 20
    options.mapsExternalStorage = true
    let container = try PersistentContainer(.file(path), types: [Photo.self], options: options)
    return container
  }

  static func add(_ image: Data, to container: PersistentContainer) throws {
    try container.perform { context in
      try context.insert(Photo.self) {
        $0.title = "Lighthouse"
        $0.image = image
      }
      try context.save()
    }
  }

  static func sell(in container: PersistentContainer) throws {
    try container.perform { context in
      let author = try context.insert(Author.self) { $0.name = "Lem" }
      try context.insert(Book.self) {
        $0.title = "Solaris"
        $0.isbn = "9780156027"
        $0.author = author
      }
      try context.save()
    }
  }

  static func document() throws -> ModelDocument {
    let model = ManagedObjectModel(types: types)
    let document = ModelDocument(model, versionName: "Shop")
    return document
  }

  static func rename(in path: String) throws {
    var document = try ModelDocument(contentsOf: path)
    var entities = document.model.entities
    if let tag = entities.firstIndex(where: { $0.name == "Label" }) {
      let rank = AttributeDescription("rank", .integer16, defaultValue: .integer(0))
      entities[tag].attributes.append(rank)
    }
    document.model = ManagedObjectModel(entities: entities)
    try document.write(to: path)
  }

  static func byKey(_ container: PersistentContainer) throws -> String? {
    let title = try container.perform { context in
      let request = FetchRequest<ManagedObject>(entityNamed: "Book")
      return try context.fetch(request).first?.value("title", as: String.self)
    }
    return title
  }
}

@Suite struct ModelsGuideTests {
  @Test func `the guide's store keeps its objects, and reads them by key`() throws {
    let folder = try TemporaryFolder()
    let container = try ModelsGuide.open(in: folder.path)
    try ModelsGuide.sell(in: container)
    #expect(try ModelsGuide.byKey(container) == "Solaris")
  }

  @Test func `PG-17 the guide's photos are in files from a size on`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("shop.sqlite")
    let container = try ModelsGuide.openPhotos(path)
    try ModelsGuide.add(Data(repeating: 1, count: 1 << 20), to: container)
    try ModelsGuide.add(Data(repeating: 2, count: 1 << 21), to: container)
    let files = try FileManager.default.contentsOfDirectory(atPath: path + "-files")
    #expect(files.filter { $0 != "incoming" }.count == 1)
    let sizes = try container.perform { context in
      try context.fetch(ModelsGuide.Photo.self).map { $0.image?.count ?? 0 }
    }
    #expect(sizes.sorted() == [1 << 20, 1 << 21])
  }

  @Test func `the guide's classes become a document, which changes`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("Shop.xcdatamodel")
    try ModelsGuide.document().write(to: path)
    let model = try ModelDocument(contentsOf: path).model
    #expect(model == ManagedObjectModel(types: ModelsGuide.types))
    try ModelsGuide.rename(in: path)
    let changed = try ModelDocument(contentsOf: path).model
    #expect(changed.entity(named: "Label")?.attributes.count == 3)
    #expect(try Guide(name: "models").texts("xml").count == 3)
  }

  @Test func `PM-05: a composite property says what the guide's document says`() throws {
    let text = try #require(try Guide(name: "models").texts("xml").first { $0.contains("Point") })
    let model = try ModelDocument(Array(text.utf8), file: "guide").model
    let container = try PersistentContainer(
      .temporary, model: model, classes: [ModelsGuide.Shop.self])
    let found = try container.perform { context in
      let shop = try context.insert(ModelsGuide.Shop.self)
      #expect(shop.place == nil)
      shop.place = ModelsGuide.Point(x: 1, y: 2)
      shop.place?.y += 1
      try context.save()
      return try context.fetch(
        FetchRequest<ModelsGuide.Shop>(where: FetchPredicate(format: "place.y == 3"))
      ).map { $0.place?.x }
    }
    #expect(found == [1])
  }

  @Test func `the documents of the guide merge into one model`() throws {
    let documents = try Guide(name: "models").texts("xml").enumerated().map { number, text in
      try ModelDocument(Array(text.utf8), file: "block \(number)")
    }
    let model = try ManagedObjectModel.merging(documents.map(\.model))
    try model.validate()
    let book = try #require(model.entity(named: "Book"))
    #expect(book.relationships.map(\.name).sorted() == ["author", "shelf"])
  }
}
