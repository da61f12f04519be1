import OxbowMigration
import OxbowModel
import OxbowSQLite
import OxbowTestSupport
import Testing

/// A number is given to one entity in a store's life, and a key to one object of it.
@Suite struct EntityNumberTests {
  let lab: Lab

  init() throws { lab = try Lab() }

  static func model(_ parents: [String: String?]) -> ManagedObjectModel {
    ManagedObjectModel(
      entities: parents.sorted { $0.key < $1.key }.map { name, parent in
        EntityDescription(
          name, parent: parent,
          attributes: [AttributeDescription("of\(name)", .string, isOptional: true)])
      })
  }

  func numbers() throws -> [String] {
    try lab.rows("SELECT \"name\", \"number\" FROM _oxbow_entities ORDER BY 1")
  }

  @Test func `the number of an entity that went is not given to another one`() throws {
    for (index, parents) in [["A", "B"], ["A"], ["A", "C"], ["A", "B", "C"]].enumerated() {
      try lab.add(
        Self.model(Dictionary(uniqueKeysWithValues: parents.map { ($0, nil) })), "step\(index)")
    }
    _ = try lab.migrator().apply(upTo: 2)
    _ = try lab.migrator().apply(upTo: 3)
    #expect(try numbers() == ["'A'|1", "'C'|3"])
    _ = try lab.migrator().apply()
    #expect(try numbers() == ["'A'|1", "'B'|2", "'C'|3"])
    // The way back and forth again.
    for _ in 1...3 { _ = try lab.migrator().undo() }
    #expect(try numbers() == ["'A'|1", "'B'|2"])
    _ = try lab.migrator().apply()
    #expect(try numbers() == ["'A'|1", "'B'|2", "'C'|3"])
  }

  @Test func `an entity that is renamed keeps its number, and its name is free`() throws {
    _ = try lab.infer(Self.model(["A": nil, "B": nil]))
    let renamed = Self.model(["A": nil, "C": nil]).changing("C") { $0.renamingIdentifier = "B" }
    _ = try lab.infer(renamed)
    #expect(try numbers() == ["'A'|1", "'C'|2"])
    _ = try lab.infer(renamed.adding(Self.model(["B": nil]).entities[0]))
    #expect(try numbers() == ["'A'|1", "'B'|3", "'C'|2"])
  }

  @Test func `numbers stay given through a backup, its restoring and a squash`() throws {
    for (index, parents) in [["A", "B"], ["A"], ["A", "C"]].enumerated() {
      try lab.add(
        Self.model(Dictionary(uniqueKeysWithValues: parents.map { ($0, nil) })), "step\(index)")
    }
    _ = try lab.migrator().apply(upTo: 2)
    let file = SQLiteStoreFile(lab.store)
    try file.backUp(to: lab.folder.file("backup.sqlite"))
    _ = try lab.migrator().apply()
    #expect(try numbers() == ["'A'|1", "'C'|3"])
    try file.restore(from: lab.folder.file("backup.sqlite"), replacing: true)
    #expect(try numbers() == ["'A'|1"])
    _ = try lab.migrator().apply()
    #expect(try numbers() == ["'A'|1", "'C'|3"])
    _ = try MigrationSequence(folder: lab.migrations).squash(upTo: 3, named: "all")
    #expect(try lab.migrator().apply().isEmpty)
    try lab.add(Self.model(["A": nil, "C": nil, "D": nil]), "d")
    try lab.add(Self.model(["A": nil, "B": nil, "C": nil, "D": nil]), "b")
    _ = try lab.migrator().apply()
    #expect(try numbers() == ["'A'|1", "'B'|2", "'C'|3", "'D'|4"])
    for _ in 1...2 { _ = try lab.migrator().undo() }
    _ = try lab.migrator().apply()
    #expect(try numbers() == ["'A'|1", "'B'|2", "'C'|3", "'D'|4"])
    // A store that the squashed step makes has given away its own numbers only.
    let new = try Lab()
    let migrator = try Migrator(new.backend(), folder: lab.migrations, target: nil)
    _ = try migrator.apply()
    #expect(
      try new.rows("SELECT \"name\", \"number\" FROM _oxbow_entities ORDER BY 2") == [
        "'A'|1", "'C'|2", "'D'|3", "'B'|4",
      ])
    #expect(try migrator.differences(to: lab.migrator()) == [])
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `numbers and keys never come again, whatever comes and goes`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var parents: [String: String?] = ["A": nil]
    var owners: [Int: String] = [:]
    var handedOut: [String: Int] = [:]
    for _ in 1...30 {
      let name = String("ABCDEF".randomElement(using: &random) ?? "A")
      if parents[name] != nil, !parents.values.contains(name), parents.count > 1 {
        parents[name] = nil
      } else if parents[name] == nil {
        let roots = parents.filter { $0.value == nil }.keys.sorted()
        parents.updateValue(
          Bool.random(using: &random) ? roots.randomElement(using: &random) : nil, forKey: name)
      }
      _ = try lab.inferBack(Self.model(parents), allowsLoss: true)
      for row in try numbers() {
        let words = row.split(separator: "|")
        let (name, number) = (String(words[0].dropFirst().dropLast()), Int(words[1]) ?? 0)
        #expect(owners[number] ?? name == name, "seed \(seed)")
        owners[number] = name
      }
      for (name, parent) in parents {
        let last = try lab.rows(
          "SELECT \"last\" FROM _oxbow_keys WHERE \"root\" = (SELECT \"number\" FROM _oxbow_entities "
            + "WHERE \"name\" = '\(parent ?? name)')"
        ).first.flatMap { Int($0) }
        let known = try #require(last, "seed \(seed)")
        #expect(known >= handedOut[name] ?? 0, "seed \(seed), \(name)")
      }
      let roots = Set(parents.map { $1 ?? $0 })
      for (name, parent) in parents {
        let root = parent ?? name
        handedOut[name] =
          (try lab.rows(
            "SELECT \"last\" + 5 FROM _oxbow_keys WHERE \"root\" = (SELECT \"number\" FROM "
              + "_oxbow_entities WHERE \"name\" = '\(root)')"
          ).first.flatMap { Int($0) }) ?? 0
      }
      for root in roots {
        try lab.run(
          "UPDATE _oxbow_keys SET \"last\" = \"last\" + 5 WHERE \"root\" = (SELECT \"number\" FROM "
            + "_oxbow_entities WHERE \"name\" = '\(root)')")
      }
    }
    #expect(owners.count == Set(owners.values).count, "seed \(seed)")
  }
}
