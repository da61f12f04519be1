public import OxbowRuntime
public import Testing

/// Gives each test a store as it is meant to find it, and the test's task a context on it.
///
/// Swift Testing runs every test inside a task, where a thread-local proxy has no context to
/// forward to. This trait opens a store for the test and binds a context to its task:
///
/// ```swift
/// @Test(.objectContext { try PersistentContainer(.temporary, types: [Book.self]) })
/// func `a repository finds its books`() throws {
///   let books = Books(context: ObjectContextTrait.contexts)
///   …
/// }
/// ```
///
/// A store with contents that tests begin with is opened and prepared once for all tests of a
/// suite, and what a test saves is rolled back at its end:
///
/// ```swift
/// @Suite(
///   .objectContext {
///     try PersistentContainer(.temporary, types: [Book.self])
///   } prepared: {
///     try $0.perform { context in
///       try context.insert(Book.self).title = "Solaris"
///       try context.save()
///     }
///   })
/// struct BooksTests { … }
/// ```
///
/// The test has the store in one transaction. Saves of all its contexts, threads and tasks are
/// parts of it, and all of them see them at once. At its end the transaction is rolled back, files
/// of large values included, and what still uses the store throws `storeClosed`. Keys and numbers
/// of saves come again, so an ID of one test is `foreignObject` in another, as an ID from the
/// preparation is: fetch the object.
///
/// - Tests take turns; with several `copies`, so many of them run at once.
/// - Such a store is `.temporary`, and its file never changes.
/// - Pinned views, migrations, backups, moving, read-only coordinators and `SQLiteStoreFile` throw
///   `unsupported`.
/// - An error that ends the whole transaction (a full disk, `RAISE(ROLLBACK)`) fails the test, and
///   later calls throw it as `transactionFailed`.
/// - `requiresNew` of `Transactional` saves at once, as in a program; the test's end undoes it.
public struct ObjectContextTrait: TestTrait, SuiteTrait, TestScoping {
  /// What a test has.
  private struct Current: Sendable {
    let container: PersistentContainer
    var path: String?
    var stores: PreparedStores?
  }

  @TaskLocal private static var current: Current?

  let open: @Sendable () throws -> PersistentContainer
  let prepared: PreparedStores?

  /// Whether every test of a suite gets a store, and not the suite as a whole.
  public var isRecursive: Bool { true }

  /// The store of the current test.
  ///
  /// - Throws: ``PersistenceError`` with code `insideTask` outside of tests with the trait.
  public static var store: PersistentContainer {
    get throws { try requireCurrent.container }
  }

  /// The contexts of the current test's store, behind a `Sendable` proxy.
  public static var contexts: ObjectContextProxy { get throws { try store.contexts } }

  /// The path of the current test's prepared store.
  ///
  /// Coordinators that the test opens there, those of an inversion-of-control container included,
  /// are part of its transaction: they see what it has saved, and what they save is rolled back.
  ///
  /// - Throws: ``PersistenceError``: `insideTask` outside of tests with the trait; `unsupported`
  ///   for a store that is not prepared.
  public static var path: String {
    get throws {
      if let path = try requireCurrent.path { return path }
      throw PersistenceError(
        .unsupported,
        "the test's store has no path for other coordinators; give the trait a store to prepare, "
          + "'.objectContext { … } prepared: { … }', or open the other coordinator elsewhere")
    }
  }

  private static var requireCurrent: Current {
    get throws {
      if let current { return current }
      throw PersistenceError(
        .insideTask, "no store was opened for this test; give it the trait `.objectContext { … }`")
    }
  }

  /// Returns the trait for each case of a test, and where there are stores to keep, for the suites
  /// and tests around it.
  public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
    testCase == nil && prepared == nil ? nil : self
  }

  /// Runs a test with a store and a context.
  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    if let prepared {
      return try await prepared.stay {
        // A trait of a suite and of its test is one trait, and has one store for them.
        let needsStore = testCase != nil && Self.current?.stores !== prepared
        guard needsStore else { return try await function() }
        try await prepared.lend(to: test) { container, path in
          try await run(Current(container: container, path: path, stores: prepared), function)
        }
      }
    }
    guard testCase != nil else { return try await function() }
    let container = try open()
    defer { container.close() }
    try await run(Current(container: container), function)
  }

  private func run(
    _ current: Current, _ function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await Self.$current.withValue(current) {
      // The runtime runs as many tests at once as there are cores.
      try await current.container.contexts.bindingContext(onWorkThreads: false) {
        try await function()
      }
    }
  }
}

extension Trait where Self == ObjectContextTrait {
  /// Opens a store for each test, and binds a context on it to the test's task.
  public static func objectContext(_ open: @escaping @Sendable () throws -> PersistentContainer)
    -> ObjectContextTrait
  {
    ObjectContextTrait(open: open, prepared: nil)
  }

  /// Opens a temporary store and prepares it once, for tests that each find it so: what a test
  /// saves is rolled back; see ``ObjectContextTrait``.
  ///
  /// - Parameters:
  ///   - copies: How many tests may run at once. Each copy is opened and prepared by itself, when a
  ///     test first needs it.
  ///   - open: Opens a store, in which there is nothing yet.
  ///   - prepare: Saves what the tests find. The store is closed afterwards.
  /// - Returns: The trait.
  public static func objectContext(
    copies: Int = 1, _ open: @escaping @Sendable () throws -> PersistentContainer,
    prepared prepare: @escaping @Sendable (PersistentContainer) async throws -> Void
  ) -> ObjectContextTrait {
    ObjectContextTrait(open: open, prepared: PreparedStores(copies, open, prepare))
  }
}
