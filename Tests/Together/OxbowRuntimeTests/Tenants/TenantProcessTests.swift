import Foundation
import OxbowPlatform
import OxbowRuntime
import OxbowTestSupport
import Testing

/// Many tenants in a process that has few stores open, and that is killed.
@Suite(.timeLimit(.minutes(30))) struct TenantProcessTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func open(_ folder: String, limit: Int) throws -> TenantStores {
    try TenantStores(in: folder, model: notesModel, limit: limit, createsStores: true)
  }

  @Sendable private static func add(_ text: String, _ context: ManagedObjectContext) throws {
    try context.insert(entityNamed: "Note").setValue(text, for: "text")
    try context.save()
  }

  #if os(Linux)
    /// Lets the process open so many more files; another one is an error of the system's.
    private static func allow(moreFiles count: Int) throws {
      let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        .compactMap { Int($0) }
      let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      var limit = rlimit()
      getrlimit(kind, &limit)
      limit.rlim_cur = rlim_t((open.max() ?? 0) + 1 + count)
      setrlimit(kind, &limit)
    }

    @Test
    func `threads and tasks with many tenants open no more files than the limit needs (PS-06)`()
      async throws
    {
      let path = folder.path
      await #expect(processExitsWith: .success) { [path = path as String] in
        let limit = 6
        let tenants = try Self.open(path, limit: limit)
        // What the executors of threads and tasks need is there before.
        try await tenants.perform("t0") { try Self.add("first", $0) }
        try Self.allow(moreFiles: 8 * (limit - 1) + 4)
        let tasks = (0..<4).map { worker in
          Task {
            for (number, tenant) in Self.tenants(of: worker).enumerated() {
              try await tenants.perform(tenant) { try Self.add("\(worker)/\(number)", $0) }
            }
          }
        }
        try await Self.onThreads(4) { worker in
          for (number, tenant) in Self.tenants(of: worker + 4).enumerated() {
            try tenants.perform(tenant) { try Self.add("\(worker + 4)/\(number)", $0) }
          }
        }
        for task in tasks { try await task.value }
        let count = Monitor(0)
        let failures = try await tenants.forEach { _, store in
          let found = try await store.perform { try $0.count(allNotes()) }
          count.update { $0 += found }
        }
        #expect(failures.map(\.description) == [])
        #expect(count.update { $0 } == 201)
        #expect(tenants.statistics.evicted > 20)
        tenants.close()
      }
    }

    private static func tenants(of worker: Int) -> [String] {
      var random = SeededRandom(seed: UInt64(worker))
      return (0..<25).map { _ in "t\(Int.random(in: 0..<40, using: &random))" }
    }
  #endif

  private static func onThreads(
    _ count: Int, _ body: @escaping @Sendable (Int) throws -> Void
  ) async throws {
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      Thread { done.resume(with: Result { try OxbowRuntimeTests.onThreads(count, body) }) }.start()
    }
  }

  @Test(arguments: [40, 90, 200])
  func `PS-01 what was saved for many tenants survives a kill`(_ saves: Int) async throws {
    let path = folder.path
    for worker in 0..<6 { try folder.write("", to: "log-\(worker)") }
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, saves = saves as Int] in
      let tenants = try Self.open(path, limit: 3)
      let done = Monitor(0)
      try OxbowRuntimeTests.onThreads(6) { worker in
        let log = FileHandle(forWritingAtPath: "\(path)/log-\(worker)")
        var random = SeededRandom(seed: UInt64(worker + saves))
        for number in 0... {
          let tenant = "t\(Int.random(in: 0..<12, using: &random))"
          let text = "\(worker)/\(number)"
          try tenants.perform(tenant) { try Self.add(text, $0) }
          try log?.write(contentsOf: Data("\(tenant) \(text)\n".utf8))
          if done.update({
            $0 += 1; return $0
          }) == saves {
            kill(getpid(), SIGKILL)
          }
        }
      }
    }
    var acknowledged: [String: Set<String>] = [:]
    for worker in 0..<6 {
      for line in try folder.text(of: "log-\(worker)").split(separator: "\n") {
        let words = line.split(separator: " ").map(String.init)
        acknowledged[words[0], default: []].insert(words[1])
      }
    }
    #expect(acknowledged.values.reduce(0) { $0 + $1.count } >= saves)
    let tenants = try Self.open(path, limit: 2)
    defer { tenants.close() }
    for (tenant, texts) in acknowledged {
      let found = try await tenants.perform(tenant) { context in
        Set(try context.fetch(allNotes()).map { try $0.value("text", as: String.self) ?? "" })
      }
      #expect(found.isSuperset(of: texts), "\(tenant)")
    }
  }
}
