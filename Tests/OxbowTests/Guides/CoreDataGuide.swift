import Foundation
import Oxbow
import OxbowTestSupport
import Testing

// The code of docs/guide/coming-from-core-data.md.

/// The entities of the guide, and what it does with them.
enum CoreDataGuide {
  @Entity final class Folder: ManagedObject {
    var name: String = ""
    @Relationship(inverse: \.folder) var postcards: [Postcard] = []
  }

  @Entity final class Postcard: ManagedObject {
    var text: String = ""
    var written: Date?
    @Relationship(inverse: \.postcards) var folder: Folder?
  }

  static func add(at path: String) throws -> (store: PersistentContainer, count: Int) {
    let store = try PersistentContainer(.file(path), types: [Postcard.self, Folder.self])
    let count = try store.perform { context in
      try context.insert(Postcard.self) { $0.text = "Dear Ada" }
      try context.save()
      return try context.count(Postcard.self)
    }
    return (store, count)
  }

  static func postcards(with word: String, in context: ManagedObjectContext) throws -> [Postcard] {
    var request = FetchRequest<Postcard>(
      where: try FetchPredicate(format: "text CONTAINS[cd] %@", word))
    request.sortKeys = [.descending(\.written), .ascending(\.folder?.name)]
    request.limit = 20
    request.prefetching = [\.folder]
    let postcards = try context.fetch(request)
    return postcards
  }

  static func edit(_ postcard: Postcard, in context: ManagedObjectContext) throws {
    let draft = ManagedObjectContext(parent: context, name: "draft")
    draft.automaticallyMergesChangesFromParent = true
    draft.mergePolicy = .mergeByPropertyObjectTrump
    let copy = try draft.existingObject(with: postcard.objectID, as: Postcard.self)
    copy.text = "Dear Grace"
    try draft.save()
  }
}

typealias Postcard = CoreDataGuide.Postcard

extension Postcard: AwakeFromInsertHook {
  func awakeFromInsert() { written = Date() }
}

@Suite struct CoreDataGuideTests {
  @Test func `the stack, a request, a hook and a draft of the guide`() throws {
    let folder = try TemporaryFolder()
    let (store, count) = try CoreDataGuide.add(at: folder.file("postcards.sqlite"))
    defer { store.close() }
    #expect(count == 1)
    let context = store.makeContext()
    let postcard = try #require(try CoreDataGuide.postcards(with: "ADA", in: context).first)
    #expect(postcard.written != nil)
    try CoreDataGuide.edit(postcard, in: context)
    #expect(postcard.text == "Dear Grace")
    #expect(try CoreDataGuide.postcards(with: "ada", in: context).isEmpty)
  }
}
