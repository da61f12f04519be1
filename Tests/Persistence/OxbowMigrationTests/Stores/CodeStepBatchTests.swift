import OxbowMigration
import OxbowModel
import OxbowTestSupport
import Testing

/// What a step in Swift sees of rows that it wrote itself (review 2, D2).
@Suite struct CodeStepBatchTests {
  let lab: Lab

  /// 1,000 objects; ten of them share each name.
  init() throws {
    lab = try Lab()
    try lab.add(
      ManagedObjectModel(entities: [
        EntityDescription(
          "Person",
          attributes: [
            AttributeDescription("name", .string), AttributeDescription("n", .integer64),
          ])
      ]))
    _ = try lab.migrator().apply()
    try lab.run(
      """
      WITH RECURSIVE k(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k WHERE i < 1000)
      INSERT INTO "Person" ("_id", "_version", "name", "n") SELECT i, 1, 'name ' || (i % 100), 0 FROM k
      """)
    _ = try MigrationSequence(folder: lab.migrations).addCodeStep(named: "step", run: "x")
  }

  /// The same body as a batched step, whose batches are larger, smaller and as large as the table,
  /// and in `forEach`.
  enum Way: CaseIterable { case large, exact, small, forEach }

  func apply(_ way: Way, _ body: @escaping CodeStep.RowBody) throws {
    switch way {
    case .large: try apply(.batched("step", over: "Person", body))
    case .exact: try apply(.batched("step", over: "Person", size: 1000, body))
    case .small: try apply(.batched("step", over: "Person", size: 7, body))
    case .forEach:
      try apply(.plain("step") { rows in try rows.forEach("Person") { try body(&$0, rows) } })
    }
  }

  func apply(_ step: CodeStep) throws {
    _ = try Migrator(lab.backend(), folder: lab.migrations, target: nil, code: [step]).apply()
  }

  @Test(arguments: Way.allCases)
  func `D2: removing the duplicates of each object keeps one of each`(way: Way) throws {
    try apply(way) { person, rows in
      guard case .string(let name)? = try person.value("name") else { return }
      try rows.run(
        sql: "DELETE FROM \"Person\" WHERE \"name\" = '\(name)' AND \"_id\" <> \(person.key)")
    }
    #expect(
      try lab.rows("SELECT count(*), count(DISTINCT \"name\"), max(\"_id\") FROM \"Person\"") == [
        "100|100|100"
      ])
  }

  @Test(arguments: Way.allCases)
  func `D2: what a step adds to the next object is not overwritten`(way: Way) throws {
    try apply(way) { person, rows in
      guard case .integer(let own)? = try person.value("n") else { return }
      try person.setValue(.integer(own + 1), for: "n")
      guard var next = try rows.object("Person", key: person.key + 1),
        case .integer(let n)? = try next.value("n")
      else { return }
      try next.setValue(.integer(n + own + 1), for: "n")
      try rows.save(next)
    }
    #expect(
      try lab.rows("SELECT count(*) FROM \"Person\" WHERE \"n\" = \"_id\"") == ["1000"])
  }

  @Test(arguments: Way.allCases)
  func `D2: an object that was deleted does not come`(way: Way) throws {
    try apply(way) { person, rows in
      try person.setValue(.integer(1), for: "n")
      if let next = try rows.object("Person", key: person.key + 1) { try rows.delete(next) }
    }
    #expect(
      try lab.rows("SELECT count(*), sum(\"n\"), sum(\"_id\" % 2) FROM \"Person\"") == [
        "500|500|500"
      ])
  }

  @Test(arguments: Way.allCases)
  func `D2: an object that is changed and deleted by its own call is gone`(way: Way) throws {
    try apply(way) { person, rows in
      try person.setValue(.integer(1), for: "n")
      if person.key % 2 == 0 { try rows.delete(person) }
    }
    #expect(try lab.rows("SELECT count(*), sum(\"n\") FROM \"Person\"") == ["500|500"])
  }

  @Test(arguments: Way.allCases)
  func `D2: objects that a step adds to its own entity do not come, and it ends`(way: Way) throws {
    try apply(way) { person, rows in
      try rows.insert("Person", ["name": .string("copy of \(person.key)"), "n": .integer(0)])
    }
    #expect(try lab.rows("SELECT count(*) FROM \"Person\"") == ["2000"])
  }

  @Test(arguments: Way.allCases)
  func `D2: what a trigger of the user writes to later objects is seen`(way: Way) throws {
    try lab.run(
      """
      CREATE TRIGGER carry AFTER UPDATE OF "n" ON "Person" WHEN new."_id" < 1000 AND new."n" < 5000
      BEGIN UPDATE "Person" SET "n" = 10000 WHERE "_id" = new."_id" + 1; END
      """)
    try apply(way) { person, _ in
      guard case .integer(let n)? = try person.value("n") else { return }
      try person.setValue(.integer(n + 1), for: "n")
    }
    #expect(
      try lab.rows("SELECT \"n\", count(*) FROM \"Person\" GROUP BY 1 ORDER BY 1") == [
        "1|500", "10001|500",
      ])
  }

  @Test func `D2: a batched step that inserts and is cut off ends where it would have ended`()
    throws
  {
    struct Stop: Error {}
    func step(stoppingAt key: Int64) -> CodeStep {
      .batched("step", over: "Person", size: 300) { person, rows in
        if person.key == key { throw Stop() }
        try rows.insert("Person", ["name": .string("copy"), "n": .integer(0)])
      }
    }
    for key in [450, 700, 999] as [Int64] {
      #expect(throws: PersistenceError.self) { try apply(step(stoppingAt: key)) }
    }
    try apply(step(stoppingAt: 0))
    #expect(try lab.rows("SELECT count(*) FROM \"Person\"") == ["2000"])
  }

  private func lastKey() throws -> String { try lab.rows("SELECT \"last\" FROM _oxbow_keys")[0] }

  @Test func `a key that a step has given is not given again`() throws {
    try apply(
      .plain("step") { rows in
        let key = try rows.insert("Person", ["name": .string("a"), "n": .integer(0)])
        if let person = try rows.object("Person", key: key) { try rows.delete(person) }
        #expect(try rows.insert("Person", ["name": .string("b"), "n": .integer(0)]) == key + 1)
      })
    #expect(try lastKey() == "1002")
    try lab.add(sql: "INSERT INTO \"Person\" SELECT 2000, 1, 0, 'c';")
    try lab.add(sql: "DELETE FROM \"Person\" WHERE \"_id\" > 1000;")
    _ = try Lab.migrator(
      lab.store, lab.migrations, code: [.plain("step") { _ in }]
    ).apply()
    #expect(try lastKey() == "2000")
  }

  @Test func `a key that a batch has given and another one has taken away is not given again`()
    throws
  {
    try apply(
      .batched("step", over: "Person", size: 600) { person, rows in
        if person.key == 1 {
          try rows.insert("Person", ["name": .string("a"), "n": .integer(0)])
        } else if person.key == 1000, let added = try rows.object("Person", key: 1001) {
          try rows.delete(added)
        }
      })
    #expect(try lastKey() == "1001")
  }

  @Test func `when another program has taken the last key, a step can add no object`() throws {
    try lab.run("INSERT INTO \"Person\" SELECT 9223372036854775807, 1, 0, 'z'")
    let message = lab.message {
      try apply(
        .plain("step") { try $0.insert("Person", ["name": .string("a"), "n": .integer(0)]) })
    }
    #expect(message.hasPrefix("no key is left for a new object of 'Person': "), "\(message)")
  }

  @Test func `D2: saving an object that is gone says so`() throws {
    let message = lab.message {
      try apply(
        .plain("step") { rows in
          guard var person = try rows.object("Person", key: 5) else { return }
          try rows.delete(person)
          try rows.save(person)
          try person.setValue(.integer(1), for: "n")
          try rows.save(person)
        })
    }
    #expect(
      message == """
        the Person with the key 5 is not there any more, so its changes cannot be saved; ask for the \
        object again with 'object(_:key:)' before
          in: 0002_step.code.xml
        """)
    #expect(try lab.rows("SELECT count(*) FROM \"Person\"") == ["1000"])
  }
}
