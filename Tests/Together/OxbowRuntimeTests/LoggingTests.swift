import Foundation
import Logging
import OxbowRuntime
import OxbowTestSupport
import Testing

@Suite struct LoggingTests {
  let folder = try? TemporaryFolder()

  private func open(_ logger: LogRecorder, model: ManagedObjectModel = notesModel) throws
    -> PersistentContainer
  {
    let path = try #require(folder).file("notes.sqlite")
    return try PersistentContainer(
      coordinator: PersistentStoreCoordinator(
        CompiledModel(model), at: .file(path),
        options: SQLiteStoreOptions(logger: logger.logger(.notice)),
        migrations: StoreMigrations(.automatic)))
  }

  @Test func `a migration that was applied is logged with its store and its time`() throws {
    let recorder = LogRecorder()
    try open(recorder).close()
    #expect(recorder.all.isEmpty)
    let second = ManagedObjectModel(entities: [
      EntityDescription(
        "Note",
        attributes: [
          AttributeDescription("text", .string),
          AttributeDescription("stars", .integer16, isOptional: true),
        ])
    ])
    try open(recorder, model: second).close()
    let entry = try #require(recorder.all.first)
    #expect(entry.level == .notice)
    #expect(entry.message.hasPrefix("applied migration '"))
    #expect(entry.metadata["store"]?.hasSuffix("notes.sqlite") == true)
    #expect(entry.metadata["seconds"].flatMap { Double($0) } != nil)
  }

  @Test func `a thread that ends with unsaved work is a warning of the store's logger`() throws {
    let recorder = LogRecorder()
    let store = try open(recorder)
    let notes = Notes(context: store.contexts)
    try onThreads(1) { _ in try notes.add("never saved") }
    store.close()
    #expect(recorder.messages(.warning).contains { $0.contains("unsaved") })
  }

  @Test func `a handler for reports goes before the logger`() throws {
    let recorder = LogRecorder()
    let store = try open(recorder)
    let handled = ReportBox()
    store.coordinator.sendReports { handled.add($0) }
    let notes = Notes(context: store.contexts)
    try onThreads(1) { _ in try notes.add("never saved") }
    store.close()
    #expect(!handled.all.isEmpty)
    #expect(recorder.messages(.warning).isEmpty)
  }

  @Test func `shutting a container down closes the store that its factory opened`() throws {
    let path = try #require(folder).file("shut.sqlite")
    let builder = ContainerBuilder()
    let store = builder.singleton(named: "store", factory: StoreCoordinatorFactory.init) {
      $0.set(\.storePath, to: path)
      $0.set(\.model, to: notesModel)
    }
    let container = try builder.build()
    let coordinator = try container.object(store)
    let context = ManagedObjectContext(coordinator: coordinator)
    #expect(try context.count(allNotes()) == 0)
    try container.shutDown()
    let error = #expect(throws: PersistenceError.self) { try context.count(allNotes()) }
    #expect(error?.code == .storeClosed)
  }
}
