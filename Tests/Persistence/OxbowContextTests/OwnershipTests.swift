import OxbowContext
import OxbowModel
import OxbowPlatform
import OxbowStore
import Testing

/// PS-05: a context is used by its owner.
@Suite struct OwnershipTests {
  let library: Library

  init() throws { library = try Library() }

  @Test func `a use off the owner is reported, harms nothing, and the owner's next call throws`()
    throws
  {
    // The context of another thread, and an object that leaked from it.
    final class Leak: @unchecked Sendable {
      var context: ManagedObjectContext?
      var book: Book?
    }
    let leak = Leak()
    let reports = Reports()
    let library = self.library
    library.coordinator.sendReports { reports.add($0) }
    let setUp = library.context()
    _ = try library.book("Solaris", in: setUp)
    try setUp.save()

    ThreadRunner {
      let context = library.context("worker 1", owner: .currentThread)
      let id = try? context.fetchIDs(FetchRequest<Book>()).first
      leak.context = context
      leak.book = id.flatMap { try? context.object(with: $0) } as? Book
    }.join()

    let book = try #require(leak.book)
    #expect(book.title == "")
    book.title = "Eden"
    let text = reports.texts.first ?? ""
    #expect(text.contains("Book/p1"))
    #expect(text.contains("'worker 1'"))
    #expect(text.contains("belongs to thread"))
    #expect(text.contains("reading 'title'") || text.contains("on thread"))
    #expect(reports.texts.count == 2)
    let error = #expect(throws: PersistenceError.self) { try leak.context?.save() }
    #expect(error?.code == .wrongOwner)
    #expect(try library.titlesOnDisk() == ["Solaris"])
  }

  @Test func `a context bound to a task is found there, and not in a child task`() async throws {
    let library = self.library
    try await TaskContext.perform({ library.context("task", owner: $0) }) {
      #expect(TaskContext.current?.name == "task")
      async let inherited = TaskContext.current == nil
      #expect(await inherited)
    }
    #expect(TaskContext.current == nil)
  }

  // A task is known by its address, which is used again when it has ended (review S-L6).
  @Test(arguments: [false, true])
  func `a task that inherited a binding gets nothing of it after perform has ended`(fails: Bool)
    async throws
  {
    struct Failure: Error {}
    let library = self.library
    let owner = try #require(ContextOwner.currentTask)
    let gate = AsyncStream<Void>.makeStream()
    let arrival = AsyncStream<Void>.makeStream()
    var heir: Task<(during: Bool, after: Bool), Never>?
    try? await TaskContext.perform({ library.context("task", owner: $0) }) {
      heir = Task {
        let during = TaskContext.context(for: owner) != nil
        arrival.continuation.yield()
        for await _ in gate.stream { break }
        return (during, TaskContext.context(for: owner) != nil)
      }
      for await _ in arrival.stream { break }
      if fails { throw Failure() }
    }
    gate.continuation.yield()
    let found = try #require(await heir?.value)
    #expect(found.during)
    #expect(!found.after)
  }
}

final class Reports: Sendable {
  private let all = Lock<[String]>([])
  var texts: [String] { all.withLock { $0 } }
  func add(_ text: String) { all.withLock { $0.append(text) } }
}
