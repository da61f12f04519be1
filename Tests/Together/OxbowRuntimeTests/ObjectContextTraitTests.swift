import Foundation
import OxbowPlatform
import OxbowRuntime
import OxbowTesting
import Testing

// PS-13: a test finds a prepared store as it was.

/// A store with two notes, and how often it was prepared.
private final class Preparations: Sendable {
  private let state = Lock((count: 0, running: 0, most: 0))

  var count: Int { state.withLock(\.count) }

  /// The most tests that ran at once.
  var most: Int { state.withLock(\.most) }

  func prepare(_ store: PersistentContainer) throws {
    state.withLock { $0.count += 1 }
    try store.perform { context in
      for text in ["first", "second"] {
        try context.insert(entityNamed: "Note").setValue(text, for: "text")
      }
      try context.save()
    }
  }

  func enter() {
    state.withLock { state in
      state.running += 1
      state.most = max(state.most, state.running)
    }
  }

  func leave() { state.withLock { $0.running -= 1 } }
}

private func notes(_ preparations: Preparations, copies: Int = 1) -> ObjectContextTrait {
  .objectContext(copies: copies) {
    try PersistentContainer(.temporary, model: notesModel)
  } prepared: {
    try preparations.prepare($0)
  }
}

private let once = Preparations()
private let inside = Preparations()
private let inCopies = Preparations()

/// The texts that a new context finds.
private func texts() throws -> [String] {
  let notes = Notes(context: try ObjectContextTrait.contexts)
  return try notes.texts()
}

private func expectTexts(_ expected: String...) throws {
  let found = try texts()
  #expect(found == expected)
}

@Suite(notes(once)) struct PreparedStoreSuite {
  @Test(arguments: 0..<40)
  func `each test of a suite finds what was prepared once (PS-13)`(_ number: Int) async throws {
    once.enter()
    defer { once.leave() }
    try expectTexts("first", "second")
    let notes = Notes(context: try ObjectContextTrait.contexts)
    try notes.add("\(number)")
    await Task.yield()
    try notes.save()
    if number % 3 == 0 {
      try await ObjectContextTrait.store.perform { context in
        for note in try context.fetch(allNotes()) { try context.delete(note) }
        try context.save()
      }
    }
    #expect(once.count == 1)
    #expect(once.most == 1)
  }

  @Test func `contexts, threads and tasks of a test see its saves (PS-13)`() async throws {
    let store = try ObjectContextTrait.store
    try onThreads(4) { number in
      let notes = Notes(context: store.contexts)
      try notes.add("thread \(number)")
      try notes.save()
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<4 {
        group.addTask {
          try await store.perform { context in
            try context.insert(entityNamed: "Note").setValue("task \(number)", for: "text")
            try context.save()
          }
        }
      }
      try await group.waitForAll()
    }
    let found = try await store.perform { try $0.count(allNotes()) }
    #expect(found == 10)
    #expect(try texts().count == 10)
  }

  @Test func `undo, children and batches work as ever (PS-13)`() throws {
    let store = try ObjectContextTrait.store
    try store.perform { context in
      context.isUndoEnabled = true
      let note = try context.fetch(allNotes())[0]
      try note.setValue("changed", for: "text")
      try context.save()
      try context.undo()
      try context.save()
      let draft = ManagedObjectContext(parent: context)
      try draft.insert(entityNamed: "Note").setValue("draft", for: "text")
      try draft.save()
      try context.save()
    }
    try expectTexts("draft", "first", "second")
    try store.perform { context in
      let all = FetchRequest<ManagedObject>(entityNamed: "Note")
      _ = try context.batchUpdate(all, [("text", .value(.attribute(.string("same"))))])
      let some = FetchRequest<ManagedObject>(entityNamed: "Note")
      _ = try context.batchDelete(some)
      #expect(try context.count(allNotes()) == 0)
    }
  }

  @Test func `a container around the store is part of the test's transaction (PS-13)`() throws {
    let builder = ContainerBuilder()
    let model = builder.singleton(named: "model", { notesModel })
    let path = try ObjectContextTrait.path
    let coordinator = builder.singleton(named: "coordinator", factory: StoreCoordinatorFactory.init)
    {
      $0.set(\.storePath, to: path)
      $0.set(\.model, model)
      $0.set(\.migrate, to: "automatic")
    }
    let threadContext = builder.prototype(named: "threadContext", factory: ContextFactory.init) {
      $0.set(\.coordinator, coordinator)
    }
    let context = builder.proxy(
      named: "context", .threadLocal, of: threadContext, as: ObjectContextProxy.self)
    let notes = builder.singleton(named: "notes", Notes.init(context:), context)
    let container = try builder.build()
    let repository = try container.object(notes)
    try onThreads(2) { number in
      try repository.add("wired \(number)")
      try repository.save()
    }
    container.close()
    let found = try ObjectContextTrait.store.perform { context in
      try context.fetch(allNotes()).map { try $0.value("text", as: String.self) ?? "" }
    }
    #expect(found == ["first", "second", "wired 0", "wired 1"])
  }

  @Test(notes(inside)) func `a trait inside of another one has a store of its own (PS-13)`() throws
  {
    try expectTexts("first", "second")
    #expect(inside.count == 1)
  }
}

@Suite(
  .objectContext {
    var options = SQLiteStoreOptions(history: .values)
    options.followsOtherProcesses = true
    return try PersistentContainer(.temporary, model: notesModel, options: options)
  } prepared: {
    try Preparations().prepare($0)
  })
struct FollowedStoreSuite {
  @Test(arguments: 0..<2)
  func `a test that follows its store hears of each save once (PS-13)`(_ turn: Int) async throws {
    let store = try ObjectContextTrait.store
    let events = store.coordinator.didSaveEvents()
    let places = try await store.perform { context in
      try (0..<3).map { number in
        try context.insert(entityNamed: "Note").setValue("\(number)", for: "text")
        try context.save()
        return try #require(context.lastHistoryToken)
      }
    }
    #expect(try places.last == store.coordinator.currentHistoryToken())
    // What is looked for, as a save of others, comes later.
    try await Task.sleep(for: .milliseconds(300))
    var iterator = events.makeAsyncIterator()
    let news = try #require(await iterator.next())
    #expect(news.events.map(\.historyToken) == places)
  }
}

@Suite(notes(inCopies, copies: 4)) struct CopiedStoreSuite {
  @Test(arguments: 0..<1000)
  func `tests of several copies run at once, and each finds the seed (PS-13)`(
    _ number: Int
  ) async throws {
    inCopies.enter()
    defer { inCopies.leave() }
    try expectTexts("first", "second")
    let notes = Notes(context: try ObjectContextTrait.contexts)
    try notes.add("\(number)")
    try notes.save()
    await Task.yield()
    #expect(try texts() == ["first", "second", "\(number)"].sorted())
    #expect(inCopies.count <= 4)
    #expect(inCopies.most <= 4)
  }
}

/// What a test has seen, for the tests after it.
private final class Kept<Value: Sendable>: Sendable {
  private let lock = Lock<Value?>(nil)

  var value: Value? {
    get { lock.withLock(\.self) }
    set { lock.withLock { $0 = newValue } }
  }
}

// The trait is called as Swift Testing calls it: for a suite, in which a test runs repeatedly.
@Suite struct PreparedStoreTraitTests {
  private typealias RunTest =
    @Sendable (@concurrent @Sendable @escaping () async throws -> Void) async throws -> Void

  /// Runs `body` as a suite with the trait, in which its parameter runs a test.
  private func suite(
    _ trait: ObjectContextTrait,
    _ body: @concurrent @Sendable @escaping (@escaping RunTest) async throws -> Void
  ) async throws {
    let test = try #require(Test.current)
    let testCase = try #require(Test.Case.current)
    let provider = try #require(trait.scopeProvider(for: test, testCase: nil))
    try await provider.provideScope(for: test, testCase: nil) {
      try await body { function in
        try await trait.provideScope(for: test, testCase: testCase, performing: function)
      }
    }
  }

  @Test func `what outlives its test is refused (PS-13)`() async throws {
    let store = Kept<PersistentContainer>()
    let id = Kept<ManagedObjectID>()
    try await suite(notes(Preparations())) { runTest in
      try await runTest {
        store.value = try ObjectContextTrait.store
        id.value = try store.value?.perform { try $0.fetch(allNotes())[0].objectID }
      }
      let expectRefusal: @Sendable () throws -> Void = {
        let late = try #require(store.value)
        let error = #expect(throws: PersistenceError.self) {
          try late.perform { context in
            try context.insert(entityNamed: "Note").setValue("late", for: "text")
            try context.save()
          }
        }
        #expect(error?.code == .storeClosed)
      }
      try expectRefusal()
      try await runTest {
        try expectRefusal()
        let old = try #require(id.value)
        let error = #expect(throws: PersistenceError.self) {
          try ObjectContextTrait.store.perform { _ = try $0.object(with: old) }
        }
        #expect(error?.code == .foreignObject)
        try expectTexts("first", "second")
      }
    }
  }

  @Test func `a task that goes on after its test cannot write into the next (PS-13)`() async throws
  {
    let task = Kept<Task<Int, any Error>>()
    let gate = AsyncStream<Void>.makeStream()
    try await suite(notes(Preparations())) { runTest in
      try await runTest {
        let store = try ObjectContextTrait.store
        task.value = Task.detached {
          for await _ in gate.stream { break }
          try await store.perform { context in
            try context.insert(entityNamed: "Note").setValue("late", for: "text")
            try context.save()
          }
          return 0
        }
      }
      try await runTest {
        gate.continuation.yield()
        let result = await task.value?.result
        #expect(throws: PersistenceError.self) { try result?.get() }
        try expectTexts("first", "second")
      }
    }
  }

  @Test func `a test that throws is rolled back too (PS-13)`() async throws {
    struct Refusal: Error {}
    let preparations = Preparations()
    try await suite(notes(preparations)) { runTest in
      await #expect(throws: Refusal.self) {
        try await runTest {
          let notes = Notes(context: try ObjectContextTrait.contexts)
          try notes.add("third")
          try notes.save()
          throw Refusal()
        }
      }
      try await runTest { try expectTexts("first", "second") }
    }
    #expect(preparations.count == 1)
  }

  @Test func `an error that ends the transaction is an issue of the test (PS-13)`() async throws {
    let trait = ObjectContextTrait.objectContext {
      try PersistentContainer(.temporary, model: notesModel)
    } prepared: { container in
      let store = try #require(container.coordinator.store as? SQLiteStore)
      let program = try Connection(path: store.path, configuration: .init(role: .sole))
      defer { program.close() }
      try program.execute(
        "CREATE TRIGGER refuse BEFORE INSERT ON Note WHEN new.text = 'bad' "
          + "BEGIN SELECT RAISE(ROLLBACK, 'no bad notes'); END")
    }
    try await suite(trait) { runTest in
      try await withKnownIssue {
        try await runTest {
          let notes = Notes(context: try ObjectContextTrait.contexts)
          try notes.add("bad")
          #expect(throws: PersistenceError.self) { try notes.save() }
        }
      } matching: { issue in
        let error = issue.error as? PersistenceError
        return error?.code == .transactionFailed && "\(error!)".contains("no bad notes")
      }
      try await runTest { try expectTexts() }
    }
  }

  @Test func `a store that cannot be prepared fails each test, and is tried again (PS-13)`()
    async throws
  {
    struct Refusal: Error {}
    let tries = Lock(0)
    let trait = ObjectContextTrait.objectContext {
      try PersistentContainer(.temporary, model: notesModel)
    } prepared: { _ in
      let number = tries.withLock { tries in
        tries += 1
        return tries
      }
      if number < 3 { throw Refusal() }
    }
    try await suite(trait) { runTest in
      for _ in 0..<2 { await #expect(throws: Refusal.self) { try await runTest {} } }
      try await runTest { try expectTexts() }
    }
  }

  @Test func `a store that is not temporary is refused (PS-13)`() async throws {
    let trait = ObjectContextTrait.objectContext {
      try PersistentContainer(.inMemory, model: notesModel)
    } prepared: { _ in
    }
    try await suite(trait) { runTest in
      let error = await #expect(throws: PersistenceError.self) { try await runTest {} }
      #expect(error?.code == .unsupported)
    }
  }

  @Test func `a trait of a suite that its test has too is one (PS-13)`() async throws {
    let trait = notes(Preparations())
    try await suite(trait) { runTest in
      try await runTest {
        let notes = Notes(context: try ObjectContextTrait.contexts)
        try notes.add("third")
        try notes.save()
        try await runTest { try expectTexts("first", "second", "third") }
      }
    }
  }

  @Test func `tests that come at once take turns (PS-13)`() async throws {
    let preparations = Preparations()
    try await suite(notes(preparations, copies: 2)) { runTest in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<30 {
          group.addTask {
            try await runTest {
              preparations.enter()
              defer { preparations.leave() }
              try expectTexts("first", "second")
              let notes = Notes(context: try ObjectContextTrait.contexts)
              try notes.add("\(number)")
              await Task.yield()
              try notes.save()
            }
          }
        }
        try await group.waitForAll()
      }
    }
    #expect(preparations.count <= 2)
    #expect(preparations.most <= 2)
  }

  @Test(.objectContext { try PersistentContainer(.temporary, model: notesModel) })
  func `a store that is not prepared has no path for others`() {
    let error = #expect(throws: PersistenceError.self) { try ObjectContextTrait.path }
    #expect(error?.code == .unsupported)
    #expect(error?.message.contains("prepared: { … }") == true)
  }
}
