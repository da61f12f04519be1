import OxbowModel
import OxbowRelational
import OxbowSQLite
import OxbowStore
import Testing

@Suite struct StoreInspectionTests {
  let scratch: Scratch
  let model = ManagedObjectModel(entities: [
    EntityDescription("A", attributes: [AttributeDescription("x", .string)]),
    EntityDescription("B", parent: "A"),
  ])

  init() throws { scratch = try Scratch() }

  @Test func `a store with a log is read without a trace`() throws {
    try PersistentStoreCoordinator(CompiledModel(model), at: .file(scratch.file())).close()
    let files = try scratch.files()
    let store = try StoreInspection(path: scratch.file())
    #expect(try scratch.files() == files)
    #expect(store.journalMode == "wal")
    #expect(store.state.modelHash == model.versionHash)
    #expect(store.entityRows == ["A": 0, "B": 0])
    #expect(store.tables.map(\.name) == ["A"])
    #expect(store.holders.isEmpty)
    #expect(store.pageCount > 0)
  }

  @Test func `a store in use is read with its log, and its users are named`() throws {
    let coordinator = try PersistentStoreCoordinator(
      CompiledModel(model), at: .file(scratch.file()))
    let store = try StoreInspection(path: scratch.file())
    #expect(store.holders.count == 1)
    #expect(store.state.model != nil)
    coordinator.close()
  }

  @Test func `what is not a store is named`() throws {
    let none = #expect(throws: PersistenceError.self) {
      try StoreInspection(path: scratch.file("none"))
    }
    #expect(none?.code == .storeUnreachable)
    let text = try scratch.write("no database at all", to: "text")
    let other = #expect(throws: PersistenceError.self) { try StoreInspection(path: text) }
    #expect(other?.code == .notAStore)
    let folder = #expect(throws: PersistenceError.self) { try StoreInspection(path: scratch.path) }
    #expect(folder?.message.hasSuffix("cannot be opened: it is a directory") == true)
  }
}
