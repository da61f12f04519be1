public import OxbowRuntime
public import Testing

/// Gives each test a store of its own, and the test's task a context on it.
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
public struct ObjectContextTrait: TestTrait, SuiteTrait, TestScoping {
  @TaskLocal private static var container: PersistentContainer?

  let open: @Sendable () throws -> PersistentContainer

  /// Whether every test of a suite gets a store, and not the suite as a whole.
  public var isRecursive: Bool { true }

  /// The store of the current test.
  ///
  /// - Throws: ``PersistenceError`` with code `insideTask` outside of tests with the trait.
  public static var store: PersistentContainer {
    get throws {
      if let container { return container }
      throw PersistenceError(
        .insideTask, "no store was opened for this test; give it the trait `.objectContext { … }`")
    }
  }

  /// The contexts of the current test's store, behind a `Sendable` proxy.
  public static var contexts: ObjectContextProxy { get throws { try store.contexts } }

  /// Runs a test with a store and a context.
  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    let container = try open()
    defer { container.close() }
    try await Self.$container.withValue(container) {
      try await container.withTaskContext { try await function() }
    }
  }
}

extension Trait where Self == ObjectContextTrait {
  /// Opens a store for each test, and binds a context on it to the test's task.
  public static func objectContext(_ open: @escaping @Sendable () throws -> PersistentContainer)
    -> ObjectContextTrait
  {
    ObjectContextTrait(open: open)
  }
}
