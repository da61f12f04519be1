internal import OxbowFoundation
public import OxbowRuntime
public import Testing

/// Fills the store of each test with the objects of files beside it, each with a name of its own.
///
/// A file has the JSON of `importJSON`: an array of objects with their entities. Where an object
/// has an `$id`, that is its name, and a relationship leads to it by the name:
///
/// ```json
/// [
///   {"$entity": "Author", "$id": "lem", "name": "Stanisław Lem"},
///   {"$entity": "Book", "$id": "solaris", "title": "Solaris", "author": {"$ref": "lem"}}
/// ]
/// ```
///
/// ```swift
/// @Test(
///   .objectContext { try PersistentContainer(.temporary, types: [Book.self, Author.self]) },
///   .fixture("library"))
/// func `a book has its author`() throws {
///   let book = try ObjectContextTrait.object("solaris", as: Book.self)
///   #expect(book.author == (try ObjectContextTrait.object("lem")))
/// }
/// ```
///
/// The objects are new ones, inserted in their order and saved before the test begins, so they have
/// the same keys each time; objects can also be inside others, as in exported JSON. Everything that
/// is wrong with the files fails the test at once, each mistake with its file, line and near names.
///
/// Write it after `.objectContext`. The objects go with the store, or are rolled back with the
/// test's transaction; for many objects, fill a prepared store instead
/// (``ObjectContext/insertFixtures(_:besideFile:)``).
public struct FixtureTrait: TestTrait, SuiteTrait, TestScoping {
  /// The objects with names that the current test's store has.
  @TaskLocal fileprivate static var objects: [String: ManagedObjectID] = [:]

  private let files: FixtureFiles

  package init(_ names: [String], besideFile path: String) {
    files = FixtureFiles(names: names, sourcePath: path)
  }

  /// Whether it fills the store of every test of a suite.
  public var isRecursive: Bool { true }

  /// Runs a test whose store has the objects.
  ///
  /// - Throws: What `function` throws; ``PersistenceError``: `invalidJSON` for files that cannot be
  ///   read, `insideTask` for a test without a store, and why the objects could not be saved.
  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    let (files, known) = (files, Self.objects)
    let added = try await ObjectContextTrait.store.perform { context in
      let named = try known.mapValues {
        try context.existingObject(with: $0, as: ManagedObject.self)
      }
      let objects = try context.insertGraph(files.documents(), named: named)
      try context.save()
      return objects.mapValues(\.objectID)
    }
    let all = known.merging(added) { _, new in new }
    try await Self.$objects.withValue(all) { try await function() }
  }
}

extension Trait where Self == FixtureTrait {
  /// Fills the store of each test with the objects of `NAME.json` beside the test's source file.
  ///
  /// - Parameters:
  ///   - names: The files, without their extension; a name may begin with a folder. They may refer
  ///     to each other's objects, and to those of a fixture of the suite. Exclude them in
  ///     `Package.swift`.
  ///   - path: The path of the test's source file.
  /// - Returns: The trait.
  public static func fixture(_ names: String..., besideFile path: String = #filePath)
    -> FixtureTrait
  { FixtureTrait(names, besideFile: path) }
}

extension ObjectContextTrait {
  /// The object of a fixture, in the context of the current test.
  ///
  /// - Throws: ``PersistenceError``: `foreignObject` with near names for a name that no fixture of
  ///   the test has, `classMismatch` for an object of another class, and why it could not be read.
  public static func object<T: ManagedObject>(
    _ name: String, as type: T.Type = T.self
  ) throws -> T {
    let names = FixtureTrait.objects
    guard let id = names[name] else {
      throw PersistenceError(
        .foreignObject,
        "the test has no fixture with an object called '\(name)'; "
          + (names.isEmpty
            ? "give it the trait '.fixture(…)'"
            : "it has \(PersistenceError.listed(Array(names.keys)))"),
        nearNames: PersistenceError.nearNames(to: name, among: Array(names.keys)))
    }
    return try contexts.existingObject(with: id, as: type)
  }
}

extension ObjectContext {
  /// Inserts the objects of `NAME.json` beside the caller's source file, unsaved.
  ///
  /// It is what the trait `.fixture(…)` does, for stores that are prepared once:
  ///
  /// ```swift
  /// .objectContext { … } prepared: {
  ///   try $0.perform { context in
  ///     try context.insertFixtures("library")
  ///     try context.save()
  ///   }
  /// }
  /// ```
  ///
  /// - Returns: The objects that have names.
  /// - Throws: ``PersistenceError`` with code `invalidJSON` and all mistakes of the files.
  @available(*, noasync, message: "use perform { context in … }")
  @discardableResult
  public func insertFixtures(
    _ names: String..., besideFile path: String = #filePath
  ) throws -> [String: ManagedObject] {
    let files = FixtureFiles(names: names, sourcePath: path)
    return try withOwn { try $0.insertGraph(files.documents()) }
  }
}

/// The files of a fixture.
struct FixtureFiles: Sendable {
  let names: [String]
  let sourcePath: String

  private var folder: String {
    sourcePath.lastIndex(of: "/").map { String(sourcePath[...$0]) } ?? ""
  }

  func documents() throws(PersistenceError) -> [(file: String, bytes: [UInt8])] {
    try names.map { (name) throws(PersistenceError) in
      let path = "\(folder)\(name).json"
      guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
        throw unreadable(name, path)
      }
      return (path, Array(data))
    }
  }

  private func unreadable(_ name: String, _ path: String) -> PersistenceError {
    let start = name.lastIndex(of: "/").map { String(name[...$0]) } ?? ""
    let found = (try? FileManager.default.contentsOfDirectory(atPath: folder + start)) ?? []
    let names = found.filter { $0.hasSuffix(".json") }.map { start + $0.dropLast(5) }
    return PersistenceError(
      .invalidJSON,
      "the fixture '\(name)' cannot be read: '\(path)' is missing or unreadable; write it "
        + "beside the test's source file",
      nearNames: PersistenceError.nearNames(to: name, among: names))
  }
}
