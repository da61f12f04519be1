import Foundation
import OxbowRuntime
import OxbowTestSupport
import Testing

/// Stores in files whose process ends, or whose disk is full.
struct AtomicStoreProcessTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Adds objects that belong together.
  private static func add(_ count: Int, to container: PersistentContainer) throws {
    try container.perform { context in
      let author = try context.insert(entityNamed: "Author")
      try author.setValue(UUID().uuidString, for: "name")
      try author.setObjects(
        try (0..<count).map { _ in try context.insert(entityNamed: "Book") }, for: "books")
      try context.save()
    }
  }

  private static func open(_ store: any AtomicStore) throws -> PersistentContainer {
    try PersistentContainer(.atomic(store), model: AtomicStoreTests.model)
  }

  private func countBooks() throws -> Int {
    let container = try Self.open(JSONFile(folder.file("store.json")))
    defer { container.close() }
    return try container.makeContext().count(FetchRequest<ManagedObject>(entityNamed: "Book"))
  }

  @Test(arguments: KilledFile.Step.allCases)
  func `PS-01 a process that is killed while it saves leaves the old file or the new one`(
    _ step: KilledFile.Step
  ) async throws {
    let path = folder.file("store.json")
    try Self.add(3, to: Self.open(JSONFile(path)))
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, step = step.rawValue as String] in
      let store = KilledFile(path)
      let container = try Self.open(store)
      try Self.add(5, to: container)
      store.die(at: KilledFile.Step(rawValue: step))
      try Self.add(7, to: container)
    }
    #expect(try countBooks() == (step == .renamed ? 15 : 8))
  }

  @Test(arguments: ["", "{", "garbage", #"{"objects":[]}"#])
  func `PS-01 a file that cannot be read is an error and stays as it is`(_ text: String) throws {
    try folder.write(text, to: "store.json")
    let error = #expect(throws: PersistenceError.self) {
      try Self.open(JSONFile(folder.file("store.json")))
    }
    #expect(error?.code == .storeFailed)
    #expect(error?.underlyingError is DecodingError)
    #expect(error?.message.contains("cannot be loaded, and was left as it is") == true)
    #expect(try folder.text(of: "store.json") == text)
  }

  @Test func `PS-01 a full disk refuses a save and leaves the file as it was`() async throws {
    let path = folder.file("store.json")
    await #expect(processExitsWith: .success) { [path = path as String] in
      signal(SIGXFSZ, SIG_IGN)
      let container = try Self.open(JSONFile(path))
      try Self.add(3, to: container)
      let before = try JSONFile(path).load(AtomicStoreTests.model)?.objects
      // What an expectation finds is written as well: the limit is lifted before the first one.
      var limit = rlimit()
      let kind = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
      getrlimit(kind, &limit)
      limit.rlim_cur = 20_000
      setrlimit(kind, &limit)
      let result = Result { try Self.add(5000, to: container) }
      limit.rlim_cur = limit.rlim_max
      setrlimit(kind, &limit)
      let error = #expect(throws: PersistenceError.self) { try result.get() }
      #expect(error?.code == .storeFailed)
      let reason = "\(String(describing: error?.underlyingError))"
      #expect(reason.contains("too large"))
      // The keys of the objects were reserved before.
      let after = try JSONFile(path).load(AtomicStoreTests.model)?.objects
      #expect(after == before)
      try Self.add(2, to: container)
    }
    #expect(try countBooks() == 5)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["store.json"])
  }
}

/// A store in a JSON file that ends its process at a step of a save.
final class KilledFile: AtomicStore, @unchecked Sendable {
  // Sendable by argument: a coordinator calls a store from one thread at a time.

  enum Step: String, CaseIterable {
    case begun, halfWritten, written, renamed
  }

  let name: String
  private var step: Step?

  init(_ path: String) { name = path }

  func die(at step: Step?) { self.step = step }

  func load(_ model: ManagedObjectModel) throws -> AtomicStoreContents? {
    try JSONFile(name).load(model)
  }

  func save(_ changes: AtomicStoreChanges, contents: () throws -> AtomicStoreContents) throws {
    pass(.begun)
    let data = try JSONEncoder().encode(contents())
    let other = name + ".new"
    guard FileManager.default.createFile(atPath: other, contents: nil) else {
      throw CocoaError(.fileWriteUnknown)
    }
    let file = try FileHandle(forWritingTo: URL(filePath: other))
    try file.write(contentsOf: data.prefix(data.count / 2))
    pass(.halfWritten)
    try file.write(contentsOf: data.dropFirst(data.count / 2))
    try file.synchronize()
    try file.close()
    pass(.written)
    guard rename(other, name) == 0 else { throw CocoaError(.fileWriteUnknown) }
    pass(.renamed)
  }

  private func pass(_ step: Step) {
    if step == self.step { kill(getpid(), SIGKILL) }
  }
}
