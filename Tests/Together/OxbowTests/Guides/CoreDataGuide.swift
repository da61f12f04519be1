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
    var isRead: Bool = false
    @Attribute(nilAs: 0) var weight: Int32
    var stamp: Stamp?
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

  struct Stamp: AttributeConvertible {
    var name: String

    init(name: String) { self.name = name }

    init?(attributeValue: AttributeValue) {
      guard case .data(let bytes) = attributeValue else { return nil }
      name = String(decoding: bytes, as: UTF8.self)
    }

    static var attributeType: AttributeType { .transformable }
    static var attributePlaceholder: Stamp { Stamp(name: "") }
    var attributeValue: AttributeValue { .data(Data(name.utf8)) }
  }

  struct Postcards {
    let context: ManagedObjectContext
    let report: (any Error) -> Void

    var unread: [Postcard] { found { try Postcard.unread(in: context) } }

    private func found(_ fetch: () throws -> [Postcard]) -> [Postcard] {
      do { return try fetch() } catch {
        report(error)
        return []
      }
    }
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
typealias Folder = CoreDataGuide.Folder

extension Postcard: AwakeFromInsertHook {
  func awakeFromInsert() { written = Date() }
}

extension Postcard {
  convenience init(
    _ text: String, in folder: Folder, context: ManagedObjectContext
  ) throws {
    try self.init(context: context)
    self.text = text
    self.folder = folder
  }

  class func unread(in context: ManagedObjectContext) throws -> [Postcard] {
    var request = FetchRequest<Postcard>(where: try FetchPredicate(format: "isRead == NO"))
    request.sortKeys = [.descending(\.written)]
    return try context.fetch(request)
  }
}

protocol MadeByContext {}

extension MadeByContext where Self: ManagedObject {
  init(context: ManagedObjectContext) throws { self = try context.insert(Self.self) }
}

extension ManagedObject: MadeByContext {}

@Suite struct CoreDataGuideTests {
  @Test func `a class that was moved is made, found and kept as before`() throws {
    let store = try PersistentContainer(.temporary, types: [Postcard.self, Folder.self])
    let context = store.makeContext()
    let folder = try Folder(context: context)
    let postcard = try Postcard("Dear Ada", in: folder, context: context)
    #expect(postcard.weight == 0 && folder.postcards == [postcard])
    (postcard.weight, postcard.stamp) = (20, CoreDataGuide.Stamp(name: "Queen"))
    try context.save()
    let other = store.makeContext()
    var errors: [any Error] = []
    let postcards = CoreDataGuide.Postcards(context: other) { errors.append($0) }
    #expect(postcards.unread.map(\.stamp?.name) == ["Queen"])
    #expect(postcards.unread.map(\.weight) == [20])
    store.close()
    #expect(postcards.unread.isEmpty)
    #expect(errors.compactMap { ($0 as? PersistenceError)?.code } == [.storeClosed])
  }

  @Test func `a held object keeps its values when its deletion is merged`() throws {
    let store = try PersistentContainer(.temporary, types: [Postcard.self, Folder.self])
    defer { store.close() }
    let (context, other) = (store.makeContext(), store.makeContext())
    context.automaticallyMergesChangesFromParent = true
    let postcard = try context.insert(Postcard.self) { $0.text = "Dear Ada" }
    try context.save()
    try other.delete(other.existingObject(with: postcard.objectID, as: Postcard.self))
    try other.save()
    try context.load([])
    #expect(postcard.text == "Dear Ada")
    #expect(!postcard.isDeleted && postcard.context == nil)
  }

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
