import Foundation
import Oxbow
import OxbowTestSupport
import OxbowTesting
import Testing

// The code of docs/guide/own-stores.md.

/// The stores of the guide.
enum OwnStoresGuide {
  @Entity final class Recipe: ManagedObject {
    var title: String
  }

  final class JSONFile: AtomicStore {
    let name: String

    init(_ path: String) { name = path }

    func load(_ model: ManagedObjectModel) throws -> AtomicStoreContents? {
      guard FileManager.default.fileExists(atPath: name) else { return nil }
      let data = try Data(contentsOf: URL(filePath: name))
      return try JSONDecoder().decode(AtomicStoreContents.self, from: data)
    }

    func save(_ changes: AtomicStoreChanges, contents: () throws -> AtomicStoreContents) throws {
      try JSONEncoder().encode(contents()).write(to: URL(filePath: name), options: .atomic)
    }
  }

  final class RecipeServer: AtomicStore {
    let name = "recipes"
    private let records: Records

    init(_ records: Records) { self.records = records }

    func load(_ model: ManagedObjectModel) throws -> AtomicStoreContents? {
      guard let metadata = records.metadata else { return nil }
      return AtomicStoreContents(metadata: metadata, objects: records.all)
    }

    func save(_ changes: AtomicStoreChanges, contents: () throws -> AtomicStoreContents) throws {
      try records.replace(changes.changed, removing: changes.deleted, with: changes.metadata)
    }
  }

  /// Records elsewhere.
  final class Records: @unchecked Sendable {
    // Sendable by argument: everything is touched under the lock.

    struct Offline: Error {}

    private let lock = NSLock()
    private var records: [AtomicStoreObject.ID: AtomicStoreObject] = [:]
    private var kept: AtomicStoreMetadata?
    private var isOffline = false

    var metadata: AtomicStoreMetadata? { lock.withLock { kept } }
    var all: [AtomicStoreObject] { lock.withLock { Array(records.values) } }

    func goOffline() { lock.withLock { isOffline = true } }

    func replace(
      _ changed: [AtomicStoreObject], removing ids: [AtomicStoreObject.ID],
      with metadata: AtomicStoreMetadata
    ) throws {
      try lock.withLock {
        if isOffline { throw Offline() }
        for id in ids { records[id] = nil }
        for object in changed { records[object.id] = object }
        kept = metadata
      }
    }
  }

  struct JSONFileTests {
    let contract = AtomicStoreContract { folder in JSONFile(folder + "/recipes.json") }

    @Test(arguments: AtomicStoreContract.Case.allCases)
    func `the file keeps the contract`(_ rule: AtomicStoreContract.Case) throws {
      try contract.check(rule)
    }
  }
}

@Suite struct OwnStoresGuideTests {
  typealias Recipe = OwnStoresGuide.Recipe
  typealias JSONFile = OwnStoresGuide.JSONFile

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `PS-01 the file of the guide is opened, saved and opened again`() throws {
    let path = folder.file("recipes.json")
    for count in 1...2 {
      let container = try PersistentContainer(.atomic(JSONFile(path)), types: [Recipe.self])
      defer { container.close() }
      let context = container.makeContext()
      try context.insert(Recipe.self).title = "Soup"
      try context.save()
      #expect(try context.count(Recipe.self) == count)
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8).contains("\"string\":\"Soup\""))
  }

  @Test func `PS-01 the server of the guide takes what has changed, or refuses it`() throws {
    let records = OwnStoresGuide.Records()
    let container = try PersistentContainer(
      .atomic(OwnStoresGuide.RecipeServer(records)), types: [Recipe.self])
    defer { container.close() }
    let context = container.makeContext()
    let soup = try context.insert(Recipe.self)
    soup.title = "Soup"
    try context.save()
    #expect(records.all.map(\.attributes) == [["title": .string("Soup")]])
    records.goOffline()
    soup.title = "Stew"
    var reason: (any Error)?
    do { try context.save() } catch {
      reason = error.underlyingError
    }
    #expect(reason is OwnStoresGuide.Records.Offline)
    #expect(context.hasChanges)
  }
}
