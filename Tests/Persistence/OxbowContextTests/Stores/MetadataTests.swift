import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore
import OxbowTestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Values of a program's own that are kept with a store.
@Suite struct MetadataTests {
  private enum Mode: String, AttributeConvertible { case fast, safe }

  private let folder: TemporaryFolder
  private let path: String
  private let coordinator: PersistentStoreCoordinator

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("store.sqlite")
    coordinator = try Self.open(path)
  }

  private static var types: [any ModelObject.Type] {
    [Author.self, Book.self, Novel.self, Tag.self]
  }

  private static func open(_ path: String) throws -> PersistentStoreCoordinator {
    try PersistentStoreCoordinator(
      CompiledModel(ManagedObjectModel(types: types), classes: types), at: .file(path))
  }

  private func context() -> ManagedObjectContext { ManagedObjectContext(coordinator: coordinator) }

  /// Keeps a value, opens the store again, and compares.
  private func expectKept<T: AttributeConvertible & Equatable>(_ value: T) throws {
    try coordinator.setMetadata(value, for: "value")
    let other = try Self.open(path)
    #expect(try other.metadata("value", as: T.self) == value)
    other.close()
  }

  @Test func `values of every type are kept with the store (PS-17)`() throws {
    try expectKept("söme\u{0} text")
    try expectKept(Int64.min)
    try expectKept(Int16(-3))
    try expectKept(-0.1)
    try expectKept(true)
    try expectKept(Date(timeIntervalSinceReferenceDate: 1.5))
    try expectKept(try #require(Decimal(string: "12345678901234567890.12345")))
    try expectKept(Data([0, 255]))
    try expectKept(UUID())
    try expectKept(try #require(URL(string: "https://example.org/?q=1")))
    try expectKept(Mode.safe)
  }

  @Test func `a context keeps values with its save, or not at all (PS-17)`() throws {
    let context = context()
    try context.setMetadata("yesterday", for: "lastSync")
    #expect(context.hasChanges)
    #expect(try context.metadata("lastSync") == "yesterday")
    #expect(try coordinator.metadata("lastSync", as: String.self) == nil)
    try context.save()
    #expect(!context.hasChanges)
    #expect(try coordinator.metadata("lastSync") == "yesterday")

    let (mine, theirs) = (self.context(), self.context())
    _ = try mine.insert(Tag.self) { $0.name = "a" }
    try mine.save()
    let tag = try #require(try theirs.fetch(Tag.self).first)
    try mine.fetch(Tag.self)[0].name = "b"
    try mine.save()
    tag.name = "c"
    try theirs.setMetadata("today", for: "lastSync")
    #expect(throws: PersistenceError.self) { try theirs.save() }
    #expect(try coordinator.metadata("lastSync") == "yesterday")
    theirs.mergePolicy = .overwrite
    try theirs.save()
    #expect(try coordinator.metadata("lastSync") == "today")
  }

  @Test func `a rollback takes values back, and nil removes them (PS-17)`() throws {
    try coordinator.setMetadata(1, for: "one")
    try coordinator.setMetadata(2, for: "two")
    let context = context()
    try context.setMetadata(nil, for: "one")
    try context.setMetadata(3, for: "two")
    #expect(try context.metadata("one", as: Int.self) == nil)
    try context.rollback()
    #expect(!context.hasChanges)
    #expect(try context.metadata("one") == 1 && context.metadata("two") == 2)
    try context.setMetadata(nil, for: "one")
    try context.save()
    #expect(try coordinator.metadataKeys() == ["two"])
  }

  @Test func `a child gives its values to its parent (PS-17, PG-10)`() throws {
    let parent = context()
    let child = ManagedObjectContext(parent: parent)
    #expect(try child.metadata("draft", as: Int.self) == nil)
    try child.setMetadata(1, for: "draft")
    #expect(try parent.metadata("draft", as: Int.self) == nil)
    try child.save()
    #expect(try parent.metadata("draft") == 1)
    #expect(parent.hasChanges)
    #expect(try child.metadata("draft") == 1)
    try parent.save()
    #expect(try coordinator.metadata("draft") == 1)
  }

  @Test func `a pinned view has the values of its moment (PS-17, PS-12)`() throws {
    try coordinator.setMetadata(1, for: "count")
    let view = try ManagedObjectContext(pinning: coordinator)
    try coordinator.setMetadata(2, for: "count")
    #expect(try view.metadata("count") == 1)
  }

  @Test func `a file tells its values without its model (PS-17)`() throws {
    try coordinator.setMetadata("Lem", for: "owner")
    let digest = try SQLiteStoreFile(path).digest()
    #expect(digest.identifier == coordinator.storeIdentifier)
    #expect(digest.metadataKeys == ["owner"])
    #expect(try digest.metadata("owner") == "Lem")
    #expect(try digest.metadata("other", as: String.self) == nil)
    #expect(digest.entityHashes.keys.sorted() == ["Author", "Book", "Novel", "Tag"])
    #expect(digest.modelHash == ManagedObjectModel(types: Self.types).versionHash)
    #expect(digest.databaseBytes > 0 && digest.layoutVersion > 0)
    let error = #expect(throws: PersistenceError.self) {
      try digest.metadata("owner", as: Date.self)
    }
    #expect(error?.code == .invalidStoredValue)
    let missing = #expect(throws: PersistenceError.self) {
      try SQLiteStoreFile(folder.file("nothing")).digest()
    }
    #expect(missing?.code == .storeUnreachable)
  }

  @Test func `what cannot be kept is refused, and a value of another type is named (PS-17)`()
    throws
  {
    for (value, key) in [(Double.nan as any AttributeConvertible, "x"), (1, "")] {
      let error = #expect(throws: PersistenceError.self) {
        try coordinator.setMetadata(value, for: key)
      }
      #expect(error?.code == .validation)
    }
    try coordinator.setMetadata("text", for: "x")
    let error = #expect(throws: PersistenceError.self) {
      try coordinator.metadata("x", as: Date.self)
    }
    #expect(error?.code == .invalidStoredValue)
    #expect(error?.message.contains("as 'x' is TEXT") == true)
    try coordinator.setMetadata("none", for: "mode")
    #expect(throws: PersistenceError.self) { try coordinator.metadata("mode", as: Mode.self) }
  }

  /// What a value is as each type, by a description; `-` for an error.
  private func answers(_ read: (any AttributeConvertible.Type) throws -> Any?) -> [String] {
    let types: [any AttributeConvertible.Type] = [
      Int.self, Int16.self, Bool.self, Double.self, Float.self, Date.self, String.self,
      Decimal.self, URL.self, Data.self, UUID.self, Mode.self,
    ]
    return types.map { type in
      do { return "\(type): \(try read(type).map { "\($0)" } ?? "nil")" } catch {
        return "\(type): \((error as? PersistenceError)?.message ?? "\(error)")"
      }
    }
  }

  private static let anyValues: [any AttributeConvertible] = [
    0, 1, 7, Int(Int32.max), true, 1.0, 2.5, -1e300, Float(0.1),
    Date(timeIntervalSinceReferenceDate: 1), Date(timeIntervalSinceReferenceDate: 0.5), "text",
    "1.50", "safe", "https://example.org", Decimal(3) / 8, Data(repeating: 65, count: 16), Data(),
    UUID(), Mode.safe,
  ]

  @Test(arguments: anyValues.indices)
  func `a value is the same as every type before its save and after it (PS-17)`(
    _ index: Int
  ) throws {
    let context = context()
    let child = ManagedObjectContext(parent: context)
    let grandchild = ManagedObjectContext(parent: child)
    try grandchild.setMetadata(Self.anyValues[index], for: "x")
    let draft = answers { try grandchild.metadata("x", as: $0) }
    #expect(draft.contains { !$0.contains("asked for") })
    try grandchild.save()
    #expect(answers { try grandchild.metadata("x", as: $0) } == draft)
    #expect(answers { try child.metadata("x", as: $0) } == draft)
    try child.save()
    #expect(answers { try context.metadata("x", as: $0) } == draft)
    try context.save()
    #expect(answers { try context.metadata("x", as: $0) } == draft)
    #expect(answers { try grandchild.metadata("x", as: $0) } == draft)
    #expect(answers { try coordinator.metadata("x", as: $0) } == draft)
    let digest = try SQLiteStoreFile(path).digest()
    #expect(answers { try digest.metadata("x", as: $0) } == draft)
  }

  @Test func `a number is read as another numeric type that has it (PS-17)`() throws {
    let context = context()
    try context.setMetadata(1, for: "x")
    #expect(try context.metadata("x", as: Double.self) == 1)
    #expect(try context.metadata("x", as: Bool.self) == true)
    #expect(try context.metadata("x", as: Int16.self) == 1)
    try context.setMetadata(Int(Int16.max) + 1, for: "x")
    let error = #expect(throws: PersistenceError.self) {
      try context.metadata("x", as: Int16.self)
    }
    #expect(error?.code == .invalidStoredValue)
    #expect(error?.message.contains("an INTEGER from -32768 to 32767 was asked for") == true)
  }

  @Test func `a number that is none is refused where it is set (PS-17)`() throws {
    let context = context()
    for value in [Double.nan as any AttributeConvertible, Decimal.nan] {
      let error = #expect(throws: PersistenceError.self) {
        try context.setMetadata(value, for: "x")
      }
      #expect(error?.code == .validation)
    }
    #expect(!context.hasChanges)
  }

  @Test func `several stores keep values in one of them (PS-17)`() throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription("A", attributes: [AttributeDescription("n", .integer64)]),
      EntityDescription("B", attributes: [AttributeDescription("n", .integer64)]),
    ]).with(configurations: ["A": ["A"], "B": ["B"]])
    let coordinator = try PersistentStoreCoordinator(
      CompiledModel(model),
      stores: [
        SQLiteStoreDescription(.file(folder.file("A.sqlite")), configuration: "A"),
        SQLiteStoreDescription(.file(folder.file("B.sqlite")), configuration: "B"),
      ])
    let context = ManagedObjectContext(coordinator: coordinator)
    for entity in ["A", "B"] {
      try context.insert(entityNamed: entity).setValue(Int64(1), for: "n")
    }
    try context.setMetadata(1, for: "x")
    try context.save()
    #expect(try coordinator.metadata("x") == 1)
    #expect(try coordinator.metadataKeys() == ["x"])
  }
}
