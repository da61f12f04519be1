#if PostgreSQL
  import Foundation
  import OxbowModel
  import OxbowPostgres
  import OxbowStore
  import OxbowStoreContract
  import OxbowTestSupport
  import Testing

  /// Rows that are made, and sent, while others are on their way.
  @Suite(.enabled(if: TestServer.shared != nil), .timeLimit(.minutes(30)))
  struct StreamedRowsTests {
    private func fill(_ library: PostgresLibrary, _ count: Int64) throws {
      try library.save {
        $0.inserts = try (1...count).map {
          try library.insert("Tag", $0, ["label": .string("tag \($0)")])
        }
      }
    }

    // MARK: Reading

    @Test func `rows come in slabs as large as a store in a file makes them`() throws {
      let library = try PostgresLibrary()
      try fill(library, 5000)
      let usual = RowSlab.usualCapacity
      for count in [0, 1, 15, 16, 17, 63, 64, 65, 1024, 1025, usual - 1, usual, usual + 1, 5000] {
        var fetch = try library.fetch("Tag")
        fetch.limit = count
        // Together, and then one by one where they are many.
        for _ in 0..<2 {
          let slabs = try library.store.rows(of: fetch)
          #expect(library.keys(slabs) == (0..<count).map { Int64($0) + 1 })
          #expect(slabs.map(\.count) == sizes(count), "\(count) rows")
        }
      }
    }

    private func sizes(_ count: Int) -> [Int] {
      let usual = RowSlab.usualCapacity
      return stride(from: 0, to: count, by: usual).map { min(usual, count - $0) }
    }

    @Test func `the texts of rows that were moved are theirs`() throws {
      let library = try PostgresLibrary()
      try fill(library, 3000)
      let property = try library.property("Tag", "label")
      for _ in 0..<2 {
        let slabs = try library.store.rows(of: try library.fetch("Tag"))
        let labels = slabs.flatMap { slab in
          (0..<slab.count).map { slab.storedValue($0, property) }
        }
        #expect(labels == (1...3000).map { .string("tag \($0)") })
      }
    }

    @Test func `a row that does not fit, among thousands, is named, and the store goes on`() throws
    {
      let server = try #require(TestServer.shared)
      let library = try PostgresLibrary(at: server.location("streamed"))
      try fill(library, 6000)
      server.sql(#"UPDATE streamed."Tag" SET label = E'\x01zz' WHERE _id = 3333"#)
      for _ in 0..<2 {
        let error = errorOf { _ = try library.store.rows(of: try library.fetch("Tag")) }
        #expect(error?.code == .invalidStoredValue)
        #expect(error?.message.contains("3333") == true, "\(error?.description ?? "none")")
      }
      #expect(library.keys(try library.store.keys(of: try library.fetch("Tag"))).count == 6000)
      server.sql(#"UPDATE streamed."Tag" SET label = 'fits' WHERE _id = 3333"#)
      #expect(
        try library.store.rows(of: try library.fetch("Tag")).map(\.count).reduce(0, +) == 6000)
    }

    @Test func `a column of another type is found out with rows and without`() throws {
      let server = try #require(TestServer.shared)
      let library = try PostgresLibrary(at: server.location("typed"))
      server.sql(#"ALTER TABLE typed."Tag" ALTER label TYPE varchar USING label"#)
      for _ in 0..<2 {
        let error = errorOf { _ = try library.store.rows(of: try library.fetch("Tag")) }
        #expect(error?.code == .notAStore, "\(error?.description ?? "none")")
        server.sql(#"INSERT INTO typed."Tag" (_id, _version, label) VALUES (1, 1, 'a')"#)
      }
    }

    @Test func `a connection that is lost between rows is another attempt`() throws {
      let server = try #require(TestServer.shared)
      let proxy = try #require(CuttingProxy(to: server, name: "answers"))
      var location = server.location()
      try fill(try PostgresLibrary(at: location), 5000)
      location.connection = proxy.connection
      let library = try PostgresLibrary(at: location)
      for bytes in [1, 100, 10_000, 60_000, 150_000] {
        #expect(try library.keys("Tag").count == 5000)
        proxy.cutAnswers(behind: bytes)
        #expect(
          library.keys(try library.store.rows(of: try library.fetch("Tag"))) == Array(1...5000))
        #expect(proxy.hasCutAnswers)
      }
    }

    // MARK: Writing

    @Test func `a value that the model refuses, behind thousands that were sent, saves nothing`()
      throws
    {
      let library = try PostgresLibrary()
      let (tag, last) = (try library.entity("Tag"), Int64(40_000))
      let error = errorOf {
        try library.save {
          $0.inserts = try (1..<last).map {
            try library.insert("Tag", $0, ["label": .string("tag \($0)")])
          }
          $0.inserts.append(
            ChangeSet.Insert(
              entity: tag.index, key: last,
              values: ContiguousArray(repeating: nil, count: tag.properties.count)))
        }
      }
      #expect(error?.code == .validation)
      #expect(error?.message.contains("Tag/p\(last)") == true, "\(error?.description ?? "none")")
      #expect(try library.keys("Tag").isEmpty)
      try fill(library, 3000)
      #expect(try library.keys("Tag").count == 3000)
    }
  }
#endif
