import Foundation
import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore
import OxbowTestSupport
import Testing

/// Objects whose large values are in files: what a context promises holds for them too.
@Suite struct ExternalObjectTests {
  private let store: PictureStore
  private let context: ManagedObjectContext

  init() throws {
    store = try PictureStore()
    context = store.context()
    let gallery = try context.insert(Gallery.self)
    for (title, number) in [("a", 1), ("b", 2), ("c", 3)] as [(String, UInt8)] {
      let picture = try context.insert(Picture.self)
      (picture.title, picture.image, picture.gallery) = (
        title, OxbowContextTests.picture(number), gallery
      )
    }
    try context.save()
  }

  private func find(_ title: String, in context: ManagedObjectContext? = nil) throws -> Picture {
    let found = try (context ?? self.context).fetch(Picture.self, where: .equal("title", title))
    return try #require(found.first)
  }

  @Test func `PG-17 objects have their images, fetched, by fault and after a save`() throws {
    #expect(try find("a").image == picture(1))
    #expect(try store.files() == 3)
    let other = store.context()
    var request = FetchRequest<Picture>(sortedBy: [.ascending(\.title)])
    request.includesPropertyValues = false
    let faults = try other.fetch(request)
    #expect(faults.filter(\.isFault).count == 3)
    #expect(faults.map(\.image) == [picture(1), picture(2), picture(3)])
    #expect(
      try other.fetch(Gallery.self)[0].pictures.compactMap(\.image?.count) == [3000, 3000, 3000])
  }

  @Test func `PG-17 rollback and a refused save leave images and files as they were`() throws {
    let a = try find("a")
    a.image = picture(9)
    try context.delete(try find("b"))
    try context.rollback()
    #expect(a.image == picture(1))
    a.image = picture(9)
    a.title = String(repeating: "long", count: 20)
    #expect(throws: PersistenceError.self) { try context.save() }
    #expect(a.image == picture(9))
    #expect(try store.images() == ["a": picture(1), "b": picture(2), "c": picture(3)])
    #expect(try store.files() == 3)
    a.title = "a"
    try context.save()
    #expect(try store.images()["a"] == picture(9))
    #expect(try store.files() == 3)
  }

  @Test func `PG-17 undo brings back what a save has replaced and deleted`() throws {
    context.isUndoEnabled = true
    let a = try find("a")
    a.image = picture(9)
    try context.save()
    try context.undo()
    try context.save()
    #expect(try store.images()["a"] == picture(1))
    try context.delete(try find("b"))
    try context.save()
    #expect(try store.files() == 2)
    try context.undo()
    try context.save()
    #expect(try store.images() == ["a": picture(1), "b": picture(2), "c": picture(3)])
    #expect(try store.files() == 3)
    try context.redo()
    try context.save()
    #expect(try store.files() == 2)
    #expect(try store.findings() == [])
  }

  @Test func `PG-17 a cascade takes the files along`() throws {
    try context.delete(try context.fetch(Gallery.self)[0])
    try context.save()
    #expect(try store.files() == 0)
  }

  @Test func `PG-17 a conflict leaves the file of the save that won`() throws {
    let other = store.context()
    let (mine, theirs) = (try find("a"), try find("a", in: other))
    mine.image = picture(8)
    theirs.image = picture(9)
    try other.save()
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.code == .conflict)
    #expect(try store.images()["a"] == picture(9))
    #expect(try store.files() == 3)
    context.mergePolicy = .mergeByPropertyObjectTrump
    try context.save()
    #expect(try store.images()["a"] == picture(8))
    #expect(try store.files() == 3)
  }

  @Test func `PG-17 another context keeps the image that it has read`() throws {
    let other = store.context()
    let theirs = try find("a", in: other)
    #expect(theirs.image == picture(1))
    try find("a").image = nil
    try context.save()
    #expect(try store.files() == 2)
    try other.reset()
    #expect(try find("a", in: other).image == nil)
  }

  @Test func `PG-17 a mapped image goes along with its row: edited, undone, merged and in a child`()
    throws
  {
    let store = try PictureStore(mapsImages: true)
    let maker = store.context()
    try maker.insert(Picture.self) { ($0.title, $0.image) = ("a", picture(1)) }
    try maker.save()
    let (context, other) = (store.context(), store.context())
    let (mine, theirs) = (try find("a", in: context), try find("a", in: other))
    context.isUndoEnabled = true
    mine.title = "edited"
    try context.save()
    try store.compact()
    #expect([mine.image, theirs.image] == [picture(1), picture(1)])
    mine.image = picture(2)
    try context.save()
    try store.compact()
    #expect([mine.image, theirs.image] == [picture(2), picture(1)])
    try context.undo()
    #expect(mine.image == picture(1))
    let child = ManagedObjectContext(parent: context)
    let copy = try find("edited", in: child)
    #expect(copy.image == picture(1))
    copy.image = picture(3)
    try child.save()
    try context.save()
    other.mergePolicy = .mergeByPropertyObjectTrump
    theirs.title = "theirs"
    try other.save()
    #expect([mine.image, theirs.image] == [picture(3), picture(3)])
    #expect(try store.images() == ["theirs": picture(3)])
    #expect(try store.files() == 1)
  }

  @Test func `PG-17 batches write, replace and delete files`() throws {
    try context.batchInsert(Picture.self, [4, 5] as [UInt8]) { number, row in
      row.set(\.title, to: "\(number)")
      row.set(\.image, to: picture(number))
    }
    #expect(try store.files() == 5)
    #expect(try store.images()["5"] == picture(5))
    try context.batchUpdate(Picture.self, where: .greater("title", "4")) {
      $0.set(\.image, to: picture(7))
    }
    #expect(try store.files() == 5)
    #expect(try store.images()["4"] == picture(4))
    #expect(try store.images()["5"] == picture(7))
    try context.batchUpdate(Picture.self, where: .equal("title", "5")) { $0.set(\.image, to: nil) }
    try context.batchDelete(Picture.self, where: .less("title", "b"))
    #expect(try store.files() == 2)
    #expect(try store.images().keys.sorted() == ["b", "c"])
    #expect(try store.findings() == [])
  }

  @Test func `PG-17 a pinned context reads the images of its moment`() throws {
    let view = try ManagedObjectContext(
      pinning: store.coordinator, limits: PinnedViewLimits(age: .seconds(86_400)))
    try find("a").image = picture(9)
    try context.delete(try find("b"))
    try context.save()
    #expect(try store.files() == 4)
    #expect(try find("a", in: view).image == picture(1))
    #expect(try find("b", in: view).image == picture(2))
    #expect(try find("a", in: store.context()).image == picture(9))
  }

  @Test func `PG-17 a child context saves images through its parent`() throws {
    let child = ManagedObjectContext(parent: context)
    try find("a", in: child).image = picture(9)
    try child.save()
    #expect(try store.images()["a"] == picture(1))
    try context.save()
    #expect(try store.images()["a"] == picture(9))
    #expect(try store.files() == 3)
  }

  @Test func `PG-17 fetches of rows bring images, and refuse to compare them`() throws {
    let rows = try context.fetchRows(
      RowRequest("Picture", ["title", "image"], sortedBy: [.ascending("title")]))
    #expect(
      try rows.map { try $0.value("image", as: Data.self) } == [picture(1), picture(2), picture(3)])
    let error = #expect(throws: PersistenceError.self) {
      try context.fetch(Picture.self, where: try FetchPredicate(format: "image == %@", picture(1)))
    }
    #expect(error?.code == .invalidPredicate)
    #expect(
      try context.fetch(Picture.self, where: try FetchPredicate(format: "image == nil")).isEmpty)
  }

  @Test func `PG-17 with a rollback journal an image is there as well`() throws {
    let store = try PictureStore(usesWriteAheadLog: false)
    let context = store.context()
    let picture = try context.insert(Picture.self)
    picture.image = OxbowContextTests.picture(1)
    try context.save()
    picture.image = OxbowContextTests.picture(2)
    try context.save()
    #expect(try store.images() == ["": OxbowContextTests.picture(2)])
    #expect(try store.files() == 1)
  }

  @Test(arguments: [
    MergePolicy.mergeByProperty, .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump,
    .overwrite, .rollback,
  ])
  func `PG-17 a policy merges an image of others with a title of mine`(
    _ policy: MergePolicy
  ) throws {
    let other = store.context()
    let mine = try find("a")
    try find("a", in: other).image = picture(9)
    mine.title = "A"
    try other.save()
    context.mergePolicy = policy
    try context.save()
    switch policy {
    case .overwrite: #expect(try store.images()["A"] == picture(1))
    case .rollback: #expect(try store.images()["a"] == picture(9))
    default: #expect(try store.images()["A"] == picture(9))
    }
    #expect(try store.images()[mine.title] == mine.image)
    #expect(try store.files() == 3)
    #expect(try store.findings() == [])
  }

  @Test func `PG-17 refreshing takes an image over, and keeps one that was edited`() throws {
    let other = store.context()
    let a = try find("a")
    a.title = "A"
    try find("a", in: other).image = picture(9)
    try other.save()
    try context.refresh(a, mergingChanges: true)
    #expect(a.image == picture(9) && a.title == "A")
    a.image = picture(8)
    try context.refresh(a)
    #expect(a.image == picture(9) && a.title == "a")
    try context.save()
    #expect(try store.files() == 3)
  }

  @Test func `PG-17 copies and JSON have images, and what looks like a reference`() throws {
    let lookalike = Data("oxbow-file:3F2504E0-4F89-41D3-9A0C-0305E82C3301:0000000005".utf8)
    let gallery = try context.fetch(Gallery.self)[0]
    let copy = try context.copy(of: gallery)
    try find("c").image = lookalike
    try context.save()
    #expect(try store.files() == 6)
    let other = try PictureStore()
    let target = other.context()
    try target.importJSON(try context.json(of: [gallery], depth: 3), as: "Gallery")
    try target.save()
    #expect(try other.images().values.contains(lookalike))
    #expect(try other.files() == 3)
    try context.delete(copy)
    try context.save()
    #expect(try store.files() == 3)
    #expect(try store.findings() == [])
  }

  @Test(arguments: [
    MergePolicy.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
  ])
  func `PG-17 an insert that meets its unique value leaves one image`(
    _ policy: MergePolicy
  ) throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        "Item",
        attributes: [
          AttributeDescription("code", .string, isOptional: true),
          AttributeDescription(
            "image", .binaryData, isOptional: true, allowsExternalStorage: true),
        ], uniquenessConstraints: [["code"]])
    ])
    let file = try ExternalFile(model)
    for number in 1...2 as ClosedRange<UInt8> {
      let context = file.context()
      context.mergePolicy = policy
      let item = try context.insert(entityNamed: "Item")
      try item.setValue("x", for: "code")
      try item.setValue(picture(number), for: "image")
      try context.save()
    }
    let found = try file.context().fetch(FetchRequest(entityNamed: "Item"))
    let isMine = policy == .mergeByPropertyObjectTrump || policy == .overwrite
    #expect(try found.map { try $0.value("image", as: Data.self) } == [picture(isMine ? 2 : 1)])
    #expect(try file.count() == 1)
  }

  @Test(arguments: [true, false])
  func `PG-17 parts of composites and attributes of subentities are in files`(
    _ usesWriteAheadLog: Bool
  ) throws {
    func external(_ name: String) -> AttributeDescription {
      AttributeDescription(name, .binaryData, isOptional: true, allowsExternalStorage: true)
    }
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        "Base",
        attributes: [
          external("image"),
          AttributeDescription(
            composite: "pair", of: "Pair", isOptional: true,
            elements: [
              external("left"), AttributeDescription("number", .integer64, isOptional: true),
            ]),
        ]),
      EntityDescription("Sub", parent: "Base", attributes: [external("extra")]),
    ])
    let file = try ExternalFile(model, usesWriteAheadLog: usesWriteAheadLog)
    let context = file.context()
    let item = try context.insert(entityNamed: "Sub")
    try item.setValue(picture(1), for: "image")
    try item.setValue(picture(2), for: "extra")
    try item.setComposite(["left": .data(picture(3)), "number": .integer(3)], for: "pair")
    try context.save()
    #expect(try file.count() == 3)
    let other = file.context()
    let found = try #require(try other.fetch(FetchRequest(entityNamed: "Base")).first)
    #expect(try found.value("image", as: Data.self) == picture(1))
    #expect(try found.value("extra", as: Data.self) == picture(2))
    #expect(try found.composite("pair") == ["left": .data(picture(3)), "number": .integer(3)])
    try found.setComposite(["left": .data(picture(4))], for: "pair")
    try other.save()
    #expect(try file.count() == 3)
    try other.batchDelete(FetchRequest(entityNamed: "Base"))
    #expect(try file.count() == 0)
  }
}

/// A store of any model whose values of more than 1000 bytes are in files.
private struct ExternalFile {
  private let folder: TemporaryFolder
  private let coordinator: PersistentStoreCoordinator

  init(_ model: ManagedObjectModel, usesWriteAheadLog: Bool = true) throws {
    folder = try TemporaryFolder()
    coordinator = try PersistentStoreCoordinator(
      CompiledModel(model, classes: []), at: .file(folder.file("store.sqlite")),
      options: SQLiteStoreOptions(
        usesWriteAheadLog: usesWriteAheadLog, externalStorageThreshold: 1000))
  }

  func context() -> ManagedObjectContext { ManagedObjectContext(coordinator: coordinator) }

  /// The number of files, once those that are not needed are gone; the check finds nothing.
  func count() throws -> Int {
    let file = SQLiteStoreFile(folder.file("store.sqlite"))
    try file.compact()
    #expect(try file.check() == [])
    return try FileManager.default.contentsOfDirectory(atPath: file.path + "-files")
      .filter { $0 != "incoming" }.count
  }
}
