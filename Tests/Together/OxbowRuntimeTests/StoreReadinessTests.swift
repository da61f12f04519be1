import Foundation
import OxbowRuntime
import OxbowTestSupport
import Testing

/// A store in a container that runs: migrated when it is its turn, and in the tree of health.
@Suite(.timeLimit(.minutes(30))) struct StoreReadinessTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("memos.sqlite")
  }

  /// Makes a store of memos without texts.
  private func makeOld() throws {
    let old = ManagedObjectModel(entities: [EntityDescription("Memo")])
    try PersistentContainer(.file(path), model: old).close()
  }

  /// A container whose service counts memos, and where it writes what it finds.
  private func container(
    _ migrations: StoreMigrations
  ) throws -> (Container, AsyncStream<String>) {
    let (news, tell) = AsyncStream.makeStream(of: String.self)
    let builder = ContainerBuilder()
    let context = builder.persistentStore(
      at: .file(path), types: [Memo.self], migrations: migrations)
    builder.singleton(
      named: "clerk",
      { [path] context in
        tell.yield(FileManager.default.fileExists(atPath: path) ? "made late" : "made")
        return Clerk(context: context, tell: tell)
      }, context)
    return (try builder.build(), news)
  }

  private func run(_ container: Container, _ body: () async throws -> Void) async throws {
    let run = Task { try await container.run() }
    do { try await body() } catch {
      run.cancel()
      _ = await run.result
      throw error
    }
    run.cancel()
    try await run.value
  }

  @Test func `a new store is opened before what needs it starts, and closed at the end`()
    async throws
  {
    let (container, news) = try container(StoreMigrations(.never))
    let coordinator = Lent()
    try await run(container) {
      var lines = news.makeAsyncIterator()
      #expect(await lines.next() == "made")
      #expect(await lines.next() == "0 memos")
      coordinator.set(try container.object("coordinator"))
    }
    let error = await #expect(throws: PersistenceError.self) {
      try await coordinator.get()?.ready()
    }
    #expect(error?.code == .storeClosed)
  }

  @Test func `an older store is migrated before what needs it starts`() async throws {
    try makeOld()
    let (container, news) = try container(StoreMigrations(.automatic))
    try await run(container) {
      var lines = news.makeAsyncIterator()
      #expect(await lines.next() == "made late")
      #expect(await lines.next() == "0 memos")
    }
  }

  @Test func `a store that is not migrated keeps from starting what needs it`() async throws {
    try makeOld()
    let (container, news) = try container(StoreMigrations(.requireUpToDate))
    let error = await #expect(throws: ContainerError.self) { try await container.run() }
    #expect(error?.problems.map(\.code) == [.serviceNotReady, .constructionFailed])
    #expect(error?.problems.first?.message == "service \"coordinator\" could not be started")
    #expect(
      error?.problems.first?.requestedBy
        == ["\"clerk\"", "\"context\"", "\"threadContext\"", "\"coordinator\""])
    #expect(error?.problems.last?.seen.contains("has not had a step yet; run: oxbowctl") == true)
    var lines = news.makeAsyncIterator()
    #expect(await lines.next() == "made late")
  }

  @Test func `a service whose read was stopped with it has obeyed`() async throws {
    let (news, tell) = AsyncStream.makeStream(of: String.self)
    let builder = ContainerBuilder()
    builder.singleton(named: "reader", { Reader(tell: tell) })
    try await run(builder.build()) {
      var lines = news.makeAsyncIterator()
      #expect(await lines.next() == "reads")
    }
  }

  @Test func `what ends with a run saves with its injected context`() async throws {
    let (news, tell) = AsyncStream.makeStream(of: String.self)
    let builder = ContainerBuilder()
    let context = builder.persistentStore(at: .file(path), types: [Memo.self])
    builder.singleton(named: "last", { LastWord(context: $0, tell: tell) }, context)
    try await Mark.$word.withValue("of the caller") {
      try await run(builder.build()) {
        var lines = news.makeAsyncIterator()
        #expect(await lines.next() == "runs")
      }
    }
    let store = try PersistentContainer(.file(path), types: [Memo.self])
    #expect(
      try await store.perform { try $0.fetch(Memo.self).map(\.text) } == [
        "the last word of the caller"
      ])
  }

  @Test func `what a task shuts down saves with its injected context, and leaves no context`()
    async throws
  {
    let builder = ContainerBuilder()
    let context = builder.persistentStore(at: .file(path), types: [Memo.self])
    let (_, tell) = AsyncStream.makeStream(of: String.self)
    builder.singleton(
      named: "last", traits: .eager, { LastWord(context: $0, tell: tell) }, context)
    let container = try builder.build()
    // What is not built by then is not built any more.
    _ = try container.object("coordinator", as: PersistentStoreCoordinator.self)
    try container.shutDown()
    let store = try PersistentContainer(.file(path), types: [Memo.self])
    #expect(try await store.perform { try $0.count(Memo.self) } == 1)
    let error = #expect(throws: PersistenceError.self) { try store.contexts.count(Memo.self) }
    #expect(error?.code == .insideTask)
  }

  @Test func `a store reports its file, its sizes and pending migrations`() async throws {
    let (container, news) = try container(StoreMigrations(.automatic))
    #expect(await container.health().health.status == .down)
    try await run(container) {
      var lines = news.makeAsyncIterator()
      while await lines.next() != "0 memos" {}
      let clerk = await container.health().children.first
      #expect(clerk?.name == "clerk")
      let store = try #require(clerk?.children.first)
      #expect(store.name == "coordinator")
      #expect(store.health.status == .up)
      #expect(store.health.details["writable"] == "yes")
      #expect(store.health.details["pending migrations of \(path)"] == "0")
      #expect(store.health.details["log bytes"].flatMap { Int($0) } != nil)
      #expect(store.health.details["file"].map { $0.hasSuffix("memos.sqlite") } == true)
      try FileManager.default.removeItem(atPath: path)
      let gone = await container.health()
      #expect(gone.health.status == .down)
      let text = gone.children.first?.children.first?.health.text
      #expect(text?.contains("memos.sqlite' was removed while the store was open") == true)
    }
  }

  @Test func `steps that a folder gets while the store is open are reported`() async throws {
    try folder.write("", to: "M/.keep")
    let steps = try MigrationSequence(folder: folder.file("M"))
    _ = try steps.addModelStep(named: "first", to: notesModel)
    let store = try PersistentContainer(
      .file(path), model: notesModel,
      migrations: StoreMigrations(.automatic, folder: folder.file("M")))
    #expect(await store.health().status == .up)
    try await store.ready()
    var other = notesModel
    other = ManagedObjectModel(entities: other.entities + [EntityDescription("Label")])
    _ = try MigrationSequence(folder: folder.file("M")).addModelStep(named: "labels", to: other)
    let health = await store.health()
    #expect(health.status == .degraded)
    #expect(health.details["pending migrations of \(path)"] == "1")
    #expect(health.text?.hasPrefix("not applied to '\(path)': ") == true)
    // The next release is being copied.
    try folder.write("", to: "M/oxbow.sum")
    let unread = await store.health()
    #expect(unread.status == .degraded)
    #expect(
      unread.text?.hasPrefix("the migrations of '\(path)' cannot be read: ") == true)
    store.close()
    #expect(await store.health().status == .down)
    let error = await #expect(throws: PersistenceError.self) { try await store.ready() }
    #expect(error?.code == .storeClosed)
  }

  @Test func `stores in memory, several stores and stores that are read report, too`()
    async throws
  {
    try makeOld()
    let old = ManagedObjectModel(entities: [EntityDescription("Memo")])
    var options = SQLiteStoreOptions()
    options.isReadOnly = true
    let read = try PersistentContainer(.file(path), model: old, options: options)
    #expect(await read.health().details["writable"] == "no, opened for reading")
    let memory = try PersistentContainer(.inMemory, types: [Memo.self])
    #expect(await memory.health().status == .up)
    let builder = ContainerBuilder()
    builder.persistentStore(
      stores: [.init(.inMemory, configuration: "Notes"), .init(.temporary)],
      types: [Memo.self, Place.self], configurations: ["Notes": ["Memo"]])
    let container = try builder.build()
    let coordinator = try container.object("coordinator", as: PersistentStoreCoordinator.self)
    let health = await coordinator.health()
    #expect(health.status == .up)
    #expect(health.details.keys.filter { $0.hasPrefix("writable of ") }.count == 2)
  }
}

/// What counts memos when it starts.
private struct Clerk: RunningObject {
  let context: any ObjectContext & Sendable
  let tell: AsyncStream<String>.Continuation

  func run() async throws {
    try await context.withTaskContext { try count() }
    let (never, _) = AsyncStream.makeStream(of: Never.self)
    for await _ in never {}
  }

  private func count() throws { tell.yield("\(try context.count(Memo.self)) memos") }
}

/// What saves when it ends.
private final class LastWord: RunningObject, Disposable {
  let context: any ObjectContext & Sendable
  let tell: AsyncStream<String>.Continuation

  init(context: any ObjectContext & Sendable, tell: AsyncStream<String>.Continuation) {
    (self.context, self.tell) = (context, tell)
  }

  func run() async throws {
    tell.yield("runs")
    let (never, _) = AsyncStream.makeStream(of: Never.self)
    for await _ in never {}
  }

  func dispose() throws {
    try context.insert(Memo.self) { $0.text = "the last word \(Mark.word)" }
    try context.save()
  }
}

private enum Mark {
  @TaskLocal static var word = "of no one"
}

/// What reads until it is stopped, as a store says it.
private struct Reader: RunningObject {
  let tell: AsyncStream<String>.Continuation

  func run() async throws {
    tell.yield("reads")
    let (never, _) = AsyncStream.makeStream(of: Never.self)
    for await _ in never {}
    throw PersistenceError(.cancelled, "the read was stopped")
  }
}

/// A coordinator that outlives its container.
private final class Lent: @unchecked Sendable {
  // Guarded by `lock`.
  private let lock = NSLock()
  private var coordinator: PersistentStoreCoordinator?

  func set(_ coordinator: PersistentStoreCoordinator) {
    lock.withLock { self.coordinator = coordinator }
  }

  func get() -> PersistentStoreCoordinator? { lock.withLock { coordinator } }
}
