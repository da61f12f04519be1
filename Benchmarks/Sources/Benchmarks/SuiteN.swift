import CFixedSync
import CServerBaseline
import Foundation
import OxbowRuntime
import Synchronization

/// Suite N: a store on a server that is reached by a socket, against C with libpq and against the
/// same store in a file.
///
/// `saves` lets each sync take one millisecond, on the server as in the file; `latency` lets each
/// round trip take ten.
struct SuiteN {
  let directory: URL
  private static let rows = 200_000
  private static let syncMicroseconds = 1000

  func run(_ selection: [Substring]) throws {
    let parts: [Substring: (BenchmarkServer) throws -> Void] = [
      "fetch": fetch, "keys": byKey, "insert": insert, "update": update, "latency": latency,
    ]
    let names = selection.isEmpty ? ["fetch", "keys", "insert", "update", "latency"] : selection
    if names != ["saves"] {
      let server = try BenchmarkServer(in: directory)
      defer { server.stop() }
      for name in names {
        guard let part = parts[name] else {
          throw BenchmarkFailure(
            description: "suite N has the parts \(parts.keys.sorted()) and saves, not \(name)")
        }
        try part(server)
      }
    }
    if selection.isEmpty || names == ["saves"] { try saves() }
  }

  private func emit(
    _ name: String, _ ours: Double, _ baseline: String, _ theirs: Double, _ target: String
  ) {
    print(
      Measurement(
        suite: "N", name: name, ours: ours, baseline: baseline, theirs: theirs, target: target
      ).line)
  }

  // MARK: - Fetching

  private func fetch(_ server: BenchmarkServer) throws {
    let store = try server.emptyStore([Mixed.self])
    let file = try fileStore()
    defer { (store.close(), file.close()) }
    try fill(store)
    try fill(file)
    try server.run("VACUUM (ANALYZE, FREEZE) oxbow.\"Mixed\"")
    let medians = try interleaved([
      { try fetch(store) }, { try fetch(server, copies: false) },
      { try fetch(server, copies: true) },
      { try fetch(file) },
    ])
    emit("fetch 200,000", medians[0], "C, row by row", medians[1], "1.4")
    emit("fetch 200,000", medians[0], "C, COPY", medians[2], "1.4")
    emit("fetch 200,000", medians[0], "file", medians[3], "2.1")
  }

  private func fetch(_ store: PersistentContainer) throws -> Double {
    try nanoseconds {
      let found = try store.makeContext().fetch(FetchRequest<Mixed>())
      guard found.count == Self.rows else {
        throw BenchmarkFailure(description: "\(found.count) rows")
      }
    } / Double(Self.rows)
  }

  private func fetch(_ server: BenchmarkServer, copies: Bool) throws -> Double {
    var rows: Int64 = 0
    let time = server_fetch(server.connection, copies ? 1 : 0, &rows)
    return try baseline(time, for: Int(rows))
  }

  /// Twenty objects whose IDs are known, read with the first of them.
  private func byKey(_ server: BenchmarkServer) throws {
    let (count, rounds) = (20, 500)
    let store = try server.emptyStore([Mixed.self])
    defer { store.close() }
    try fill(store)
    let ids = try store.makeContext().fetchIDs(FetchRequest<Mixed>())
    let wanted = (0..<count * rounds).map { ids[$0 * 7919 % ids.count] }
    let keys = wanted.map(\.key)
    let medians = try interleaved([
      {
        try nanoseconds {
          for round in 0..<rounds {
            let context = store.makeContext()
            let found = try wanted[round * count..<(round + 1) * count].map {
              try context.object(with: $0)
            }
            try context.load(found)
            consume(found.reduce(0) { $0 + (($1 as? Mixed)?.small ?? 0) })
          }
        } / Double(rounds)
      },
      {
        try baseline(
          server_by_key(server.connection, keys, Int32(count), Int32(rounds)), for: rounds)
      },
    ])
    emit("20 rows by key", medians[0], "C", medians[1], "1.5")
  }

  // MARK: - Writing

  private func insert(_ server: BenchmarkServer) throws {
    let medians = try interleaved(
      rounds: 5,
      [
        {
          let store = try server.emptyStore([Mixed.self])
          defer { store.close() }
          try server.run("CHECKPOINT")
          return try nanoseconds { try fill(store) } / Double(Self.rows)
        },
        {
          try server.emptyStore([Mixed.self]).close()
          try server.run("CHECKPOINT")
          return try baseline(
            server_insert(server.connection, Int64(Self.rows)), for: Self.rows)
        },
        {
          let store = try fileStore()
          defer { store.close() }
          return try nanoseconds { try fill(store) } / Double(Self.rows)
        },
      ])
    emit("insert 200,000", medians[0], "C, COPY", medians[1], "1.5")
    emit("insert 200,000", medians[0], "file", medians[2], "2.2")
  }

  private func update(_ server: BenchmarkServer) throws {
    let store = try server.emptyStore([Mixed.self])
    let file = try fileStore()
    defer { (store.close(), file.close()) }
    try fill(store, rows: 100_000)
    try fill(file, rows: 100_000)
    let (ours, files) = (try hundredth(of: store), try hundredth(of: file))
    let keys = try hundredth(of: store, from: 50).objects.map(\.objectID.key)
    var (turn, version): (Int, Int64) = (0, 0)
    let medians = try interleaved(
      rounds: 15,
      [
        {
          turn += 1
          return try change(ours, turn)
        },
        {
          version += 1
          return try baseline(
            server_update(server.connection, keys, Int64(keys.count), version), for: keys.count)
        }, { try change(files, turn) },
      ])
    emit("change 1,000 of 100,000", medians[0], "C", medians[1], "1.5")
    emit("change 1,000 of 100,000", medians[0], "file", medians[2], "0.6")
  }

  private func hundredth(
    of store: PersistentContainer, from start: Int = 0
  ) throws -> (context: ManagedObjectContext, objects: [Mixed]) {
    let context = store.makeContext()
    let all = try context.fetch(FetchRequest<Mixed>())
    return (context, stride(from: start, to: all.count, by: 100).map { all[$0] })
  }

  private func change(
    _ part: (context: ManagedObjectContext, objects: [Mixed]), _ turn: Int
  ) throws -> Double {
    try nanoseconds {
      for (index, object) in part.objects.enumerated() { object.large = -turn - index }
      try part.context.save()
    } / Double(part.objects.count)
  }

  // MARK: - Durable saves

  private func saves() throws {
    let server = try BenchmarkServer(in: directory, syncMicroseconds: Self.syncMicroseconds)
    defer { server.stop() }
    fixed_sync_set(Self.syncMicroseconds)
    defer { fixed_sync_set(-1) }
    for (threads, count, targets) in [
      (1, 400, ("1.43", "1.25")), (8, 200, ("1.43", "0.33")), (32, 100, ("2.00", "0.20")),
    ] {
      let medians = try interleaved(
        rounds: 5,
        [
          { try save(try server.emptyStore([Mixed.self]), threads, count) },
          { try saveByHand(server, threads, count) }, { try save(try fileStore(), 1, 400) },
        ])
      emit("durable saves, \(threads) threads", medians[0], "C", medians[1], targets.0)
      emit(
        "durable saves, \(threads) threads", medians[0], "file, one thread", medians[2], targets.1)
    }
  }

  /// Nanoseconds for a save of one changed object and a new one.
  private func save(
    _ store: PersistentContainer, _ threads: Int, _ saves: Int
  ) throws -> Double {
    defer { store.close() }
    try fill(store, rows: threads)
    let ids = ThreadNumbers(try store.makeContext().fetchIDs(FetchRequest<Mixed>()))
    // The first save of each thread makes what saves need.
    try onEach(threads, store, ids, saves: 1)
    return try nanoseconds { try onEach(threads, store, ids, saves: saves) }
      / Double(threads * saves)
  }

  private func onEach(
    _ threads: Int, _ store: PersistentContainer, _ ids: ThreadNumbers, saves: Int
  ) throws {
    _ = try nanoseconds(onThreads: threads) {
      let context = store.makeContext()
      let mine = try context.existingObject(with: ids.next(), as: Mixed.self)
      for number in 0..<saves {
        mine.large = number
        set(try context.insert(Mixed.self), number)
        try context.save()
      }
    }
  }

  private func saveByHand(_ server: BenchmarkServer, _ threads: Int, _ saves: Int) throws -> Double
  {
    let store = try server.emptyStore([Mixed.self])
    defer { store.close() }
    try fill(store, rows: threads)
    let keys = try store.makeContext().fetchIDs(FetchRequest<Mixed>()).map(\.key)
    return try baseline(
      server_saves(server.connection, Int32(threads), Int32(saves), keys, 1_000_000),
      for: threads * saves)
  }

  // MARK: - Latency

  /// 100 twigs are fetched, the branch of each is read, 20 twigs are changed and 5 are new.
  private func latency(_ server: BenchmarkServer) throws {
    let store = try server.emptyStore(Self.tree)
    try grow(store)
    store.close()
    let far = try server.open(Self.tree, try server.delayed(microseconds: 5000))
    defer { far.close() }
    var turn = 0
    let medians = try interleaved([
      {
        turn += 1
        return try nanoseconds { try work(far, turn) }
      }
    ])
    emit("a unit of work at 10 ms", medians[0], "three round trips", 30e6, "1.5")
  }

  private static let tree: [any ModelObject.Type] = [Trunk.self, Branch.self, Twig.self]

  private func grow(_ store: PersistentContainer) throws {
    let context = store.makeContext()
    for number in 0..<100 {
      let branch = try context.insert(Branch.self)
      (branch.name, branch.number) = ("branch \(number)", number)
      let twig = try context.insert(Twig.self)
      (twig.name, twig.number, twig.branch) = ("twig \(number)", number, branch)
    }
    try context.save()
  }

  private func work(_ store: PersistentContainer, _ turn: Int) throws {
    let context = store.makeContext()
    let twigs = try context.fetch(FetchRequest<Twig>(where: .less("number", 100)))
    consume(twigs.reduce(0) { $0 + ($1.branch?.number ?? 0) })
    for twig in twigs.prefix(20) { twig.name = "twig of turn \(turn)" }
    for number in 0..<5 {
      let twig = try context.insert(Twig.self)
      (twig.name, twig.number, twig.branch) = ("new", 1000 + number, twigs[number].branch)
    }
    try context.save()
  }

  // MARK: - Stores

  private func fileStore() throws -> PersistentContainer {
    try Scratch(directory: directory, types: [Mixed.self]).emptyStore("beside")
  }

  private func fill(_ store: PersistentContainer, rows: Int = rows) throws {
    let context = store.makeContext()
    for number in 0..<rows { set(try context.insert(Mixed.self), number) }
    try context.save()
  }

  private func set(_ mixed: Mixed, _ i: Int) {
    (mixed.name, mixed.city) = ("name number \(i)", "city \(i % 100)")
    (mixed.note, mixed.small) = ("note \(i % 1000) of many", i % 30000)
    (mixed.large, mixed.latitude) = (i * 1_000_003, Double(i) * 0.5)
    (mixed.longitude, mixed.flag) = (Double(i) * 0.25, i % 2 == 0)
  }
}

/// Gives each thread an object of its own, again and again.
private final class ThreadNumbers: Sendable {
  private let ids: [ManagedObjectID]
  private let given = Mutex(0)

  init(_ ids: [ManagedObjectID]) { self.ids = ids }

  func next() -> ManagedObjectID {
    given.withLock { given in
      defer { given += 1 }
      return ids[given % ids.count]
    }
  }
}
