import OxbowPlatform
import OxbowRuntime
import OxbowTestSupport
import Testing

private enum Request {
  @TaskLocal static var number = 0
}

/// `await perform` and its sisters: bodies on the threads of the store.
@Suite(.timeLimit(.minutes(30))) struct AsynchronousCallerTests {
  private func open(_ change: (inout SQLiteStoreOptions) -> Void = { _ in }) throws
    -> PersistentContainer
  {
    var options = SQLiteStoreOptions()
    change(&options)
    return try PersistentContainer(.temporary, model: notesModel, options: options)
  }

  /// Whether the calling code prefers the threads of a store.
  private static func prefersThreads(of store: PersistentContainer) -> Bool {
    let executor = store.coordinator.workThreads.asUnownedTaskExecutor()
    return withUnsafeCurrentTask { $0?.unownedTaskExecutor == executor }
  }

  private static func add(_ text: String, _ context: ManagedObjectContext) throws {
    try context.insert(entityNamed: "Note").setValue(text, for: "text")
  }

  @Test func `every asynchronous way to a context runs on the threads of the store (PS-04)`()
    async throws
  {
    let store = try open()
    let actor = ContextActor(store)
    #expect(try await store.perform { _ in Self.prefersThreads(of: store) })
    #expect(
      try await store.perform(retrying: .never) { _ in Self.prefersThreads(of: store) })
    #expect(try await actor.perform { _ in Self.prefersThreads(of: store) })
    #expect(try await store.withTaskContext { Self.prefersThreads(of: store) })
    try await store.perform { context in
      try Self.add("a", context)
      try context.save()
    }
    let stream = store.stream(allNotes()) { _ in Self.prefersThreads(of: store) }
    for try await prefers in stream { #expect(prefers) }
    #expect(!Self.prefersThreads(of: store))
    // One spelling for both callers.
    func synchronous() throws -> Bool { try store.perform { _ in Self.prefersThreads(of: store) } }
    #expect(try synchronous() == false)
  }

  @Test func `a body sees the values and the priority of its task (PS-04)`() async throws {
    let store = try open()
    let actor = ContextActor(store)
    let seen = try await Request.$number.withValue(7) {
      [
        try await store.perform { _ in Request.number },
        try await actor.perform { _ in Request.number },
        try await store.withTaskContext { Request.number },
      ]
    }
    #expect(seen == [7, 7, 7])
    let priority = try await Task(priority: .background) {
      try await store.perform { _ in Task.currentPriority }
    }.value
    #expect(priority >= .background)
  }

  @Test func `a body may perform another one, also when all threads are in use (PS-04)`()
    async throws
  {
    let store = try open { $0.workThreads = 1 }
    let count = try await store.perform { outer in
      try store.perform { inner in
        try Self.add("inner", inner)
        try inner.save()
      }
      return try outer.count(allNotes())
    }
    #expect(count == 1)
    let again = try await store.withTaskContext {
      try await store.perform { context in
        let inner = try store.perform { try $0.count(allNotes()) }
        return try inner + context.count(allNotes())
      }
    }
    #expect(again == 2)
  }

  @Test(arguments: [1, 2])
  func `more tasks than readers are all answered (PS-04, PS-02)`(_ readers: Int) async throws {
    let store = try open { ($0.maximumReaders, $0.workThreads) = (readers, 16) }
    try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<64 {
        group.addTask {
          try await store.perform { context in
            if number % 8 == 0 {
              try Self.add("\(number)", context)
              try context.save()
            }
            return try context.fetch(allNotes()).count
          }
        }
      }
      for try await count in group { #expect((0...8).contains(count)) }
    }
    #expect(try await store.perform { try $0.count(allNotes()) } == 8)
  }

  @Test func `a task that a cancelled body began reads on when the body has ended (PS-04)`()
    async throws
  {
    let store = try open()
    let end = Monitor(false)
    @Sendable func count() throws -> Int {
      _ = end.wait { $0 ? true : nil }
      return try store.perform { try $0.count(allNotes()) }
    }
    let outer = Task { () -> Task<Int, any Error> in
      try await store.perform { _ in
        withUnsafeCurrentTask { $0?.cancel() }
        return Task { try count() }
      }
    }
    let inner = try await outer.value
    end.update { $0 = true }
    #expect(try await inner.value == 0)
  }

  @Test func `what one request has in its context is not found by the next one (PS-04)`()
    async throws
  {
    let store = try open { $0.workThreads = 1 }
    let notes = Notes(context: store.contexts)
    for _ in 0..<3 {
      // A threads context would be the next requests too.
      await #expect(throws: PersistenceError.self) {
        try await store.perform { _ in try notes.add("left behind") }
      }
    }
    // Requests that take turns on one thread.
    let arrivals = Lock(0)
    try await withThrowingTaskGroup(of: [String].self) { group in
      for number in 0..<4 {
        group.addTask {
          try await store.withTaskContext {
            func add() throws { try notes.add("\(number)") }
            func texts() throws -> [String] { try notes.texts() }
            try add()
            arrivals.withLock { $0 += 1 }
            try await wait { arrivals.withLock(\.self) == 4 }
            return try texts()
          }
        }
      }
      var texts: [[String]] = []
      for try await found in group { texts.append(found) }
      #expect(texts.sorted { $0[0] < $1[0] } == [["0"], ["1"], ["2"], ["3"]])
    }
    #expect(try await store.perform { try $0.count(allNotes()) } == 0)
  }

  /// Checks that work is refused in a task that is cancelled.
  private func refuse(_ work: @escaping @Sendable () async throws -> Void) async {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await work()
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `work of a task that was cancelled before does not begin (PS-04)`() async throws {
    let store = try open()
    let actor = ContextActor(store)
    let hasBegun = Lock(false)
    await refuse { try await store.perform { _ in hasBegun.withLock { $0 = true } } }
    await refuse { try await actor.perform { _ in hasBegun.withLock { $0 = true } } }
    await refuse {
      try await store.perform(retrying: TransactionRetry(attempts: 3)) { _ in
        hasBegun.withLock { $0 = true }
      }
    }
    #expect(hasBegun.withLock { $0 } == false)
  }

  @Test func `a closed store refuses, and keeps no thread (PS-04)`() async throws {
    let store = try open()
    #expect(try await store.perform { try $0.count(allNotes()) } == 0)
    store.close()
    let error = await #expect(throws: PersistenceError.self) {
      try await store.perform { try $0.count(allNotes()) }
    }
    #expect(error?.code == .storeClosed)
    try await wait { store.coordinator.workThreads.count == 0 }
  }

  @Test func `the number of threads comes from options and from documents (PS-04)`() async throws {
    let factory = StoreCoordinatorFactory()
    factory.storePath = ":memory:"
    factory.model = notesModel
    factory.options.workThreads = 3
    #expect(try factory.object().store.workThreads == 3)
    factory.workThreads = 2
    #expect(StoreCoordinatorFactory.componentDescriptor.propertyNames.contains("workThreads"))
    let store = try PersistentContainer(coordinator: factory.object())
    #expect(store.coordinator.store.workThreads == 2)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { _ = try await store.perform { try $0.count(allNotes()) } } }
      try await group.waitForAll()
    }
    #expect(store.coordinator.workThreads.count <= 2)
    store.close()
  }
}
