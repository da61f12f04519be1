import OxbowMigration
import OxbowModel
import OxbowStore
import OxbowTestSupport
import Testing

@testable import OxbowSQLite

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Indexes of boxes through migrations.
@Suite struct BoxMigrationTests {
  private let lab: Lab

  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      "Stay",
      attributes: ["begin", "end"].map { AttributeDescription($0, .date, isOptional: true) }
        + ["low", "high"].map { AttributeDescription($0, .integer32, isOptional: true) },
      fetchIndexes: [FetchIndexDescription("byTime", rTree: "begin", "end")])
  ])

  private static let tree = "_oxbow_boxes_Stay_byTime_tree"

  init() throws {
    lab = try Lab()
    try lab.add(Self.model, "initial")
    _ = try lab.migrator().apply()
    try lab.run(
      "INSERT INTO Stay (_id, _version, \"begin\", \"end\", low, high) VALUES (1, 1, 10, 20, 1, 2), "
        + "(2, 1, 20.5, 29.5, 2, 3), (3, 1, 40, 50, NULL, 4)")
  }

  private func trees() throws -> [String] {
    try lab.rows("SELECT name FROM sqlite_schema WHERE sql LIKE '%USING rtree%' ORDER BY 1")
  }

  private func boxes(_ tree: String = Self.tree) throws -> [String] {
    try lab.rows("SELECT * FROM \"\(tree)\" ORDER BY 1")
  }

  /// The keys of the objects that overlap an interval, and whether the index was asked.
  private func found(
    _ low: Double, _ high: Double, _ names: (String, String) = ("begin", "end"),
    entity: String = "Stay", _ model: ManagedObjectModel = Self.model
  ) throws -> [Int64] {
    let log = LogRecorder()
    var options = SQLiteStoreOptions()
    options.logger = log.statementLogger
    let store = try SQLiteStore(CompiledModel(model), at: .file(lab.store), options: options)
    defer { store.close() }
    var fetch = StoreFetch(entity: try store.model.requireEntity(named: entity).index)
    fetch.predicate = .overlaps(
      names.0, names.1,
      Date(timeIntervalSinceReferenceDate: low)...Date(timeIntervalSinceReferenceDate: high))
    let keys = try store.keys(of: fetch).flatMap { slab in (0..<slab.count).map { slab._key($0) } }
    #expect(log.statements.contains { $0.contains("_tree\" WHERE") })
    return keys.sorted()
  }

  private func check() throws {
    #expect(try SQLiteStoreFile(lab.store).check() == [])
    #expect(try lab.migrator().drift().isEmpty)
  }

  @Test func `PS-15 a migration makes a store with its indexes of boxes`() throws {
    #expect(try boxes() == ["1|10|20", "2|20|30", "3|40|50"])
    #expect(try found(20, 21) == [1, 2])
    try check()
  }

  @Test func `PS-15 a step adds an index with its boxes, says so in its plan, and is taken back`()
    throws
  {
    let next = Self.model.changing("Stay") { stay in
      stay.fetchIndexes.append(FetchIndexDescription("byNumber", rTree: "low", "high"))
    }
    try lab.add(next)
    let step = try #require(try lab.migrator().plan().steps.first)
    #expect(step.summary.contains("add fetch index 'Stay.byNumber'"))
    let operation = try #require(step.operations.first)
    #expect(operation.kind == .index)
    #expect(operation.statements.count == 5)
    #expect(operation.statements.first?.hasPrefix("CREATE VIRTUAL TABLE") == true)
    _ = try lab.migrator().apply()
    #expect(try boxes("_oxbow_boxes_Stay_byNumber_tree") == ["1|1|2", "2|2|3"])
    try check()
    _ = try lab.migrator().undo()
    #expect(try trees() == ["'\(Self.tree)'"])
    try check()
    #expect(try lab.migrator().verify().allSatisfy { $0.outcome == .proved })
  }

  @Test func `PS-15 a rebuilt table and a renamed one with a renamed attribute have their boxes`()
    throws
  {
    let rebuilt = Self.model.changing("Stay") { stay in
      stay.attributes.removeLast()
      stay.attributes.append(AttributeDescription("size", .integer32, defaultValue: .integer(7)))
    }
    try lab.add(rebuilt)
    _ = try lab.migrator().apply(allowsLoss: true)
    #expect(try boxes() == ["1|10|20", "2|20|30", "3|40|50"])
    try lab.run("UPDATE Stay SET \"end\" = 100 WHERE _id = 1")
    #expect(try boxes() == ["1|10|100", "2|20|30", "3|40|50"])
    let renamed = rebuilt.changing("Stay") { stay in
      (stay.name, stay.renamingIdentifier) = ("Visit", "Stay")
      (stay.attributes[0].name, stay.attributes[0].renamingIdentifier) = ("since", "begin")
      stay.fetchIndexes = [FetchIndexDescription("byTime", rTree: "since", "end")]
    }
    try lab.add(renamed, "renamed")
    _ = try lab.migrator().apply()
    #expect(try trees() == ["'_oxbow_boxes_Visit_byTime_tree'"])
    #expect(try found(60, 70, ("since", "end"), entity: "Visit", renamed) == [1])
    try check()
  }

  @Test func `PS-15 an index goes with its declaration and with its entity`() throws {
    let other = EntityDescription("Note", attributes: [AttributeDescription("text", .string)])
    let both = ManagedObjectModel(entities: Self.model.entities + [other])
    try lab.add(both)
    try lab.add(ManagedObjectModel(entities: [other]), "gone")
    _ = try lab.migrator().apply(allowsLoss: true)
    #expect(try trees() == [])
    #expect(try lab.rows("SELECT name FROM sqlite_schema WHERE name GLOB '_oxbow_boxes*'") == [])
    try check()
  }

  @Test func `PS-15 scripts write rows under the triggers, and may not write boxes`() throws {
    try lab.add(
      sql: "UPDATE Stay SET \"begin\" = 60, \"end\" = 70 WHERE _id = 2; "
        + "DELETE FROM Stay WHERE _id = 3;")
    _ = try lab.migrator().apply()
    #expect(try boxes() == ["1|10|20", "2|60|70"])
    for name in [Self.tree, Self.tree + "_rowid"] {
      let file = try lab.add(sql: "DELETE FROM \"\(name)\";", "forbidden")
      #expect(lab.message { _ = try lab.migrator().apply() }.contains("may"))
      System.remove(file)
    }
    try check()
  }

  @Test func `PS-15 a script that writes the table anew or renames a column leaves an index`()
    throws
  {
    let next = Self.model.changing("Stay") { stay in
      (stay.attributes[0].name, stay.attributes[0].renamingIdentifier) = ("since", "begin")
      stay.fetchIndexes = [FetchIndexDescription("byTime", rTree: "since", "end")]
    }
    try lab.add(
      sql: "CREATE TABLE other AS SELECT * FROM Stay; DELETE FROM Stay;"
        + "INSERT INTO Stay SELECT _id + 10, _version, \"begin\" + 1, \"end\" + 1, high, low FROM other; "
        + "DROP TABLE other;", "anew")
    try lab.add(
      sql: "ALTER TABLE Stay RENAME COLUMN \"begin\" TO since;", "renaming", model: next.versionHash
    )
    let migrator = try Migrator(lab.backend(), folder: lab.migrations, target: next)
    _ = try migrator.apply(upTo: 2)
    #expect(try boxes() == ["11|11|21", "12|21|31", "13|41|51"])
    _ = try migrator.apply()
    #expect(try found(21, 22, ("since", "end"), next) == [11, 12])
    #expect(try SQLiteStoreFile(lab.store).check() == [])
  }

  @Test func `PS-15 a step in Swift writes rows under the triggers, batch by batch`() throws {
    _ = try MigrationSequence(folder: lab.migrations).addCodeStep(named: "move", run: "x")
    let step = CodeStep.plain("move") { rows in
      _ = try rows.run(sql: "UPDATE Stay SET \"begin\" = 5 WHERE _id = 2")
    }
    _ = try Lab.migrator(lab.store, lab.migrations, code: [step]).apply()
    #expect(try boxes() == ["1|10|20", "2|5|30", "3|40|50"])
    try check()
  }
}
