import Foundation
import OxbowPlatform
import OxbowRuntime
import OxbowTestSupport
import Testing

/// A store for each tenant, with real stores.
@Suite(.timeLimit(.minutes(30))) struct TenantStoresTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.file("tenants"), withIntermediateDirectories: true)
  }

  private func open(
    limit: Int = 4, createsStores: Bool = true, options: SQLiteStoreOptions = .tenants,
    migrations: StoreMigrations = StoreMigrations(.never), model: ManagedObjectModel = notesModel
  ) throws -> TenantStores {
    try TenantStores(
      in: folder.file("tenants"), model: model, limit: limit, createsStores: createsStores,
      options: options, migrations: migrations)
  }

  /// Options whose callers wait as long as it takes, on a busy machine too.
  private static let patient: SQLiteStoreOptions = {
    var options = SQLiteStoreOptions.tenants
    options.busyMilliseconds = 1_000_000
    return options
  }()

  @Sendable private static func add(_ text: String, _ context: ManagedObjectContext) throws {
    try context.insert(entityNamed: "Note").setValue(text, for: "text")
    try context.save()
  }

  @Sendable private static func texts(_ context: ManagedObjectContext) throws -> [String] {
    try context.fetch(allNotes()).map { try $0.value("text", as: String.self) ?? "" }
  }

  private func expect(_ texts: [String], of notes: Notes) throws {
    #expect(try notes.texts() == texts)
  }

  // MARK: - Work

  @Test
  func `what is saved for one tenant is that tenant's alone, and stays when stores are closed`()
    async throws
  {
    let tenants = try open(limit: 1)
    defer { tenants.close() }
    let names = ["acme", "zeta", "0-a_b"]
    for name in names { try await tenants.perform(name) { try Self.add("of \(name)", $0) } }
    for name in names {
      #expect(try await tenants.perform(name, Self.texts) == ["of \(name)"])
      let onThread = try tenants.synchronously { try $0.perform(name, Self.texts) }
      #expect(onThread == ["of \(name)"])
    }
    #expect(try tenants.tenants() == ["0-a_b", "acme", "zeta"])
    #expect(tenants.statistics.open == 1)
    #expect(tenants.statistics.evicted == tenants.statistics.opened - 1)
    let retried = try await tenants.perform("acme", retrying: .never, Self.texts)
    #expect(retried == ["of acme"])
  }

  @Test func `a repository is the current tenant's, on a thread and in a task`() async throws {
    let tenants = try open()
    defer { tenants.close() }
    let notes = Notes(context: tenants.contexts)
    try tenants.synchronously { tenants in
      for name in ["a", "b"] {
        try tenants.withTenant(name) {
          #expect(tenants.currentTenant == name)
          try notes.add("thread of \(name)")
          try notes.save()
        }
      }
      try tenants.withTenant("a") {
        try tenants.withTenant("b") { try expect(["thread of b"], of: notes) }
        #expect(try notes.texts() == ["thread of a"])
      }
    }
    try await tenants.withTenant("a") {
      try notes.add("task of a")
      try notes.save()
      try await tenants.withTenant("b") { try expect(["thread of b"], of: notes) }
      #expect(try notes.texts() == ["task of a", "thread of a"])
    }
    #expect(tenants.currentTenant == nil)
    #expect(tenants.statistics.used == 0)
  }

  @Test func `what is not saved for a tenant is discarded`() async throws {
    let tenants = try open()
    defer { tenants.close() }
    let notes = Notes(context: tenants.contexts)
    try tenants.synchronously { try $0.withTenant("a") { try notes.add("forgotten") } }
    try await tenants.withTenant("a") { try notes.add("forgotten") }
    try await tenants.withTenant("a") { try expect([], of: notes) }
  }

  @Test func `synchronous work inside a task has a context of the task`() async throws {
    let tenants = try open()
    defer { tenants.close() }
    let notes = Notes(context: tenants.contexts)
    func work() throws -> [String] {
      try tenants.withTenant("a") {
        try notes.add("a")
        try notes.save()
        return try notes.texts()
      }
    }
    #expect(try await Task { try work() }.value == ["a"])
  }

  @Test func `outside of withTenant, and after it, the context is refused`() async throws {
    let tenants = try open()
    defer { tenants.close() }
    let notes = Notes(context: tenants.contexts)
    func code(_ body: () throws -> Void) -> (code: PersistenceError.Code?, text: String) {
      let error = #expect(throws: PersistenceError.self) { try body() }
      return (error?.code, error?.message ?? "")
    }
    let outside = code { _ = try notes.texts() }
    #expect(outside.code == .noTenant)
    #expect(outside.text.hasSuffix("do the work inside `tenants.withTenant(name) { … }`"))
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let late = try await tenants.withTenant("a") {
      Task {
        for await _ in gate { break }
        return code { _ = try notes.texts() }
      }
    }
    open.finish()
    let after = await late.value
    #expect(after.code == .noTenant)
    #expect(
      after.text.hasPrefix("the context of the tenant 'a' was asked for after the work for it"))
    let other = try TenantStores(in: folder.file("tenants"), model: notesModel)
    defer { other.close() }
    try await tenants.withTenant("a") {
      #expect(other.currentTenant == nil)
      let foreign = code { _ = try Notes(context: other.contexts).texts() }
      #expect(foreign.code == .noTenant)
      try await other.withTenant("a") {
        try expect([], of: notes)
        #expect(tenants.currentTenant == "a")
      }
    }
  }

  @Test func `a task has contexts of several stores, one inside of the other`() async throws {
    let shared = try PersistentContainer(.temporary, model: notesModel)
    defer { shared.close() }
    let tenants = try open()
    defer { tenants.close() }
    let (all, own) = (Notes(context: shared.contexts), Notes(context: tenants.contexts))
    try await shared.withTaskContext {
      try await tenants.withTenant("a") {
        try own.add("own")
        try own.save()
        try all.add("shared")
        try expect(["own"], of: own)
      }
      try expect(["shared"], of: all)
    }
  }

  @Test func `a child task has its parent's tenant, and binds a context of its own`() async throws {
    let tenants = try open()
    defer { tenants.close() }
    let notes = Notes(context: tenants.contexts)
    try await tenants.withTenant("a") {
      try notes.add("parent")
      try notes.save()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for index in 0..<4 {
          group.addTask {
            #expect(tenants.currentTenant == "a")
            let unbound = #expect(throws: PersistenceError.self) { try notes.texts() }
            #expect(unbound?.code == .insideTask)
            try await tenants.contexts.withTaskContext {
              try notes.add("child \(index)")
              try notes.save()
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(try notes.texts().count == 5)
    }
  }

  @Test func `a stream and a pinned view keep their store open to the end of withStore`()
    async throws
  {
    let tenants = try open(limit: 1, options: Self.patient)
    defer { tenants.close() }
    for index in 0..<20 { try await tenants.perform("a") { try Self.add("\(index)", $0) } }
    let other = try await tenants.withStore("a") { store in
      let view = try store.makePinnedContext()
      let other = Task { try await tenants.perform("b") { try Self.add("b", $0) } }
      try await wait { tenants.statistics.waiting > 0 }
      var count = 0
      let stream = store.stream(allNotes(), pageSize: 3) { $0.objectID }
      for try await _ in stream { count += 1 }
      #expect(count == 20)
      #expect(try view.count(allNotes()) == 20)
      #expect(tenants.statistics.waiting == 1)
      return other
    }
    try await other.value
    #expect(tenants.statistics.evicted == 1)
  }

  @Test func `all tenants share the threads of asynchronous callers, which outlive each store`()
    async throws
  {
    var options = SQLiteStoreOptions.tenants
    options.workThreads = 2
    let tenants = try open(limit: 2, options: options)
    defer { tenants.close() }
    var executors: Set<ObjectIdentifier> = []
    for name in ["a", "b", "c", "a"] {
      executors.insert(
        try await tenants.withStore(name) { ObjectIdentifier($0.coordinator.workThreads) })
    }
    #expect(executors.count == 1)
  }

  // MARK: - Names

  @Test(
    arguments: [
      "", ".", "..", "../a", "a/b", "a/../../b", "A", "é", "a.b", "-a", "_a", "a\0b", "a b", "a\n",
      "~", "%2e%2e", String(repeating: "a", count: 65),
    ])
  func `a name that could lead elsewhere is refused, and nothing is made`(
    _ name: String
  ) async throws {
    let tenants = try open()
    defer { tenants.close() }
    func isRefused(_ body: () async throws -> Void) async {
      let error = await #expect(throws: PersistenceError.self) { try await body() }
      #expect(error?.code == .invalidTenant)
      #expect(error?.message.contains("begins with a letter or digit") == true)
    }
    await isRefused { try await tenants.perform(name) { _ in } }
    await isRefused { try await tenants.withTenant(name) {} }
    await isRefused { _ = try await tenants.create(name) }
    await isRefused { try await tenants.remove(name) }
    await isRefused { _ = try tenants.contains(name) }
    await isRefused { try tenants.synchronously { try $0.perform(name) { _ in } } }
    #expect(try folder.names() == ["tenants"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("tenants")) == [])
    #expect(tenants.statistics.opened == 0)
  }

  @Test func `a tenant without a store is refused before anything makes room for it`() async throws
  {
    let tenants = try open(limit: 1, createsStores: false)
    defer { tenants.close() }
    #expect(try await tenants.create("a"))
    #expect(try await tenants.create("a") == false)
    #expect(try tenants.contains("a"))
    let error = await #expect(throws: PersistenceError.self) {
      try await tenants.perform("b") { _ in }
    }
    #expect(error?.code == .unknownTenant)
    #expect(error?.description.contains("'a'") == false)
    #expect(tenants.statistics.open == 1)
    #expect(tenants.statistics.evicted == 0)
    #expect(try tenants.tenants() == ["a"])
    #expect(try tenants.synchronously { try $0.create("c") })
    #expect(try tenants.tenants() == ["a", "c"])
  }

  @Test func `a folder that does not exist is refused`() throws {
    for path in ["none", "file"] {
      try folder.write("", to: "file")
      let error = #expect(throws: PersistenceError.self) {
        try TenantStores(in: folder.file(path), model: notesModel)
      }
      #expect(error?.code == .storeUnreachable)
      #expect(error?.message.hasSuffix("for the stores of tenants; make it first") == true)
    }
  }

  // MARK: - What goes wrong

  @Test func `an error of one tenant's store names the tenant, and the others are served`()
    async throws
  {
    let tenants = try open(limit: 2)
    defer { tenants.close() }
    try folder.write("This is not a database.", to: "tenants/bad.sqlite")
    try await tenants.perform("good") { try Self.add("x", $0) }
    let failures = try await tenants.forEach { name, store in
      #expect(tenants.currentTenant == name)
      try await store.perform { try Self.add("y", $0) }
    }
    #expect(failures.map(\.tenant) == ["bad"])
    let error = try #require(failures.first?.error as? PersistenceError)
    #expect(error.code == .notAStore)
    #expect(error.details.contains { $0.label == "tenant" && $0.text == "bad" })
    #expect(failures.first?.description.hasPrefix("bad: ") == true)
    #expect(try await tenants.perform("good", Self.texts) == ["x", "y"])
  }

  @Test func `an older store is migrated when it is opened, or refused`() async throws {
    let old = ManagedObjectModel(entities: [EntityDescription("Note")])
    for name in ["a", "b"] {
      try PersistentContainer(.file(folder.file("tenants/\(name).sqlite")), model: old).close()
    }
    let refusing = try open(migrations: StoreMigrations(.requireUpToDate))
    let error = await #expect(throws: PersistenceError.self) {
      try await refusing.perform("a") { _ in }
    }
    #expect(error?.code == .modelMismatch)
    #expect(error?.details.contains { $0.label == "tenant" && $0.text == "a" } == true)
    refusing.close()
    let tenants = try open(migrations: StoreMigrations(.automatic))
    defer { tenants.close() }
    try await tenants.perform("a") { try Self.add("x", $0) }
    #expect(try await tenants.perform("a", Self.texts) == ["x"])
  }

  @Test func `a folder of steps makes the store of a new tenant, and of no unknown one`()
    async throws
  {
    try folder.write("", to: "M/.keep")
    _ = try MigrationSequence(folder: folder.file("M")).addModelStep(named: "first", to: notesModel)
    let tenants = try open(
      createsStores: false, migrations: StoreMigrations(.automatic, folder: folder.file("M")))
    defer { tenants.close() }
    let error = await #expect(throws: PersistenceError.self) {
      try await tenants.perform("a") { _ in }
    }
    #expect(error?.code == .unknownTenant)
    #expect(try tenants.tenants() == [])
    try await tenants.create("a")
    try await tenants.perform("a") { try Self.add("x", $0) }
    #expect(try tenants.tenants() == ["a"])
  }

  @Test func `a cancelled task waits for no store, and gets none`() async throws {
    let tenants = try open()
    defer { tenants.close() }
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await tenants.perform("a") { _ in }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(tenants.statistics.used == 0)
  }

  // MARK: - Ends

  @Test func `a tenant is removed with all that is beside its store`() async throws {
    let tenants = try open(createsStores: false)
    defer { tenants.close() }
    for name in ["a", "ab"] {
      try await tenants.create(name)
      try await tenants.perform(name) { try Self.add("x", $0) }
    }
    try folder.write("large", to: "tenants/a.sqlite-files/0123456789abcdef")
    let holder = try PersistentContainer(
      .file(folder.file("tenants/a.sqlite")), model: notesModel)
    let used = await #expect(throws: PersistenceError.self) { try await tenants.remove("a") }
    #expect(used?.code == .storeLocked)
    #expect(try await tenants.perform("a", Self.texts) == ["x"])
    holder.close()
    try await tenants.remove("a")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("tenants"))
    #expect(names.filter { !$0.hasPrefix("ab.") && !$0.hasPrefix("a.sqlite-files") } == [])
    let gone = await #expect(throws: PersistenceError.self) { try await tenants.remove("a") }
    #expect(gone?.code == .unknownTenant)
    try await tenants.create("a")
    #expect(try await tenants.perform("a", Self.texts) == [])
    #expect(try await tenants.perform("ab", Self.texts) == ["x"])
  }

  @Test func `a removal leaves their threads to those whose end it waits for`() async throws {
    var options = Self.patient
    options.workThreads = 1
    let tenants = try open(createsStores: false, options: options)
    defer { tenants.close() }
    try await tenants.create("a")
    let removal = try await tenants.withTenant("a") {
      let removal = Task { try await tenants.remove("a") }
      // It is not lent to others any more as soon as the removal waits.
      try await wait {
        await Task.detached { (try? await tenants.withStore("a") { _ in }) == nil }.value
      }
      try await tenants.withStore("a") { _ in }
      return removal
    }
    try await removal.value
    #expect(try tenants.tenants() == [])
  }

  @Test func `one of many that create a store at once hears that it is new`() async throws {
    let tenants = try open(limit: 2, options: Self.patient)
    defer { tenants.close() }
    for round in 0..<10 {
      let isNew = try await withThrowingTaskGroup(of: Bool.self, returning: [Bool].self) { group in
        for _ in 0..<6 { group.addTask { try await tenants.create("t\(round)") } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(isNew.count { $0 } == 1)
    }
  }

  @Test func `what a creation has left that failed is not a store, and is made whole`() async throws
  {
    var options = SQLiteStoreOptions.tenants
    options.maximumBytes = 4096
    let narrow = try open(createsStores: false, options: options)
    let full = await #expect(throws: PersistenceError.self) { try await narrow.create("a") }
    #expect(full?.code == .storeFull)
    narrow.close()
    #expect(FileManager.default.fileExists(atPath: folder.file("tenants/a.sqlite")))
    let tenants = try open(createsStores: false)
    defer { tenants.close() }
    #expect(try !tenants.contains("a"))
    #expect(try tenants.tenants() == [])
    let unknown = await #expect(throws: PersistenceError.self) {
      try await tenants.perform("a") { _ in }
    }
    #expect(unknown?.code == .unknownTenant)
    #expect(try await tenants.create("a"))
    #expect(try await tenants.create("a") == false)
    #expect(try await tenants.perform("a", Self.texts) == [])
  }

  @Test func `work for each tenant waits for no place of its own`() async throws {
    let tenants = try open(limit: 2)
    defer { tenants.close() }
    for name in ["a", "b", "c", "d", "e"] { try await tenants.create(name) }
    let failures = try await tenants.forEach { _, _ in
      for _ in 0..<1000 where tenants.statistics.waiting < 2 { await Task.yield() }
      #expect(tenants.statistics.waiting < 2)
    }
    #expect(failures.map(\.description) == [])
  }

  @Test func `closed stores are refused with storeClosed`() async throws {
    let tenants = try open()
    try await tenants.perform("a") { try Self.add("x", $0) }
    try tenants.dispose()
    let task = await #expect(throws: PersistenceError.self) {
      try await tenants.perform("a") { _ in }
    }
    let thread = #expect(throws: PersistenceError.self) {
      try tenants.synchronously { try $0.perform("a") { _ in } }
    }
    #expect([task?.code, thread?.code] == [.storeClosed, .storeClosed])
    tenants.close()
  }
}

extension TenantStores {
  /// Calls what is meant for threads: in asynchronous code the other overload would be chosen.
  fileprivate func synchronously<R>(_ body: (TenantStores) throws -> R) rethrows -> R {
    try body(self)
  }
}
