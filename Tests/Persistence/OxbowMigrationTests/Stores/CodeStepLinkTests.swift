import OxbowMigration
import OxbowModel
import OxbowTestSupport
import Testing

/// Relationships in steps in Swift, and what is looked at behind every step (product D5).
@Suite struct CodeStepLinkTests {
  let lab: Lab

  /// Every way in which a store keeps links: a key into a hierarchy, ordered, one to one, of an
  /// entity with itself, many to many with an order at each end, and without an inverse.
  static let model = ManagedObjectModel(entities: [
    EntityDescription(
      "Account", isAbstract: true, attributes: [AttributeDescription("number", .string)],
      relationships: [
        RelationshipDescription(
          "totals", to: "Total", inverse: "account", isToMany: true, isOrdered: true)
      ]),
    EntityDescription(
      "Asset", parent: "Account",
      relationships: [RelationshipDescription("card", to: "Card", inverse: "asset")]),
    EntityDescription("Debt", parent: "Account"),
    EntityDescription(
      "Total", attributes: [AttributeDescription("month", .string)],
      relationships: [
        RelationshipDescription("account", to: "Account", inverse: "totals"),
        RelationshipDescription(
          "tags", to: "Tag", inverse: "totals", isToMany: true, isOrdered: true),
        RelationshipDescription("origin", to: "Debt"),
      ]),
    EntityDescription(
      "Card", attributes: [AttributeDescription("name", .string)],
      relationships: [
        RelationshipDescription("asset", to: "Asset", inverse: "card", isOptional: false)
      ]),
    EntityDescription(
      "Tag",
      relationships: [
        RelationshipDescription(
          "totals", to: "Total", inverse: "tags", isToMany: true, isOrdered: true),
        RelationshipDescription("near", to: "Tag", inverse: "near", isToMany: true),
        RelationshipDescription("twin", to: "Tag", inverse: "twin"),
      ]),
  ])

  init() throws {
    lab = try Lab()
    try lab.add(Self.model, "initial")
    _ = try lab.migrator().apply()
    _ = try MigrationSequence(folder: lab.migrations).addCodeStep(named: "step", run: "x")
  }

  func apply(_ body: @escaping CodeStep.Body) throws {
    _ = try Migrator(
      lab.backend(), folder: lab.migrations, target: nil, code: [.plain("step", body)]
    ).apply()
  }

  func refused(_ body: @escaping CodeStep.Body) -> String {
    lab.message { try apply(body) }
  }

  @Test func `D5: an object is inserted with its links, also into a hierarchy`() throws {
    try apply { rows in
      let asset = try rows.insert("Asset", ["number": .string("1000")])
      let debt = try rows.insert("Debt", ["number": .string("2000")])
      for (month, account) in [("1", debt), ("2", asset), ("3", debt)] {
        try rows.insert(
          "Total", ["month": .string(month)], links: ["account": account, "origin": debt])
      }
      let card = try rows.insert("Card", ["name": .string("c")], links: ["asset": asset])
      let account = try #require(try rows.object("Account", key: debt))
      #expect(try rows.keys(of: "totals", from: account) == [1, 3])
      let owner = try #require(try rows.object("Asset", key: asset))
      #expect(try rows.keys(of: "card", from: owner) == [card])
      #expect(try rows.object("Total", key: 2)?.key(of: "account") == asset)
    }
    #expect(
      try lab.rows(
        """
        SELECT t."month", e."name", t."_account_position" FROM "Total" t
        JOIN "_oxbow_entities" e ON e."number" = t."_account_type" ORDER BY 1
        """) == ["'1'|'Debt'|2048", "'2'|'Asset'|2048", "'3'|'Debt'|3072"])
  }

  @Test func `D5: every kind of link is made, moved and taken away at both ends`() throws {
    try apply { rows in
      for number in 1...3 { try rows.insert("Asset", ["number": .string("\(number)")]) }
      for _ in 1...3 { try rows.insert("Tag") }
      for month in 1...2 { try rows.insert("Total", ["month": .string("\(month)")]) }
      func row(_ entity: String, _ key: Int64) throws -> MigrationRow {
        try #require(try rows.object(entity, key: key))
      }
      func keys(_ entity: String, _ key: Int64, _ name: String) throws -> [Int64] {
        try rows.keys(of: name, from: row(entity, key))
      }
      // From the end of many, and of one.
      try rows.link(row("Asset", 1), "totals", to: 2)
      try rows.link(row("Total", 1), "account", to: 1)
      #expect(try keys("Asset", 1, "totals") == [2, 1])
      try rows.link(row("Total", 2), "account", to: 1)
      #expect(try keys("Asset", 1, "totals") == [2, 1])
      try rows.link(row("Asset", 2), "totals", to: 2)
      #expect(try keys("Asset", 1, "totals") == [1])
      #expect(try keys("Total", 2, "account") == [2])
      try rows.unlink(row("Asset", 1), "totals", from: 2)
      try rows.unlink(row("Total", 1), "account", from: 1)
      #expect(try keys("Asset", 1, "totals") == [])
      #expect(try keys("Asset", 2, "totals") == [2])
      // Many to many, with two orders.
      try rows.link(row("Total", 1), "tags", to: 3)
      try rows.link(row("Total", 1), "tags", to: 1)
      try rows.link(row("Tag", 3), "totals", to: 2)
      try rows.link(row("Tag", 3), "totals", to: 1)
      #expect(try keys("Total", 1, "tags") == [3, 1])
      #expect(try keys("Tag", 3, "totals") == [1, 2])
      try rows.unlink(row("Tag", 3), "totals", from: 1)
      #expect(try keys("Total", 1, "tags") == [1])
      // Of an entity with itself.
      try rows.link(row("Tag", 1), "near", to: 2)
      try rows.link(row("Tag", 2), "near", to: 2)
      #expect(try keys("Tag", 2, "near") == [1, 2])
      try rows.unlink(row("Tag", 2), "near", from: 1)
      #expect(try keys("Tag", 1, "near") == [])
      try rows.link(row("Tag", 1), "twin", to: 2)
      try rows.link(row("Tag", 3), "twin", to: 2)
      #expect(try keys("Tag", 1, "twin") == [])
      #expect(try keys("Tag", 2, "twin") == [3])
      try rows.link(row("Tag", 3), "twin", to: 3)
      #expect(try keys("Tag", 2, "twin") == [])
      #expect(try keys("Tag", 3, "twin") == [3])
      // One to one, one end of which is required.
      try rows.insert("Card", ["name": .string("a")], links: ["asset": 1])
      try rows.link(row("Card", 1), "asset", to: 2)
      #expect(try keys("Asset", 1, "card") == [])
      #expect(try keys("Asset", 2, "card") == [1])
      try rows.link(row("Asset", 3), "card", to: 1)
      #expect(try keys("Card", 1, "asset") == [3])
    }
  }

  @Test func `D5: links that cannot be are refused with a reason`() throws {
    func message(
      _ body: @escaping @Sendable (MigrationRow, MigrationRows) throws -> Void
    ) -> String {
      refused { rows in
        let asset = try rows.insert("Asset", ["number": .string("1")])
        try rows.insert("Card", ["name": .string("a")], links: ["asset": asset])
        let total = try rows.insert("Total", ["month": .string("1")], links: ["account": asset])
        try body(try #require(try rows.object("Total", key: total)), rows)
      }
    }
    #expect(
      message { try $1.link($0, "account", to: 9) }.hasPrefix(
        "'Total.account' cannot lead to the key 9: there is no Account with it\n"))
    #expect(
      message { try $1.link($0, "origin", to: 1) }.hasPrefix(
        "'Total.origin' leads to Debt, and the object with the key 1 is Asset\n"))
    #expect(
      message { try $1.link($0, "month", to: 1) }.hasPrefix(
        "'Total.month' is an attribute and has no links\n"))
    #expect(message { try $1.link($0, "acount", to: 1) }.contains("did you mean: 'account'?"))
    #expect(
      message { try $1.insert("Card", ["name": .string("b")]) }.hasPrefix(
        "'Card.asset' is required: say where it leads, links: [\"asset\": key]\n"))
    #expect(
      message { try $1.insert("Card", ["name": .string("b")], links: ["asset": 1]) }.hasPrefix(
        "'Card.asset' of the object with the key 1 is required and would lead nowhere; link it with "
          + "another object, or delete it\n"))
    #expect(try lab.rows("SELECT count(*) FROM \"Account\"") == ["0"])
  }

  @Test func `E8: SQL takes arguments, and its answers can be read`() throws {
    try apply { rows in
      let quote = AttributeValue.string("it's")
      for number in 1...3 { try rows.insert("Total", ["month": .string("\(number)")]) }
      #expect(
        try rows.run(
          sql: #"UPDATE "Total" SET "month" = ? WHERE "_id" > ?"#, quote, .integer(1)) == 2)
      let sums = try rows.select(
        #"SELECT "month", count(*), sum("_id") / 2.0, NULL FROM "Total" GROUP BY 1 ORDER BY 1"#)
      #expect(
        sums == [
          [.string("1"), .integer(1), .double(0.5), nil], [quote, .integer(2), .double(2.5), nil],
        ])
      #expect(try rows.select(#"SELECT 1 FROM "Total" WHERE "month" = ?"#, quote).count == 2)
      #expect(throws: PersistenceError.self) {
        try rows.run(sql: #"UPDATE "Total" SET "month" = ?"#, .double(.nan))
      }
    }
  }

  static let wrong: [(String, String)] = [
    (
      #"UPDATE "Total" SET "_account_type" = NULL WHERE "_id" = 1"#,
      "objects whose key of 'Total.account' and '_account_type' beside it, the entity of the object "
        + "there, do not agree: 1 (1)"
    ),
    (
      #"UPDATE "Total" SET "account" = 2"#,
      "objects whose key of 'Total.account' and '_account_type' beside it, the entity of the object "
        + "there, do not agree: 7 (1, 2, 3, 4, 5, …)"
    ),
    (
      #"UPDATE "Total" SET "origin" = 1 WHERE "_id" < 3"#,
      "objects whose 'Total.origin' leads to an object that is not Debt: 2 (1, 2)"
    ),
    (
      #"UPDATE "Account" SET "card" = NULL"#,
      "objects whose 'Card.asset' leads to one whose 'Asset.card' does not lead back: 1 (1)"
    ),
    (
      #"INSERT INTO "Tag_near" ("owner", "member") VALUES (2, 1)"#,
      "links of 'Tag_near' without the one that leads back: 1 (2)"
    ),
    (
      #"DELETE FROM "Tag_near" WHERE "owner" = 1"#,
      "links of 'Tag_near' without the one that leads back: 1 (3)"
    ),
  ]

  @Test(arguments: wrong.indices, [true, false])
  func `D5: keys are compared behind every step, with the rows that are wrong`(
    index: Int, isScript: Bool
  ) throws {
    let (sql, problem) = Self.wrong[index]
    try apply { rows in
      let asset = try rows.insert("Asset", ["number": .string("1")])
      try rows.insert("Debt", ["number": .string("2")])
      for _ in 1...7 {
        try rows.insert("Total", ["month": .string("1")], links: ["account": asset])
      }
      try rows.insert("Card", ["name": .string("a")], links: ["asset": asset])
      for _ in 1...3 { try rows.insert("Tag") }
      try rows.link(try #require(try rows.object("Tag", key: 1)), "near", to: 3)
    }
    var code: [CodeStep] = []
    if isScript {
      try lab.add(sql: sql + ";")
    } else {
      _ = try MigrationSequence(folder: lab.migrations).addCodeStep(named: "wrong", run: "x")
      code = [.batched("wrong", over: "Card", size: 1) { _, rows in try rows.run(sql: sql) }]
    }
    let migrator = try Migrator(lab.backend(), folder: lab.migrations, target: nil, code: code)
    let message = lab.message { _ = try migrator.apply() }
    #expect(message.contains("writes what the model does not allow, and was rolled back"))
    #expect(message.contains("found: " + problem))
  }

  @Test func `D5: what an earlier batch wrote is compared at the end, also after a kill`() throws {
    struct Stop: Error {}
    try apply { rows in
      let asset = try rows.insert("Asset", ["number": .string("1")])
      for _ in 1...3 {
        try rows.insert("Total", ["month": .string("1")], links: ["account": asset])
      }
    }
    _ = try MigrationSequence(folder: lab.migrations).addCodeStep(named: "wrong", run: "x")
    func migrator(stops: Bool) throws -> Migrator {
      let step = CodeStep.batched("wrong", over: "Total", size: 1) { total, rows in
        if total.key == 1 { try rows.run(sql: #"UPDATE "Total" SET "_account_type" = NULL"#) }
        if total.key == 2, stops { throw Stop() }
      }
      return try Migrator(lab.backend(), folder: lab.migrations, target: nil, code: [step])
    }
    #expect(lab.message { _ = try migrator(stops: true).apply() }.contains("threw an error"))
    #expect(lab.message { _ = try migrator(stops: false).apply() }.contains("do not agree: 3"))
  }

  @Test func `what a batch wrote whose commit was unknown is compared too`() throws {
    try apply { rows in
      let asset = try rows.insert("Asset", ["number": .string("1")])
      for _ in 1...3 {
        try rows.insert("Total", ["month": .string("1")], links: ["account": asset])
      }
    }
    _ = try MigrationSequence(folder: lab.migrations).addCodeStep(named: "wrong", run: "x")
    let step = CodeStep.batched("wrong", over: "Total", size: 1) { total, rows in
      if total.key == 2 { try rows.run(sql: #"UPDATE "Total" SET "_account_type" = NULL"#) }
    }
    // The first transaction looks only.
    let backend = DisturbedBackend(base: lab.backend(), unknownCommit: 3)
    let migrator = try Migrator(backend, folder: lab.migrations, target: nil, code: [step])
    #expect(lab.message { _ = try migrator.apply() }.contains("do not agree: 3"))
  }

  @Test func `D5: rows with wrong keys are found by looking at the store alone`() throws {
    try apply { rows in
      let asset = try rows.insert("Asset", ["number": .string("1")])
      try rows.insert("Total", ["month": .string("1")], links: ["account": asset])
    }
    #expect(try lab.migrator().rowProblems().isEmpty)
    try lab.run(#"UPDATE "Total" SET "_account_type" = NULL"#)
    #expect(try lab.migrator().rowProblems().count == 1)
  }
}
