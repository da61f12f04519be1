#if PostgreSQL
  import Foundation
  import OxbowMigration
  import OxbowModel
  import OxbowPostgres
  import OxbowSQLite
  import OxbowStore
  import OxbowStoreContract
  import OxbowTestSupport
  import Testing

  /// What random programs leave in a file is the same on a server, and back in a file.
  ///
  /// A program has `OXBOW_COPY_STEPS` steps, or 120.
  @Suite(.enabled(if: TestServer.shared != nil)) struct CopiedStoreTests {
    private static let steps =
      ProcessInfo.processInfo.environment["OXBOW_COPY_STEPS"].flatMap { Int($0) } ?? 120

    @Test(arguments: [World.flat, .inherited], [1, UInt64.random(in: 2...UInt64.max)])
    func `a store of a random program is copied to a server and back`(
      world: World, seed: UInt64
    ) throws {
      let folder = try TemporaryFolder()
      let model = try CompiledModel(world.model)
      let bench = try Bench(world, model, .log, at: folder.file("a.sqlite"))
      var program = RandomProgram(world: world) { SoloPlayer(bench, .some) }
      program.length = Self.steps
      var tally = Tally()
      #expect(try program.run(seed: seed, &tally) == nil, "seed \(seed)")
      let server = try #require(TestServer.shared)
      let location = PostgresLocation(server.connection, schema: server.newSchema())
      let files = ["a.sqlite", "b.sqlite"].map {
        StoreCopy.Place(SQLiteCopyEngine(folder.file($0)))
      }
      let out = try StoreCopy(from: files[0], to: .server(location)).make()
      let back = try StoreCopy(from: .server(location), to: files[1]).make()
      #expect((out.objects, out.links) == (back.objects, back.links))
      let stores: [any PersistentStore] = [
        bench.coordinator.store, try PostgresStore(model, at: location),
        try SQLiteStore(model, at: .file(folder.file("b.sqlite"))),
      ]
      let found = try stores.map { try lines(of: $0) }
      #expect(found[0].count == out.objects)
      #expect(found[1] == found[0], "seed \(seed)")
      #expect(found[2] == found[0], "seed \(seed)")
      for store in stores.dropFirst() { store.close() }
    }
  }
#endif
