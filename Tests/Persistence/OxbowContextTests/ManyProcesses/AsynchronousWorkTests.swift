import Foundation
import OxbowContext
import OxbowModel
import OxbowPlatform
import OxbowStore
import OxbowTestSupport
import Testing

@testable import OxbowSQLite

/// Units of work of asynchronous callers, on the threads of their coordinator.
@Suite(.timeLimit(.minutes(30))) struct AsynchronousWorkTests {
  private let folder: TemporaryFolder
  private let store: SQLiteStore
  private let coordinator: PersistentStoreCoordinator

  init() throws {
    folder = try TemporaryFolder()
    let types: [any ModelObject.Type] = [Author.self, Book.self, Novel.self, Tag.self]
    store = try SQLiteStore(
      CompiledModel(ManagedObjectModel(types: types), classes: types),
      at: .file(folder.path + "/store.sqlite"),
      // On a busy machine it may take long until a test sees who waits.
      options: SQLiteStoreOptions(busyMilliseconds: 1_000_000))
    coordinator = PersistentStoreCoordinator(store: store)
  }

  private func context() -> ManagedObjectContext { ManagedObjectContext(coordinator: coordinator) }

  private func insert(_ pages: Int32) throws -> ManagedObjectID {
    let context = context()
    let book = try book(pages, in: context)
    try context.save()
    return book.objectID
  }

  private func book(_ pages: Int32, in context: ManagedObjectContext) throws -> Book {
    try context.insert(Book.self) { ($0.title, $0.pages) = ("title", pages) }
  }

  /// Lets tasks save while the writer is held, until all of them wait for it.
  ///
  /// `meanwhile` runs while they wait.
  private func saveTogether(
    _ count: Int32, meanwhile: () async throws -> Void = {}
  ) async throws {
    let isHeld = Monitor<Bool?>(nil)
    let holder = ThreadRunner { [store] in
      try? store.database.write { _ in
        isHeld.update { $0 = true }
        isHeld.wait { $0 == false ? .some(()) : nil }
      }
    }
    isHeld.wait { $0 == true ? .some(()) : nil }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<count {
        group.addTask { try await coordinator.unitOfWork { _ = try insert(number) } }
      }
      // Other tasks go on: this one needs a thread of the runtime.
      do {
        defer { isHeld.update { $0 = false } }
        try await wait { store.waitingSaves == Int(count) }
        try await meanwhile()
      }
      try await group.waitForAll()
    }
    holder.join()
  }

  @Test func `saves of tasks that wait for the writer share a commit (PS-04, PS-06)`() async throws
  {
    // The keys are reserved before, because that is a write too.
    _ = try insert(-1)
    let before = coordinator.statistics
    try await saveTogether(16)
    let after = coordinator.statistics
    #expect(after.saves - before.saves == 16)
    #expect(after.commits - before.commits == 1)
    #expect(try context().count(Book.self) == 17)
  }

  @Test func `tasks read while more saves wait for the writer than there are threads (PS-06)`()
    async throws
  {
    _ = try insert(-1)
    let threads = SQLiteStoreOptions().workThreads
    try await saveTogether(Int32(2 * threads)) {
      let count = try await coordinator.unitOfWork { try context().count(Book.self) }
      #expect(count == 1)
    }
    #expect(try context().count(Book.self) == 2 * threads + 1)
  }

  // MARK: Cancelling

  /// A condition that takes for ever to find out.
  private static let endless = FetchPredicate.sql(
    """
    EXISTS (WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c)
    SELECT 1 FROM c WHERE n < 0)
    """)

  /// Begins a unit of work, cancels its task when it calls the function that it gets or, without a
  /// call, reads for ever, and returns how it ended.
  private func cancelled<R: Sendable>(
    whileReading: Bool = false,
    _ body: @escaping @Sendable (_ waitForCancellation: () -> Void) throws -> R
  ) async -> Result<R, any Error> {
    let cancellation = Lock<ReadCancellation?>(nil)
    let isReady = Lock(false)
    let task = Task {
      try await coordinator.unitOfWork {
        cancellation.withLock { $0 = ReadCancellation.current }
        return try body {
          isReady.withLock { $0 = true }
          while !Task.isCancelled { sched_yield() }
        }
      }
    }
    let canceller = ThreadRunner {
      while !isReady.withLock({ $0 }),
        !whileReading || cancellation.withLock({ $0?.isReading }) != true
      { sched_yield() }
      task.cancel()
    }
    defer { canceller.join() }
    return await task.result
  }

  private func code(_ result: Result<some Any, any Error>) -> PersistenceError.Code? {
    guard case .failure(let error) = result else { return nil }
    return (error as? PersistenceError)?.code
  }

  @Test func `work of a task that was cancelled before does not begin (PS-04)`() async throws {
    let hasBegun = Lock(false)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await coordinator.unitOfWork { hasBegun.withLock { $0 = true } }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(hasBegun.withLock { $0 } == false)
  }

  @Test(arguments: ["objects", "count", "values", "SQL"])
  func `cancelling stops the statement that reads, of every kind (PS-04)`(
    _ kind: String
  ) async throws {
    _ = try insert(1)
    let result = await cancelled(whileReading: true) { _ in
      let context = context()
      switch kind {
      case "objects": return try context.fetch(Book.self, where: Self.endless).count
      case "count": return try context.count(Book.self, where: Self.endless)
      case "values":
        return try context.fetchRows(RowRequest("Book", ["pages"], where: Self.endless)).count
      default:
        let sql: SQLText = """
          SELECT count(*) FROM \(Book.self) WHERE EXISTS (WITH RECURSIVE c(n) AS (SELECT 1 UNION \
          ALL SELECT n + 1 FROM c) SELECT 1 FROM c WHERE n < 0)
          """
        return try context.fetchRows(sql: sql).count
      }
    }
    #expect(code(result) == .cancelled)
    // The reader that was stopped serves others.
    #expect(try context().count(Book.self) == 1)
  }

  @Test func `a getter that reads for a cancelled task fails, and nothing is saved (PS-04)`()
    async throws
  {
    let id = try insert(1)
    let result = await cancelled { waitForCancellation in
      let context = context()
      let found = try #require(context.object(with: id) as? Book)
      waitForCancellation()
      let pages = found.pages
      _ = try book(pages, in: context)
      try context.save()
    }
    #expect(code(result) == .cancelled)
    #expect(try context().count(Book.self) == 1)
  }

  @Test func `a save is not stopped, nor what is read after it (PS-04)`() async throws {
    let id = try insert(1)
    let result = await cancelled { waitForCancellation in
      let context = context()
      let found = try context.existingObject(with: id, as: Book.self)
      waitForCancellation()
      found.pages = 2
      try context.save()
      return try context.count(Book.self, where: .equal("pages", 2))
    }
    #expect(try result.get() == 1)
  }

  @Test func `a save that fails is no reason to read on (PS-04)`() async throws {
    let id = try insert(1)
    let result = await cancelled { waitForCancellation in
      let context = context()
      let found = try context.existingObject(with: id, as: Book.self)
      waitForCancellation()
      let other = ManagedObjectContext(coordinator: coordinator)
      try ReadCancellation.$current.withValue(nil) {
        try other.existingObject(with: id, as: Book.self).pages = 3
        try other.save()
      }
      found.pages = 2
      let error = #expect(throws: PersistenceError.self) { try context.save() }
      #expect(error?.code == .conflict)
      return try context.count(Book.self)
    }
    #expect(code(result) == .cancelled)
  }
}
