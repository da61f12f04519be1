#if PostgreSQL
  import Foundation
  import OxbowModel
  import OxbowPostgres
  import OxbowSQLite
  import OxbowStore
  import OxbowStoreContract
  import OxbowTestSupport
  import Testing

  /// What a store on a server reads is what a store in a file would.
  @Suite(.enabled(if: TestServer.shared != nil), .timeLimit(.minutes(30)))
  struct PostgresReadingTests {
    // MARK: Texts and names

    @Test func `texts with NUL are found, compared and sorted as they are`() throws {
      let texts = [
        "", "\u{0}", "\u{1}", "a", "a\u{0}", "a\u{0}b", "a\u{1}", "a\u{2}b", "\u{3}", "b",
      ]
      let library = try PostgresLibrary()
      try library.save {
        $0.inserts = try texts.enumerated().map {
          try library.insert("Tag", Int64($0) + 1, ["label": .string($1)])
        }
      }
      var fetch = try library.fetch("Tag")
      fetch.sortKeys = [OrderingTerm("label")]
      let sorted = texts.indices.sorted {
        Array(texts[$0].utf8).lexicographicallyPrecedes(Array(texts[$1].utf8))
      }
      #expect(library.keys(try library.store.rows(of: fetch)) == sorted.map { Int64($0) + 1 })
      for (operation, test) in [
        (
          TextOperator.contains,
          { (a: String, b: String) in b.isEmpty || a.utf8.firstRange(of: b.utf8) != nil }
        ),
        (.beginsWith, { $0.utf8.starts(with: $1.utf8) }),
        (.endsWith, { $0.utf8.reversed().starts(with: $1.utf8.reversed()) }),
      ] {
        for part in texts {
          let found = try library.keys(
            "Tag", .text(.path(["label"]), operation, .value(.attribute(.string(part))), []))
          #expect(found == texts.indices.filter { test(texts[$0], part) }.map { Int64($0) + 1 })
        }
      }
      #expect(try library.only("Tag", 6)["label"] == "\(AttributeValue.string("a\u{0}b"))")
    }

    @Test func `names that a server would cut stay apart`() throws {
      let long = String(repeating: "aé", count: 40)
      let model = ManagedObjectModel(entities: [
        EntityDescription(
          long + "x",
          attributes: [
            AttributeDescription(long + "1", .string), AttributeDescription(long + "2", .string),
          ],
          uniquenessConstraints: [[long + "1"], [long + "2"]]),
        EntityDescription(long + "y", attributes: [AttributeDescription(long, .string)]),
      ])
      let location = try #require(TestServer.shared).location()
      let library = try PostgresLibrary(model, at: location)
      try library.save {
        $0.inserts = [
          try library.insert(
            long + "x", 1, [long + "1": .string("one"), long + "2": .string("two")]),
          try library.insert(long + "y", 1, [long: .string("three")]),
        ]
      }
      let again = try PostgresLibrary(model, at: location)
      #expect(
        try again.only(long + "x", 1) == [
          long + "1": "\(AttributeValue.string("one"))",
          long + "2": "\(AttributeValue.string("two"))",
        ])
      let error = errorOf {
        try again.save {
          $0.inserts = [try again.insert(long + "x", 2, [long + "2": .string("two")])]
        }
      }
      #expect(error?.validationFailures.first?.properties == [long + "2"])
    }

    @Test func `objects are found by themselves, and no other row is read`() throws {
      let library = try PostgresLibrary()
      try library.save { changes in
        for key in 1...50 as ClosedRange<Int64> {
          changes.inserts.append(try library.insert("Tag", key))
          changes.inserts.append(try library.insert("Book", key))
          changes.links.append(try library.link(("Book", key), "tags", ("Tag", key), at: 1))
        }
      }
      func tag(_ key: Int64) -> FetchValue {
        .object(
          ManagedObjectID(
            store: library.store.identifier, rootEntityName: "Tag", entityName: "Tag", key: key))
      }
      let ours = FetchPredicate.isIn(.path([]), [tag(7), tag(9), tag(99)])
      for (predicate, entity, keys) in [
        (ours, "Tag", [7, 9]),
        (.comparison(.path([]), .equal, .value(tag(7))), "Tag", [7]),
        (.and([ours, .comparison(.path([]), .notEqual, .value(tag(7)))]), "Tag", [9]),
        (.and([ours, .not(.isIn(.path([]), [tag(9)]))]), "Tag", [7]),
        (.any(path: ["tags"], ours), "Book", [7, 9]),
      ] as [(FetchPredicate, String, [Int64])] {
        let before = library.store.statistics.rowsRead
        #expect(try library.keys(entity, predicate) == keys, "\(predicate)")
        #expect(library.store.statistics.rowsRead - before == keys.count, "\(predicate)")
      }
    }

    // MARK: The same answers

    @Test func `a calculation without a result is what it is in a file`() throws {
      let server = try PostgresLibrary()
      let file = StoreLibrary(try SQLiteStore(try CompiledModel(libraryModel()), at: .inMemory))
      let numbers: [(pages: Int64, copies: Int64?)] = [
        (7, 0), (0, 0), (7, 2), (-7, -1), (3, .min), (3, .max), (3, nil),
      ]
      for (key, (pages, copies)) in numbers.enumerated() {
        func insert<Store: PersistentStore>(_ library: StoreLibrary<Store>) throws {
          var values: [String: AttributeValue] = [
            "pages": .integer(pages), "weight": .double(Double(pages)),
          ]
          values["copies"] = copies.map { AttributeValue.integer($0) }
          try library.save { $0.inserts = [try library.insert("Book", Int64(key) + 1, values)] }
        }
        try insert(server)
        try insert(file)
      }
      for predicate in Self.calculations {
        #expect(try server.keys("Book", predicate) == file.keys("Book", predicate), "\(predicate)")
      }
    }

    /// Conditions with divisions by zero, and with results that no whole number is.
    private static var calculations: [FetchPredicate] {
      let (pages, weight, copies) = (
        FetchExpression.path(["pages"]), FetchExpression.path(["weight"]),
        FetchExpression.path(["copies"])
      )
      let results: [FetchExpression] = [
        .arithmetic(pages, .divide, copies), .arithmetic(pages, .remainder, copies),
        .arithmetic(weight, .divide, copies), .arithmetic(copies, .divide, pages),
        .arithmetic(copies, .multiply, copies), .arithmetic(copies, .add, copies),
        .arithmetic(copies, .subtract, .value(.attribute(.integer(3)))), .negated(copies),
        .arithmetic(
          .arithmetic(copies, .add, copies), .remainder, .value(.attribute(.integer(10)))),
        .arithmetic(.arithmetic(copies, .add, copies), .bitwiseAnd, pages),
        .arithmetic(copies, .divide, .value(.attribute(.integer(-1)))),
      ]
      let others: [FetchValue] = [.null, .attribute(.integer(0)), .attribute(.double(9.3e18))]
      return results.flatMap { result in
        others.flatMap { other in
          [ComparisonOperator.equal, .notEqual, .less].flatMap { sign in
            let condition = FetchPredicate.comparison(result, sign, .value(other))
            return [condition, .not(condition)]
          }
        }
      }
    }

    /// Two stores with the same random items.
    private func forests(seed: UInt64) throws -> (Forest<PostgresStore>, Forest<SQLiteStore>) {
      var (first, second) = (AgreementRandom(seed: seed), AgreementRandom(seed: seed))
      return (
        try Forest(&first, in: StoreContract<PostgresStore>()),
        try Forest(
          &second,
          in: StoreContract<SQLiteStore> {
            StoreLibrary(try SQLiteStore(try CompiledModel($0), at: .inMemory))
          })
      )
    }

    @Test(arguments: [1, UInt64.random(in: 2...UInt64.max)])
    func `slices, limits, counts and keys are those of a store in a file`(seed: UInt64) throws {
      let (server, file) = try forests(seed: seed)
      var random = AgreementRandom(seed: seed)
      for round in 0..<150 {
        var fetch = try server.library.fetch("Item", random.predicate(depth: 2))
        fetch.sortKeys = random.sortKeys()
        fetch.keysDescend = Bool.random(using: &random)
        if Bool.random(using: &random) { fetch.limit = Int.random(in: 0...20, using: &random) }
        fetch.offset = Int.random(in: 0...5, using: &random)
        if Bool.random(using: &random) { fetch.afterKey = Int64.random(in: 0...60, using: &random) }
        if Bool.random(using: &random) {
          fetch.keys = (0..<40).map { _ in Int64.random(in: 0...70, using: &random) }
        }
        if Bool.random(using: &random), let item = server.items.randomElement(using: &random) {
          fetch.after = try fetch.sortKeys.place(of: item)
        }
        let comment: Comment = "seed \(seed), round \(round): \(fetch)"
        let (a, b) = (server.library, file.library)
        let rows = Result { a.heads(try a.store.rows(of: fetch)) }
        let expected = Result { b.heads(try b.store.rows(of: fetch)) }
        #expect((try? rows.get()) == (try? expected.get()), comment)
        guard (try? expected.get()) != nil else { continue }
        #expect(try a.store.count(of: fetch) == b.store.count(of: fetch), comment)
        #expect(
          try a.keys(a.store.keys(of: fetch)) == b.keys(b.store.keys(of: fetch)), comment)
        #expect(try a.store.places(of: fetch) == b.store.places(of: fetch), comment)
      }
    }

    @Test func `values, groups, sums and averages are those of a store in a file`() throws {
      let (server, file) = try forests(seed: 5)
      let entity = try server.library.entity("Item").index
      let queries: [ColumnQuery] = [
        try ColumnQuery(entity: entity, columns: ["name", "rank", "parent.name", "parent"]),
        try ColumnQuery(entity: entity, columns: ["flag", "count()", "sum(grade)", "avg(rank)"]),
        try ColumnQuery(
          entity: entity, columns: ["sum(price)", "avg(price)", "min(day)", "max(name)"]),
        try ColumnQuery(
          entity: entity, columns: ["sum(ratio)", "avg(ratio)", "count(distinct name)"]),
        try ColumnQuery(
          entity: entity, columns: ["name", "count()"],
          having: .comparison(.path(["count()"]), .greater, .value(.attribute(.integer(1)))),
          sortedBy: [RowOrder("name", ascending: false)]),
        try ColumnQuery(
          entity: entity,
          columns: ["sum(price ?? 1)", "avg(price ?? 0)", "count(distinct price ?? 0)"]),
        try ColumnQuery(
          entity: entity, columns: ["avg(rank ?? price)", "count(distinct grade ?? ratio)"]),
        try ColumnQuery(entity: entity, columns: ["year(day)", "month(day)"], isDistinct: true),
        try ColumnQuery(entity: entity, columns: ["grade * 2 + 1", "price"]),
      ]
      for var query in queries {
        query.predicate = try FetchPredicate(format: "rank != 3 OR name BEGINSWITH[c] 'A'")
        let comment: Comment = "\(query.columns.map(\.name))"
        #expect(
          try server.library.store.rows(of: query).values.map(text)
            == file.library.store.rows(of: query).values.map(text), comment)
        #expect(try server.library.store.check(query) == file.library.store.check(query), comment)
      }
    }

    /// A value without the store of an object.
    private func text(_ value: FetchValue) -> String {
      if case .object(let id) = value { "\(id.entityName) \(id.key)" } else { "\(value)" }
    }

    @Test func `a question that a store in a file refuses is refused in the same words`() throws {
      let (server, file) = try forests(seed: 6)
      for format in [
        "nothing == 1", "name > flag", "children == 1", "name CONTAINS rank", "flag < true",
      ] {
        let predicate = try FetchPredicate(format: format)
        let errors = [
          errorOf { _ = try server.library.keys("Item", predicate) },
          errorOf { _ = try file.library.keys("Item", predicate) },
        ]
        #expect(errors[0] != nil)
        #expect(errors[0]?.description == errors[1]?.description)
      }
    }

    @Test func `what a store on a server does not have yet is refused by name`() throws {
      let library = try PostgresLibrary()
      var ranked = try library.fetch("Tag", try FetchPredicate(format: "label CONTAINS 'x'"))
      ranked.sortKeys = [OrderingTerm(OrderingTerm.rank)]
      let beside = FetchPredicate.and([
        .sql("label IS NOT NULL"), try FetchPredicate(format: "label CONTAINS[c] 'x'"),
      ])
      let errors = [
        errorOf { _ = try library.store.rows(of: ranked) },
        errorOf { _ = try library.keys("Tag", beside) },
      ]
      #expect(errors.allSatisfy { $0?.code == .unsupported }, "\(errors)")
    }
  }
#endif
